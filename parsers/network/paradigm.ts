import { decoders } from '../../src/decode/registry.ts';
import type { ColumnEncoder, EncodedColumn } from '../../src/encoding/columns.ts';
import { attributesIn, isAttributeColumn } from '../../src/encoding/features.ts';
import { OptionError } from '../../src/errors.ts';
import type { NetworkMemory } from '../../src/learn/network/memory.ts';
import type { NetworkModel } from '../../src/learn/network/network-model.ts';
import type { Shape } from '../../src/learn/network/parameters.ts';
import { columnsOver, OPEN_COLUMNS } from '../../src/learn/network/token-values.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { type Example, encodeHeldOut, encodeTreebank, numberingOf } from '../../src/training/examples.ts';
import { furtherExamples, grownNumbering, originOf } from '../../src/training/further-examples.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import { openInputs } from '../../src/training/network/inputs.ts';
import { learningOf, type NetworkLearning } from '../../src/training/network/options.ts';
import { SentenceTrainer } from '../../src/training/network/sentence-training.ts';
import { FURTHER_RATE } from '../../src/training/options.ts';
import { buildableExamples } from '../../src/training/projective-examples.ts';
import type { Origin, TrainingRun } from '../../src/training/training-run.ts';
import { morphologyColumns, type TagColumn } from '../../src/treebank/columns/names.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm } from '../parser.ts';
import { learnerOf } from './learner.ts';
import { type NetworkSettings, shapesOf } from './network.ts';
import { NetworkParser, readNetwork } from './network-parser.ts';
import { bounds, type NetworkOptions, networkOptions } from './options.ts';

async function train(treebank: Treebank, options: NetworkOptions, run: TrainingRun): Promise<NetworkParser> {
  const { from } = run;
  const data: TrainingData =
    from === undefined
      ? await readTrainingData(treebank, options, run)
      : await readFurtherData(treebank, options, from, run);
  const { settings, numbering, extraInputs, examples, learning } = data;
  const heldOut = run.dev && (await encodeHeldOut(run.dev, numbering));
  const digests = extraInputs.map(({ digest }) => digest);
  const name = fingerprint(treebank, examples.length, settings, learning, ...digests, ...originOf(run));
  const parserOf = (weights: Float32Array) =>
    new NetworkParser({ settings, numbering, extraInputs, weights });
  const task = {
    ...data,
    model: data,
    part: 'network',
    module: new URL('./learner.js', import.meta.url),
    open: (memory: NetworkMemory) => learnerOf(data, memory),
  };
  const weights = await new SentenceTrainer(task, name, run).train(async (now) => {
    if (heldOut === undefined) return undefined;
    const parser = parserOf(now);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example), run.signal);
  });
  return parserOf(weights);
}

/** The default schedule of further training (`--from`). */
const furtherBounds = { steps: 2000, leastEpochs: 3, mostEpochs: 10 };

async function readFurtherData(treebank: Treebank, options: NetworkOptions, from: Origin, run: TrainingRun) {
  const { settings, numbering, extraInputs, weights } = readNetwork(from.model);
  // Has to be read before the vocabularies grow.
  const start = { weights, shapes: shapesOf(settings, { ...numbering, extraInputs }) };
  const { singleRoot, maxLength, decoder } = settings;
  const { isProjective } = decoders[decoder]({ singleRoot });
  const reading = { open: OPEN_COLUMNS, singleRoot, maxLength, isProjective };
  const { examples, labels } = await furtherExamples(treebank, numbering, reading, run);
  const learning = learningOf({ ...options, rate: FURTHER_RATE * options.rate }, examples, furtherBounds);
  return {
    settings,
    numbering: grownNumbering(numbering, labels, examples),
    extraInputs,
    examples,
    learning,
    start,
  };
}

