import type { ColumnOptions, EncodedColumn, EncodedSentence } from '../encoding/columns.ts';
import { ColumnEncoder, columnStart, valueCounts } from '../encoding/columns.ts';
import { isAttributeColumn } from '../encoding/features.ts';
import { encodeGuide } from '../encoding/guides.ts';
import { LabelCandidates } from '../encoding/label-candidates.ts';
import { MOST_LABELS, type Numbering } from '../encoding/numbering.ts';
import { UNKNOWN } from '../encoding/vocabulary.ts';
import { InputError, OptionError } from '../errors.ts';
import { Random } from '../learn/random.ts';
import { numberIn } from '../number-in.ts';
import { type MorphologyColumn, type TagColumn, tagColumns } from '../treebank/columns/names.ts';
import type { Sentence, Treebank } from '../treebank/sentence.ts';
import type { Silver, TrainingRun } from './training-run.ts';

export interface Example extends EncodedSentence {
  readonly heads: Int32Array;
  /** Label numbers; entry 0 is not used. */
  readonly labels: Int32Array;
}

/** Common options of paradigms over encoded sentences. */
export interface ExampleOptions extends ColumnOptions {
  /** Default: both tag columns, where they are filled and differ. */
  readonly tag?: TagColumn | 'both' | undefined;
  /** Default: as in the training data. */
  readonly singleRoot?: boolean | undefined;
  /** Longer sentences are left out. */
  readonly maxLength: number;
  /** Columns that are predicted, not read. */
  readonly tagTask?: readonly MorphologyColumn[] | undefined;
}

/** An encoded treebank, and the values of options whose default depends on the data. */
export interface EncodedTreebank {
  readonly encoder: ColumnEncoder;
  readonly labels: readonly string[];
  readonly tags: readonly TagColumn[];
  readonly singleRoot: boolean;
  readonly examples: readonly Example[];
  /** Number of other parsers' trees per sentence; undefined: none. */
  readonly guides?: number | undefined;
  readonly silver?: SilverExamples | undefined;
}

/** The silver trees among the examples: all from number `from` on. */
export interface SilverExamples {
  readonly from: number;
  readonly weight: number;
  readonly goldEpochs: number;
  readonly digest?: string | undefined;
}

/** Encodes a treebank. `columnsOver` returns the columns that a parser with the given tag columns reads. */
export async function encodeTreebank(
  treebank: Treebank,
  columnsOver: (tags: readonly TagColumn[]) => readonly EncodedColumn[],
  options: ExampleOptions,
  run: TrainingRun,
): Promise<EncodedTreebank> {
  const { tag } = options;
  const possible: readonly TagColumn[] = tag === 'upos' || tag === 'xpos' ? [tag] : tagColumns;
  // Tags decide which labels an arc may have, even where no template reads them.
  const names = columnsOver(possible).map((name) => (isAttributeColumn(name) ? 'feats' : name));
  const encoder = new ColumnEncoder([...new Set([...names, ...possible])], options);
  const labelNumbers = new Map<string, number>();
  const number = (label: string) => numberOf(label, labelNumbers, treebank.name);
  const examples: Example[] = [];
  const seen = { tagsDiffer: false, severalRoots: 0 };
  const selection = new Selection({ maxLength: options.maxLength, singleRoot: false });
  for await (const sentence of treebank) {
    if (!selection.takes(sentence)) continue;
    inspect(sentence, seen);
    examples.push(example(sentence, encoder.learn(sentence), number));
  }
  if (examples.length === 0) throw nothingToLearn(treebank.name, selection.tooLong, options);
  const tags = tagsInUse(tag, encoder, seen.tagsDiffer, treebank.name);
  const singleRoot = singleRootOf(options.singleRoot, seen.severalRoots, treebank.name);
  const read = tags.filter((column) => encoder.isFilled(column) && !options.tagTask?.includes(column));
  const features = read.length > 0 ? `features from ${read.join(' and ')}` : 'no tags';
  run.onNotice?.(`${features}; ${singleRoot ? 'one root' : 'one or more roots'} per sentence`);
  for (const notice of selection.notices()) run.onNotice?.(notice);
  const guides = examples[0].guides?.length;
  const gold = examples.length;
  const ofSilver = new Selection({ maxLength: options.maxLength, singleRoot }, 'silver tree');
  for await (const sentence of run.silver?.treebank ?? [])
    if (ofSilver.takes(sentence)) examples.push(example(sentence, encoder.learn(sentence), number));
  for (const notice of ofSilver.notices()) run.onNotice?.(notice);
  const encoded = { encoder, labels: [...labelNumbers.keys()], tags, singleRoot, examples, guides };
  return run.silver === undefined ? encoded : { ...encoded, silver: silverOf(run.silver, gold) };
}

