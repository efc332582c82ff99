import { InputError, UsageError } from '../../src/errors.ts';
import { detached } from '../../src/learn/vocabulary.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import type { TrainingRun } from '../parser.ts';
import { ColumnEncoder, type ColumnName, type EncodedSentence } from './columns.ts';
import type { GraphModelParts } from './graph-model.ts';
import { LabelCandidates } from './label-candidates.ts';
import { checkTogether, type GraphOptions, type GraphSettings } from './options.ts';
import { columnsInUse, type TagColumn } from './templates.ts';

/**
 * How many words are common: function words and punctuation marks, mostly. The exact number matters little.
 */
const COMMON_WORDS = 128;

/** Treebanks have a few hundred labels at most; choosing among many thousands would take for ever. */
const MOST_LABELS = 4096;

/** An encoded sentence with its gold tree. */
export interface Example extends EncodedSentence {
  readonly heads: Int32Array;
  /** Numbers of the labels; entry 0 is not used. */
  readonly labels: Int32Array;
}

export interface TrainingData extends GraphModelParts {
  readonly examples: readonly Example[];
}

/** Numbers the sentences of a treebank, and settles what the options left to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<TrainingData> {
  checkTogether(options);
  const possible: TagColumn[] =
    options.tag === 'upos' || options.tag === 'xpos' ? [options.tag] : ['upos', 'xpos'];
  const encoder = new ColumnEncoder(columnsInUse({ ...options, tags: possible }), options);
  const labelNumbers = new Map<string, number>();
  const number = (label: string) => numberOf(label, labelNumbers, treebank.name);
  const examples: Example[] = [];
  const seen = { tagsDiffer: false, severalRoots: 0, tooLong: 0 };
  for await (const sentence of treebank) {
    look(sentence, seen);
    if (sentence.length > options.maxLength) seen.tooLong++;
    else examples.push(example(sentence, encoder.learn(sentence), number));
  }
  if (examples.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  encoder.keepMostFrequent('common', COMMON_WORDS, examples);
  const settings = {
    ...options,
    templates: templatesInUse(options.templates, encoder, treebank.name),
    tags: tagsInUse(options.tag, encoder, seen.tagsDiffer, treebank.name),
    singleRoot: rootsSettled(options.singleRoot, seen.severalRoots, treebank.name),
  };
  report(settings, seen.tooLong, run);
  const labels = [...labelNumbers.keys()];
  return {
    settings,
    encoder,
    labels,
    candidates: labelCandidates(settings, encoder, labels.length, examples),
    examples,
  };
}

function numberOf(label: string, numbers: Map<string, number>, file: string): number {
  const known = numbers.get(label);
  if (known !== undefined) return known;
  if (numbers.size === MOST_LABELS) {
    throw new InputError(`more than ${MOST_LABELS} different labels: is DEPREL in its column?`, { file });
  }
  numbers.set(detached(label), numbers.size);
  return numbers.size - 1;
}

function labelCandidates(
  settings: GraphSettings,
  encoder: ColumnEncoder,
  labelCount: number,
  examples: readonly Example[],
): LabelCandidates {
  const candidates = LabelCandidates.over(settings, encoder, labelCount);
  for (const one of examples) {
    for (let d = 1; d <= one.length; d++) candidates.add(one, one.heads[d], d, one.labels[d]);
  }
  return candidates;
}

/** Encodes held-out sentences; a label that the training data lacks is −1, which no prediction equals. */
export async function encodeHeldOut(treebank: Treebank, data: TrainingData): Promise<Example[]> {
  const numbers = new Map(data.labels.map((label, number) => [label, number]));
  const examples: Example[] = [];
  for await (const sentence of treebank) {
    examples.push(example(sentence, data.encoder.encode(sentence), (label) => numbers.get(label) ?? -1));
  }
  return examples;
}

function example(sentence: Sentence, encoded: EncodedSentence, numberOf: (label: string) => number): Example {
  const { length, columns } = encoded;
  const labels = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) labels[d] = numberOf(sentence.labels[d]);
  return { length, columns, heads: sentence.heads.slice(), labels };
}

function look(
  { length, upos, xpos, heads }: Sentence,
  seen: { tagsDiffer: boolean; severalRoots: number },
): void {
  let roots = 0;
  for (let i = 1; i <= length; i++) {
    if (upos[i] !== xpos[i]) seen.tagsDiffer = true;
    if (heads[i] === 0) roots++;
  }
  if (roots > 1) seen.severalRoots++;
}

/** The tag columns that tell words apart: those asked for, or else both where they are filled and differ. */
function tagsInUse(
  asked: GraphOptions['tag'],
  encoder: ColumnEncoder,
  differ: boolean,
  file: string,
): TagColumn[] {
  const filled = (['upos', 'xpos'] as const).filter((column) => isFilled(column, encoder));
  if (asked !== undefined && filled.length === 0)
    throw new UsageError(`--tag ${asked}: ${file} has no such tags`);
  if (asked === 'both' && filled.length < 2)
    throw new UsageError(`--tag both: ${file} has but one column of tags`);
  if (filled.length === 0) return ['upos'];
  return differ ? filled : [filled[0]];
}

/** The template sets that have something to read. */
function templatesInUse(
  asked: GraphOptions['templates'],
  encoder: ColumnEncoder,
  file: string,
): GraphOptions['templates'] {
  const inUse = isFilled('feats', encoder) ? asked : asked.filter((set) => set !== 'morphology');
  if (inUse.length === 0)
    throw new UsageError(`--templates morphology: ${file} has no morphological features`);
  return inUse;
}

/** Whether a column tells words apart. */
function isFilled(column: ColumnName, encoder: ColumnEncoder): boolean {
  const c = encoder.names.indexOf(column);
  return c !== -1 && encoder.vocabulary(c).strings().length > 1;
}

function rootsSettled(asked: boolean | undefined, severalRoots: number, file: string): boolean {
  if (asked === true && severalRoots > 0) {
    throw new UsageError(`--single-root: ${sentences(severalRoots)} of ${file} with several roots`);
  }
  return asked ?? severalRoots === 0;
}

function report({ tags, singleRoot, maxLength }: GraphSettings, tooLong: number, run: TrainingRun): void {
  run.onNotice?.(
    `features from ${tags.join(' and ')}; ${singleRoot ? 'one root' : 'one or more roots'} a sentence`,
  );
  if (tooLong > 0)
    run.onNotice?.(`${sentences(tooLong)} of more than ${maxLength} tokens left out of training`);
}

function sentences(n: number): string {
  return n === 1 ? '1 sentence' : `${n} sentences`;
}
