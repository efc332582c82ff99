import { ColumnEncoder, columnStart, type EncodedSentence } from '../../../src/encoding/columns.ts';
import { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import { MOST_LABELS } from '../../../src/encoding/numbering.ts';
import { InputError } from '../../../src/errors.ts';
import type { NetworkMemory } from '../../../src/learn/network/memory.ts';
import { columnsOver, OPEN_COLUMNS } from '../../../src/learn/network/token-values.ts';
import { fingerprint } from '../../../src/training/about-model.ts';
import { sentences, silverOf } from '../../../src/training/examples.ts';
import { scoreHeldOut } from '../../../src/training/held-out.ts';
import { openInputs } from '../../../src/training/network/inputs.ts';
import { learningOf } from '../../../src/training/network/options.ts';
import { SentenceTrainer } from '../../../src/training/network/sentence-training.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import { type PhraseTree, plainForm } from '../../../src/treebank/phrases/phrase-tree.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { Paradigm } from '../../parser.ts';
import { notBracketed } from '../options.ts';
import { cleaned, OUTERMOST } from '../syntax-tree.ts';
import { learnerOf, type SpanExample } from './learner.ts';
import { bounds, type SpansOptions, spansOptions } from './options.ts';
import type { SpansSettings } from './span-network.ts';
import { SpansParser } from './spans-parser.ts';
import { EMPTY, spansOf } from './tree-spans.ts';

async function train(treebank: Treebank, options: SpansOptions, run: TrainingRun): Promise<SpansParser> {
  const data = await readTrainingData(treebank, options, run);
  const { settings, numbering, extraInputs, examples, learning } = data;
  const digests = extraInputs.map(({ digest }) => digest);
  const name = fingerprint(treebank, 'spans', examples.length, settings, learning, ...digests);
  const parserOf = (weights: Float32Array) => new SpansParser({ settings, numbering, extraInputs, weights });
  const task = {
    ...data,
    model: data,
    part: 'spans',
    module: new URL('./learner.js', import.meta.url),
    open: (memory: NetworkMemory) => learnerOf(data, memory),
  };
  const weights = await new SentenceTrainer(task, name, run).train(async (now) => {
    if (run.dev === undefined) return undefined;
    const parser = parserOf(now);
    return scoreHeldOut(run.dev, (sentence) => parser.parse(sentence), run.signal);
  });
  return parserOf(weights);
}

/** Encodes the sentences and trees of a treebank; throws `InputError` where it has none. */
export async function readTrainingData(treebank: Treebank, options: SpansOptions, run: TrainingRun) {
  const { tags: tagging, layers, units, dropout, normalize, maxLength } = options;
  const opened = await openInputs(options);
  const keepsForms = opened.isEmpty ? undefined : true;
  const names = columnsOver(['xpos']).filter((name) => name !== 'lemma' && name !== 'feats');
  const encoder = new ColumnEncoder(names, { normalize, stem: 'none', keepsForms });
  const readFrom = (trees: Treebank) => readTrees(trees, encoder, maxLength, run);
  const gold = await readFrom(treebank);
  const read = run.silver === undefined ? gold : [...gold, ...(await readFrom(run.silver.treebank))];
  const silver = run.silver && silverOf(run.silver, gold.length);
  const extraInputs = opened.inputs(encoder, run);
  const openColumns = OPEN_COLUMNS.filter((name) => encoder.names.includes(name));
  encoder.dropRare(
    openColumns,
    1,
    read.map(({ sentence }) => sentence),
  );
  const outermost = outermostOf(read.map(({ tree }) => tree));
  const labels = new Map([[EMPTY, 0]]);
  const examples = read.map(({ sentence, tree }) => exampleOf(sentence, tree));
  if (labels.size > MOST_LABELS)
    throw new InputError(`more than ${MOST_LABELS} different chains of phrases`, { file: treebank.name });
  run.onNotice?.(`${labels.size} labels of spans`);
  const columns = names.filter((name) => (name !== 'xpos' || tagging === 'given') && encoder.isFilled(name));
  const settings: SpansSettings = {
    tags: ['xpos'],
    tagging,
    normalize,
    stem: 'none',
    keepsForms,
    columns,
    distances: true,
    tagsFromFirst: true,
    outermost,
    maxLength,
    layers,
    units,
    dropout,
  };
  const candidates = LabelCandidates.over('xpos', encoder, labels.size);
  const numbering = { encoder, labels: [...labels.keys()], candidates };
  return {
    settings,
    numbering,
    extraInputs,
    examples,
    learning: { ...learningOf(options, examples, bounds), silver },
  };

  function exampleOf(sentence: EncodedSentence, tree: PhraseTree): SpanExample {
    const { begins, ends, labels: own } = spansOf(tree, outermost);
    for (const label of own) if (!labels.has(label)) labels.set(label, labels.size);
    const start = columnStart(sentence.length, names.indexOf('xpos'));
    return {
      ...sentence,
      begins: Int32Array.from(begins),
      ends: Int32Array.from(ends),
      labels: Int32Array.from(own, (label) => labels.get(label)!),
      tags: sentence.columns.slice(start, start + sentence.length + 1),
    };
  }
}

type ReadTree = { readonly sentence: EncodedSentence; readonly tree: PhraseTree };

async function readTrees(treebank: Treebank, encoder: ColumnEncoder, maxLength: number, run: TrainingRun) {
  const read: ReadTree[] = [];
  let tooLong = 0;
  for await (const sentence of treebank) {
    const { phrases, length } = sentence;
    if (phrases === undefined) throw notBracketed(treebank.name);
    const tree = cleaned(phrases, { functions: false, unaries: 'keep' });
    if (tree === undefined) continue;
    if (length > maxLength) tooLong++;
    else read.push({ sentence: encoder.learn({ ...sentence, forms: sentence.forms.map(plainForm) }), tree });
  }
  if (read.length === 0) throw new InputError('no tree to learn from', { file: treebank.name });
  if (tooLong > 0)
    run.onNotice?.(`${sentences(tooLong)} of more than ${maxLength} tokens left out of training`);
  return read;
}

/** Returns the outermost label that all trees share, or else the Penn Treebank's. */
function outermostOf(trees: readonly PhraseTree[]): string {
  const [{ label }] = trees;
  return trees.every((tree) => tree.label === label && tree.form === undefined) ? label : OUTERMOST;
}

export const spans: Paradigm<SpansOptions> = {
  name: 'spans',
  summary:
    'A recurrent network scores spans of words, and the best phrase-structure tree is taken (Zhang et al. 2020).',
  needsPhrases: true,
  options: spansOptions,
  takesVectors: true,
  takesSilver: () => true,
  keepsState: () => true,
  train,
  load: SpansParser.load,
};
