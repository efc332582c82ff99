import { openParser } from '../../../parsers/registry.ts';
import type { MissingColumnOptions } from '../../../parsers/run/column-check.ts';
import { modelParser, parseBatches } from '../../../parsers/run/parse-batches.ts';
import { InputError } from '../../../src/errors.ts';
import { sentenceRows } from '../../../src/evaluate/lock-step.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { openTreebank, readBatch } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, TextBatch } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { checkNotTrainedOn } from '../analysis/independence.ts';
import { type Ballot, type GoldFile, goldBallot, type MemberTree } from '../ballots.ts';
import { parseWithArcs } from '../ensemble.ts';
import { NETWORK } from '../weights/weighting.ts';
import type { FileOptions } from './vote-files.ts';

interface ParsedBallotsOptions extends FileOptions, MissingColumnOptions {
  readonly jobs: number;
  /** Called now and then with the number of parses made, and of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

interface GoldBallotsOptions extends ParsedBallotsOptions {
  /** Another file of the same tokens to parse, for example with predicted tags; default: the gold file. */
  readonly input?: string | undefined;
}

/**
 * Parses a file with gold trees by several models.
 *
 * @throws InputError if a model was trained on these sentences, or the first of them
 * @throws OptionError if they lack columns that a model reads, unless that is allowed
 */
export async function parseGoldBallots(
  file: string,
  models: readonly ModelReader[],
  { input, ...options }: GoldBallotsOptions,
): Promise<GoldFile> {
  if (input !== undefined) checkStandardInput([file, input]);
  const { format, encoding } = options;
  const treebank = await openTreebank(file, { format, encoding, expect: 'trees' });
  const gold: Sentence[] = [];
  for await (const sentence of treebank) gold.push(sentence);
  const { name, digest } = treebank;
  for (const model of models) checkNotTrainedOn(model, { name, digest, sentences: gold });
  const sentences = input === undefined ? gold : await sameSentences(gold, input, options);
  const answers = await answersOf(models, sentences, options);
  const ballots = sentences.map((sentence, i) => goldBallot(gold[i], answers[i], sentence));
  return { name, digest, ballots };
}

/** Parses a file by several models, and keeps all trees in memory, to learn weights before the vote. */
export async function parseBallots(
  file: string,
  models: readonly ModelReader[],
  options: ParsedBallotsOptions,
): Promise<Ballot[]> {
  const { format, encoding } = options;
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(file, { format, encoding, expect: 'tokens' }))
    sentences.push(sentence);
  const answers = await answersOf(models, sentences, options);
  return sentences.map((sentence, i) => ({ sentence, trees: answers[i] }));
}

async function answersOf(
  models: readonly ModelReader[],
  sentences: readonly Sentence[],
  { onProgress, ...options }: ParsedBallotsOptions,
): Promise<MemberTree[][]> {
  const answers: MemberTree[][] = [];
  for (const model of models) {
    const tell = (done: number) =>
      onProgress?.(answers.length * sentences.length + done, models.length * sentences.length);
    answers.push(
      // Probable arcs are not in the text that other threads send.
      paradigmOf(model) === NETWORK
        ? await parseWithArcs(await openParser(model), sentences, nameOf(sentences), options, tell)
        : await parseInThreads(model, sentences, options, tell),
    );
  }
  return sentences.map((_, i) => answers.map((trees) => trees[i]));
}

/** Reads the sentences of a file; throws `InputError` if its tokens differ from the others'. */
async function sameSentences(others: readonly Sentence[], file: string, { format, encoding }: FileOptions) {
  const treebank = await openTreebank(file, { format, encoding, expect: 'tokens' });
  const found: Sentence[] = [];
  for await (const { sentences } of sentenceRows([inMemory(others, 'gold'), treebank]))
    found.push(sentences[1]);
  return found;
}

/** The paradigm of a parser, or of a pipeline's parser. */
export function paradigmOf(model: ModelReader): string | undefined {
  const { header } = model.partNames.includes('parser') ? model.part('parser') : model;
  return typeof header.paradigm === 'string' ? header.paradigm : undefined;
}

const nameOf = ([first]: readonly Sentence[]) => first?.source?.file ?? '';

async function parseInThreads(
  model: ModelReader,
  sentences: readonly Sentence[],
  options: Pick<ParsedBallotsOptions, 'jobs' | 'allowMissing' | 'onWarning'>,
  tell: (done: number) => void,
): Promise<MemberTree[]> {
  const written = { ...options, format: 'conllu', skipInvalid: false } as const;
  const trees: MemberTree[] = [];
  for await (const parsed of parseBatches(modelParser(model), batchesOf(sentences), written)) {
    if (parsed.fault !== undefined) throw new InputError(parsed.fault.problem, parsed.fault.place);
    const batch = { file: model.name, line: 1, text: parsed.text };
    for (const sentence of readBatch(batch, { format: 'conllu', expect: 'heads' })) {
      const { heads, labels } = sentence;
      trees.push({ heads, labels });
    }
    tell(trees.length);
  }
  return trees;
}

const BATCH = 100;

async function* batchesOf(sentences: readonly Sentence[]): AsyncGenerator<TextBatch> {
  for (let first = 0; first < sentences.length; first += BATCH) {
    const texts = sentences.slice(first, first + BATCH).map((sentence) => formatSentence(sentence, 'conllu'));
    yield { file: sentences[first].source?.file ?? '', line: 1, text: texts.join('') };
  }
}