function nothingToLearn(file: string, tooLong: number, { maxLength }: ExampleOptions): Error {
  if (tooLong === 0) return new InputError('no sentence to learn from', { file });
  return new OptionError(
    (option) => `${option('maxLength', maxLength)}: every sentence of ${file} is longer`,
  );
}

/** The silver trees, which have been read, among the examples: all from number `from` on. */
export function silverOf({ treebank, weight = 1, goldEpochs = 0 }: Silver, from: number): SilverExamples {
  return { from, weight, goldEpochs, digest: treebank.digest };
}

/** Encodes held-out sentences; labels that the training data lacks are −1, which no prediction equals. */
export async function encodeHeldOut(
  treebank: Treebank,
  { encoder, labels }: Pick<Numbering, 'encoder' | 'labels'>,
): Promise<Example[]> {
  const numbers = new Map(labels.map((label, number) => [label, number]));
  const examples: Example[] = [];
  for await (const sentence of treebank)
    examples.push(example(sentence, encoder.encode(sentence), (label) => numbers.get(label) ?? -1));
  return examples;
}

/**
 * Encodes sentences for further training, then a random share of the replayed ones. New strings of `open` columns and new
 * labels get numbers, except in replayed sentences.
 */
export async function encodeFurther(
  treebank: Treebank,
  { encoder, labels }: Pick<Numbering, 'encoder' | 'labels'>,
  { open, ...bounds }: FurtherReading,
  { seed, from, onNotice }: Pick<TrainingRun, 'seed' | 'from' | 'onNotice'>,
): Promise<{ readonly examples: Example[]; readonly labels: string[] }> {
  const labelNumbers = new Map(labels.map((label, number) => [label, number]));
  const number = (label: string) => numberOf(label, labelNumbers, treebank.name);
  const examples: Example[] = [];
  const selection = new Selection(bounds);
  for await (const sentence of treebank)
    if (selection.takes(sentence)) examples.push(example(sentence, encoder.learn(sentence, open), number));
  if (examples.length === 0) {
    const reasons = ['no sentence to learn from', ...selection.notices()];
    throw new InputError(reasons.join('; '), { file: treebank.name });
  }
  const random = new Random(seed);
  const replayed = new Selection(bounds, 'replayed sentence');
  for await (const sentence of from?.replay?.treebank ?? []) {
    const isDrawn = random.below(CERTAIN) < CERTAIN * from!.replay!.share;
    if (isDrawn && replayed.takes(sentence))
      examples.push(example(sentence, encoder.encode(sentence), number));
  }
  for (const notice of [...selection.notices(), ...replayed.notices()]) onNotice?.(notice);
  return { examples, labels: [...labelNumbers.keys()] };
}

export const sentences = (n: number, noun = 'sentence'): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

function numberOf(label: string, numbers: Map<string, number>, file: string): number {
  if (numbers.size === MOST_LABELS && !numbers.has(label))
    throw new InputError(`more than ${MOST_LABELS} different labels: is DEPREL in its column?`, { file });
  return numberIn(numbers, label);
}

/** A trained parser's numbering; label candidates depend on the first tag column in use. */
export function numberingOf(
  { tags, encoder }: Pick<EncodedTreebank, 'tags' | 'encoder'>,
  { examples, labels, lifting }: Pick<EncodedTreebank, 'examples' | 'labels'> & Pick<Numbering, 'lifting'>,
): Numbering {
  const candidates = LabelCandidates.over(tags[0], encoder, labels.length).addTrees(examples);
  return { encoder, labels, candidates, lifting };
}

