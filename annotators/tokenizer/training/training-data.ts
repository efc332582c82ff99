import { InputError } from '../../../src/errors.ts';
import { Random } from '../../../src/learn/random.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { TextNormalization } from '../../../src/treebank/text-normalization.ts';
import { doubled } from '../../../src/typed-arrays.ts';
import { HashIndex, NONE } from '../../hash-index.ts';
import type { TokenizerOptions } from '../options.ts';
import { SplitRules } from '../split-rules.ts';
import type { Units } from '../text/units.ts';
import { hashOf } from '../token-features.ts';
import { FIELDS, Field, TOKEN_PAD, type TokenList } from '../token-list.ts';
import { PairCounts, type TokenizerModel, UnambiguousPairs } from '../tokenizer-model.ts';
import { Case, FactTable, factsAs, WordTable } from '../word-table.ts';
import type { EncodedParagraph, Example, Paragraph } from './paragraphs.ts';
import { encodeParagraph, examplesOf, RuleNumbers, readParagraphs } from './paragraphs.ts';
import { neighboursIn } from './raw-text.ts';
import { type SegmentExamples, segmentExamples } from './segment-trainer.ts';

export interface TokenizerTrainingData {
  readonly paragraphs: readonly Paragraph[];
  readonly examples: readonly Example[];
  /** The parts of the model that are counted, not trained. */
  readonly knowledge: Omit<TokenizerModel, 'weights'>;
  /** Only where tokens are found by segmenting a whole text (see `Segmenter`). */
  readonly segments?: SegmentExamples | undefined;
}

/** Minimum share of tokens without a blank after them for a language written without blanks between words. */
const DENSE = 0.5;
/** Minimum share of tokens with blanks inside from which on words, not just numbers, contain blanks. */
const BLANKS = 0.05;
/** Second seed of the random numbers for joining paragraphs; the epochs use those from 0 on. */
const JOINING = -1;