/** Encodes the sentences of a treebank, and chooses the settings that the options leave to the data. */
export async function readTrainingData(treebank: Treebank, options: NetworkOptions, run: TrainingRun) {
  const { decoder, layers, units, dropout, normalize, maxLength, features } = options;
  const opened = await openInputs(options);
  const keepsForms = opened.isEmpty ? undefined : true;
  const asked = { ...options, stem: 'none', keepsForms };
  const named = (tags: readonly TagColumn[]) => [
    ...new Set([...columnsOver(tags), ...(options.tagTask ?? [])]),
  ];
  const whole = await encodeTreebank(treebank, named, asked, run);
  const extraInputs = opened.inputs(whole.encoder, run);
  const { encoder, tags, singleRoot } = whole;
  const tagTask = tasksIn(treebank, encoder, options, run);
  const attributes = tagTask?.includes('feats') ? [] : attributesIn(encoder.featsIn(whole.examples));
  // With a single attribute, single features equal the whole FEATS string.
  const added = attributes.length > 1 && features !== 'whole' ? attributes : [];
  const encoded = { ...whole, examples: encoder.addAttributes(added, whole.examples) };
  const ofAttributes = encoder.names.filter(isAttributeColumn);
  encoder.dropRare([...OPEN_COLUMNS, ...ofAttributes], 1, encoded.examples);
  const isReplaced = features === 'single' && added.length > 0;
  const columns = [...columnsOver(tags), ...ofAttributes].filter(
    (name) => encoder.isFilled(name) && isRead(name, encoder, tagTask) && !(isReplaced && name === 'feats'),
  );
  const isProjective = decoders[decoder]({ singleRoot }).isProjective;
  const buildable = buildableExamples(encoded, isProjective, { pseudoProjective: 'none' }, run);
  const { examples } = buildable;
  const settings: NetworkSettings = {
    decoder,
    tags,
    normalize,
    stem: 'none',
    keepsForms,
    singleRoot,
    maxLength,
    columns,
    distances: true,
    tagTask,
    layers,
    units,
    dropout,
  };
  const learning = { ...learningOf(options, examples, bounds), silver: encoded.silver };
  return { settings, numbering: numberingOf(encoded, buildable), extraInputs, examples, learning };
}

/** Returns the columns to predict, as far as the treebank fills them; throws `OptionError` if it fills none. */
function tasksIn({ name }: Treebank, encoder: ColumnEncoder, { tagTask }: NetworkOptions, run: TrainingRun) {
  if (tagTask === undefined) return undefined;
  const tasks = morphologyColumns.filter((column) => tagTask.includes(column) && encoder.isFilled(column));
  if (tasks.length === 0)
    throw new OptionError((option) => `${option('tagTask', tagTask)}: ${name} does not fill these columns`);
  run.onNotice?.(`predicts ${tasks.join(', ')} as auxiliary tasks`);
  return tasks;
}

/** Whether a column is read: not if it is predicted, and lemmas, which depend on tags, only if some tags are read. */
function isRead(name: EncodedColumn, encoder: ColumnEncoder, tasks: readonly EncodedColumn[] = []): boolean {
  if (name !== 'lemma' || tasks.length === 0) return !tasks.includes(name);
  return morphologyColumns.some((column) => encoder.isFilled(column) && !tasks.includes(column));
}

interface TrainingData extends Omit<NetworkModel<NetworkSettings>, 'weights'> {
  readonly examples: readonly Example[];
  readonly learning: NetworkLearning;
  /** The initial weights, from a trained network, and their shapes. */
  readonly start?: { readonly weights: Float32Array; readonly shapes: readonly Shape[] } | undefined;
}

export const network: Paradigm<NetworkOptions> = {
  name: 'network',
  summary: 'A recurrent network reads the sentence and scores all arcs (Dozat & Manning 2017).',
  options: networkOptions,
  takesVectors: true,
  furtherOptions: ['epochs', 'rate', 'batch', 'shuffle'],
  takesSilver: () => true,
  writes: ({ tagTask = [] }) => tagTask,
  keepsState: () => true,
  train,
  load: NetworkParser.load,
};
