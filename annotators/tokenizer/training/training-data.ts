import { InputError } from '../../../src/errors.ts';
import { mix } from '../../../src/learn/hashing.ts';
import { Random } from '../../../src/learn/random.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import type { TokenizerOptions } from '../options.ts';
import { TOKEN_PAD, TokenList } from '../sentences/token-list.ts';
import { PAD, Units } from '../text/units.ts';
import type { TokenizerModel } from '../tokenizer-model.ts';
import { PairCounts, SettledPairs } from '../tokens/settled-pairs.ts';
import { ruleOf, type SplitRule, SplitRules } from '../words/split-rules.ts';
import { type GoldToken, type Paragraph, readParagraphs } from './paragraphs.ts';
import { type SegmentLessons, segmentLessons } from './segment-lessons.ts';
import { WordCounts } from './word-counts.ts';

/** A paragraph as the tokenizer sees it, with the right answers. */
export interface Lesson {
  readonly units: Units;
  readonly tokens: TokenList;
  /** Of each token the number of the rule that splits it, −1 where it is one word; by index, not by number. */
  readonly rules: Int32Array;
}

/** A sentence to learn from: tokens `first` to `last` of a paragraph. */
export interface Example {
  readonly lesson: Lesson;
  readonly first: number;
  readonly last: number;
}

export interface TrainingData {
  readonly examples: readonly Example[];
  /** What is known before anything is decided. */
  readonly knowledge: Omit<TokenizerModel, 'weights'>;
  /** There where tokens are found as the best way to cut a text. */
  readonly segments?: SegmentLessons | undefined;
}

/** Most tokens have no blank after them where fewer than this share have one. */
const DENSE = 0.5;
/** Words may contain blanks, and not only some numbers, where more than this share have one. */
const BLANKS = 0.05;

/**
 * Reads a treebank, and counts what is to be known of its words, characters and multiword tokens.
 *
 * @throws InputError where it has no sentence
 */
export async function readTrainingData(
  treebank: Treebank,
  { joined }: TokenizerOptions,
  { seed, onNotice }: Pick<TrainingRun, 'seed' | 'onNotice'>,
): Promise<TrainingData> {
  const paragraphs = await readParagraphs(treebank, joined, new Random(seed, JOINING));
  if (paragraphs.length === 0) throw new InputError('no sentence to learn from', { file: treebank.name });
  const rules = new RuleNumbers();
  const lessons = paragraphs.map((paragraph) => lessonOf(paragraph, rules));
  const examples = lessons.flatMap((lesson, i) => examplesOf(lesson, paragraphs[i]));
  const words = countWords(examples);
  const habits = habitsOf(lessons);
  if (!habits.hasTight)
    onNotice?.(`${treebank.name} has a blank after every token: tokens will be told apart at blanks only`);
  const { settled, hasBlanks, isDense } = habits;
  const segments = habits.isSegmented ? segmentLessons(lessons, habits, habits.settledKinds) : undefined;
  const splits = new SplitRules(rules.rules);
  const { segmentation } = segments ?? {};
  return {
    examples,
    knowledge: { words: words.table(), settled, splits, hasBlanks, isDense, segmentation },
    segments,
  };
}

/** The random numbers by which paragraphs are joined are others than those of the epochs. */
const JOINING = -1;

function lessonOf({ text, tokens }: Paragraph, rules: RuleNumbers): Lesson {
  const units = new Units().read(text);
  const list = new TokenList();
  let i = PAD;
  for (const { start, end } of tokens) {
    while (units.offsets[i] < start) i++;
    const first = i;
    let hash = EMPTY_HASH;
    for (; units.offsets[i] < end; i++) hash = mix(hash, units.lowers[i]);
    list.add(units, first, i, hash);
  }
  return { units, tokens: list, rules: Int32Array.from(tokens, (token) => rules.numberOf(token)) };
}

function examplesOf(lesson: Lesson, { sentenceEnds }: Paragraph): Example[] {
  return sentenceEnds.map((end, s) => {
    const first = TOKEN_PAD + (s === 0 ? 0 : sentenceEnds[s - 1]);
    return { lesson, first, last: TOKEN_PAD + end - 1 };
  });
}

/** Counts words, and tells each token how its word is written elsewhere. */
function countWords(examples: readonly Example[]): WordCounts {
  const counts = new WordCounts();
  const initial = new Map<Lesson, Set<number>>();
  for (const { lesson, first, last } of examples) {
    const { units, tokens } = lesson;
    initial.set(lesson, (initial.get(lesson) ?? new Set()).add(first));
    for (let t = first; t <= last; t++) {
      counts.add(tokens, t, t === first);
      counts.addBeginnings(units, tokens, t);
    }
  }
  for (const [{ tokens }, firsts] of initial) {
    tokens.finish((_, t) => counts.caseElsewhere(tokens, t, firsts.has(t)));
  }
  return counts;
}

/** What is true of all texts: whether tokens have blanks in or after them, and the settled pairs. */
function habitsOf(lessons: readonly Lesson[]) {
  const pairs = new PairCounts();
  const kindPairs = new PairCounts();
  let tight = 0;
  let all = 0;
  let withBlanks = 0;
  for (const { units, tokens } of lessons) {
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
    settled: SettledPairs.of(pairs),
    settledKinds: SettledPairs.of(kindPairs),
    hasBlanks: withBlanks > 0,
    isDense,
    isSegmented: isDense || withBlanks / all > BLANKS,
    hasTight: tight > 0,
  };
}

/** Numbers the rules that tokens of several words are split by, in the order of their first appearance. */
export class RuleNumbers {
  readonly rules: SplitRule[] = [];
  private readonly numbers = new Map<string, number>();

  /** The number of a token's rule; −1 where it is one word. */
  numberOf({ form, words }: GoldToken): number {
    if (words === undefined) return -1;
    const rule = ruleOf(form, words);
    const key = [rule.suffix, ...rule.parts].join('\t');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.rules.length);
    return this.rules.push(rule) - 1;
  }
}