/** Counts a treebank's words, pairs of characters, and split rules; throws `InputError` if it is empty. */
export async function readTrainingData(
  treebank: Treebank,
  { joined, text }: TokenizerOptions,
  { seed, onNotice, signal }: Pick<TrainingRun, 'seed' | 'onNotice' | 'signal'>,
): Promise<TokenizerTrainingData> {
  const texts = await readParagraphs(treebank, joined, new Random(seed, JOINING));
  if (texts.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  const rules = new RuleNumbers();
  const paragraphs = texts.map((text) => encodeParagraph(text, rules));
  const examples = paragraphs.flatMap((paragraph, i) => examplesOf(paragraph, texts[i]));
  const words = countWords(examples);
  const spacing = spacingOf(paragraphs);
  if (!spacing.hasTight)
    onNotice?.(`${treebank.name} has a blank after every token: tokens will be separated at blanks only`);
  const { unambiguous, unambiguousKinds, hasBlanks, isDense, isSegmented } = spacing;
  if (text !== undefined && !isSegmented)
    onNotice?.(`${treebank.name} has blanks between its tokens: the raw text is not used`);
  const neighbours =
    isSegmented && text ? await neighboursIn(text, spacing, unambiguousKinds, signal) : undefined;
  const segments = isSegmented
    ? segmentExamples(paragraphs, spacing, unambiguousKinds, neighbours)
    : undefined;
  const splits = new SplitRules(rules.rules);
  const normalization = TextNormalization.of(texts.map((paragraph) => paragraph.text));
  const counted = { words: words.table(), unambiguous, splits, hasBlanks, isDense, normalization };
  const knowledge = { ...counted, readsAddresses: true, segmentation: segments?.segmentation };
  return { paragraphs: texts, examples, knowledge, segments };
}

/** Counts words, and sets the case of each token by the word's other occurrences. */
function countWords(examples: readonly Example[]): WordCounts {
  const counts = new WordCounts();
  const initial = new Map<EncodedParagraph, Set<number>>();
  for (const { paragraph, first, last } of examples) {
    const { units, tokens } = paragraph;
    initial.set(paragraph, (initial.get(paragraph) ?? new Set()).add(first));
    for (let t = first; t <= last; t++) {
      counts.add(tokens, t, t === first);
      counts.addBeginnings(units, tokens, t);
    }
  }
  for (const [{ tokens }, firsts] of initial)
    tokens.finish((_, t) => counts.caseElsewhere(tokens, t, firsts.has(t)));
  return counts;
}

/** Finds the unambiguous pairs, and whether tokens have blanks in or after them. */
function spacingOf(paragraphs: readonly EncodedParagraph[]) {
  const pairs = new PairCounts();
  const kindPairs = new PairCounts();
  let tight = 0;
  let all = 0;
  let withBlanks = 0;
  for (const { units, tokens } of paragraphs) {
    const { lowers, kinds } = units;
    for (let t = TOKEN_PAD; t < tokens.end; t++) {
      const end = tokens.endOf(t);
      let hasBlank = false;
      all++;
      if (end < units.end && !units.isBlank(end)) tight++;
      for (let i = tokens.startOf(t); i < end && i + 1 < units.end; i++) {
        if (units.isBlank(i)) {
          hasBlank = true;
          continue;
        }
        pairs.add(lowers, kinds, i, i === end - 1);
        kindPairs.add(kinds, kinds, i, i === end - 1);
      }
      if (hasBlank) withBlanks++;
    }
  }
  const isDense = tight / all > DENSE;
  return {
    unambiguous: UnambiguousPairs.of(pairs),
    unambiguousKinds: UnambiguousPairs.of(kindPairs),
    hasBlanks: withBlanks > 0,
    isDense,
    isSegmented: isDense || withBlanks / all > BLANKS,
    hasTight: tight > 0,
  };
}

/** Layout of counts: words × 3, how often a word begins a sentence, has a capital elsewhere, has none elsewhere. */
const COUNTS = 3;
const INITIAL = 0;
const UPPER = 1;
const LOWER = 2;

class WordCounts {
  private readonly numbers = new HashIndex();
  private counts: Int32Array = new Int32Array(COUNTS * 1024);
  private readonly beginnings = new Set<number>();

  add({ data }: TokenList, t: number, isInitial: boolean): void {
    const number = this.numbers.add(data[t * FIELDS + Field.lower]);
    const { length } = this.counts;
    if (COUNTS * (number + 1) > length) this.counts = doubled(this.counts);
    this.counts[COUNTS * number + kindOf(data, t, isInitial)]++;
  }

  /** Adds the parts of a token that end before one of its blanks. */
  addBeginnings(units: Units, tokens: TokenList, t: number): void {
    const start = tokens.startOf(t);
    for (let i = start; i < tokens.endOf(t); i++)
      if (units.isBlank(i)) this.beginnings.add(hashOf(units.lowers, start, i));
  }

  /** The case of a word in all occurrences but token t, as the word table would have it for new text. */
  caseElsewhere({ data }: TokenList, t: number, isInitial: boolean): number {
    const at = COUNTS * this.numbers.numberOf(data[t * FIELDS + Field.lower]);
    const own = kindOf(data, t, isInitial);
    const left = (kind: number) => this.counts[at + kind] - (kind === own ? 1 : 0);
    return caseBy(left(INITIAL), left(UPPER), left(LOWER));
  }

  table(): WordTable {
    const hashes: number[] = [];
    const facts: number[] = [];
    for (const hash of new Set([...this.numbers.hashes(), ...this.beginnings])) {
      const number = this.numbers.numberOf(hash);
      const [initial, upper, lower] =
        number === NONE ? [0, 0, 0] : this.counts.subarray(COUNTS * number, COUNTS * (number + 1));
      const isKnown = initial + upper + lower > 1;
      hashes.push(hash);
      facts.push(factsAs(isKnown, this.beginnings.has(hash), caseBy(initial, upper, lower)));
    }
    return new WordTable(new FactTable(Int32Array.from(hashes), Uint8Array.from(facts)));
  }
}

function kindOf(data: Int32Array, t: number, isInitial: boolean): number {
  if (isInitial) return INITIAL;
  return data[t * FIELDS + Field.upper] === 1 ? UPPER : LOWER;
}

function caseBy(initial: number, upper: number, lower: number): number {
  if (initial + upper + lower === 0) return Case.unseen;
  if (upper === 0) return Case.neverUpper;
  if (lower === 0) return Case.alwaysUpper;
  return upper > lower ? Case.mostlyUpper : Case.mostlyLower;
}