function example(sentence: Sentence, encoded: EncodedSentence, numberOf: (label: string) => number): Example {
  const { length } = encoded;
  const labels = new Int32Array(length + 1);
  for (let d = 1; d <= length; d++) labels[d] = numberOf(sentence.labels[d]);
  const guides = sentence.guides?.map((guide) => encodeGuide(guide, numberOf));
  return { ...encoded, heads: sentence.heads.slice(), labels, guides };
}

function inspect(sentence: Sentence, seen: { tagsDiffer: boolean; severalRoots: number }): void {
  const { length, upos, xpos } = sentence;
  for (let i = 1; i <= length; i++) if (upos[i] !== xpos[i]) seen.tagsDiffer = true;
  if (hasSeveralRoots(sentence)) seen.severalRoots++;
}

/** Which sentences further training reads, and the columns whose new strings get numbers. */
export type FurtherReading = SentenceBounds & { readonly open: readonly EncodedColumn[] };
type SentenceBounds = { readonly maxLength: number; readonly singleRoot: boolean };

/** Selects the sentences to learn from, and counts those that are left out. */
class Selection {
  tooLong = 0;
  private severalRoots = 0;

  constructor(
    private readonly bounds: SentenceBounds,
    private readonly noun = 'sentence',
  ) {}

  takes(sentence: Sentence): boolean {
    const { maxLength, singleRoot } = this.bounds;
    if (sentence.length > maxLength) this.tooLong++;
    else if (singleRoot && hasSeveralRoots(sentence)) this.severalRoots++;
    else return true;
    return false;
  }

  notices(): string[] {
    const { tooLong, severalRoots, noun, bounds } = this;
    const leftOut = (count: number, which: string) =>
      count > 0 ? [`${sentences(count, noun)} ${which}`] : [];
    return [
      ...leftOut(tooLong, `of more than ${bounds.maxLength} tokens left out of training`),
      ...leftOut(severalRoots, 'with several roots left out of training: the model allows one'),
    ];
  }
}

const hasSeveralRoots = ({ heads }: Sentence): boolean => heads.indexOf(0) !== heads.lastIndexOf(0);

function tagsInUse(
  asked: ExampleOptions['tag'],
  encoder: ColumnEncoder,
  differ: boolean,
  file: string,
): TagColumn[] {
  const filled = tagColumns.filter((column) => encoder.isFilled(column));
  if (asked !== undefined && filled.length === 0)
    throw new OptionError((option) => `${option('tag', asked)}: ${file} has no such tags`);
  if (asked === 'both' && filled.length < 2)
    throw new OptionError((option) => `${option('tag', 'both')}: ${file} has only one column of tags`);
  if (filled.length === 0) return ['upos'];
  return differ ? filled : [filled[0]];
}

function singleRootOf(asked: boolean | undefined, severalRoots: number, file: string): boolean {
  if (asked === true && severalRoots > 0) {
    throw new OptionError(
      (option) => `${option('singleRoot')}: ${sentences(severalRoots)} of ${file} with several roots`,
    );
  }
  return asked ?? severalRoots === 0;
}

/** Denominator of probabilities. */
const CERTAIN = 2 ** 30;

/**
 * Word dropout (Iyyer et al. 2015): a form seen n times becomes UNKNOWN with probability strength / (strength + n), drawn
 * anew at every use of its sentence.
 */
export class FormDropout {
  /** The column of forms; −1 if no template reads them. */
  private readonly column: number;
  /** The dropout probability of each form, in parts of CERTAIN. */
  private readonly chances: Float64Array;

  constructor(encoder: ColumnEncoder, examples: readonly Example[], strength: number) {
    this.column = encoder.names.indexOf('form');
    const size = this.column === -1 ? 0 : encoder.vocabulary(this.column).size;
    const counts = size > 0 ? valueCounts(examples, this.column, size) : [];
    this.chances = Float64Array.from(counts, (n) => Math.round((CERTAIN * strength) / (strength + n)));
  }

  applyTo(example: Example, random: Random): Example {
    if (this.column === -1) return example;
    const columns = example.columns.slice();
    const start = columnStart(example.length, this.column);
    for (let i = start + 1; i <= start + example.length; i++)
      if (random.below(CERTAIN) < this.chances[columns[i]]) columns[i] = UNKNOWN;
    return { ...example, columns };
  }
}
