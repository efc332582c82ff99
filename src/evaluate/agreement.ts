import type { DependencyTree } from '../treebank/sentence.ts';
import { ELSEWHERE } from './alignment/counterpart.ts';
import { type ComparedSentence, isRight } from './compared-sentence.ts';
import { percent } from './percent.ts';

/** Percentages of the scored tokens: `uas` judges heads, `las` heads and labels (NaN without gold labels). */
export type Shares = Readonly<Record<'uas' | 'las', number>>;

/** How often several parsers agree, and are right together or alone. Plain data, ready for JSON. */
export interface Agreement {
  readonly tokens: number;
  /** Some parser is right: the upper bound of a vote. */
  readonly oracle: Shares;
  /** More than half of the parsers are right. */
  readonly majority: Shares;
  readonly unanimousRight: Shares;
  /** All parsers give the same wrong answer: no vote can correct it. */
  readonly unanimousWrong: Shares;
  readonly unique: readonly UniqueAnswers[];
  /** matrix[i][j]: parsers i and j give the same answer, right or wrong. */
  readonly matrix: readonly (readonly Shares[])[];
}

/** Shares of tokens that only this parser gets wrong (`errors`) or right. */
export type UniqueAnswers = Readonly<Record<'errors' | 'right', Shares>>;

export function agreement(sentences: Iterable<ComparedSentence>, parsers: number): Agreement {
  const counts = new AgreementCounts(parsers);
  for (const sentence of sentences) counts.add(sentence);
  return counts.agreement();
}

/** Counts agreement token by token. With a single parser, all its right answers and errors count as unique. */
export class AgreementCounts {
  private readonly heads: CriterionCounts;
  private readonly arcs: CriterionCounts;
  private tokens = 0;
  private labelled = false;

  constructor(private readonly parsers: number) {
    this.heads = new CriterionCounts(parsers);
    this.arcs = new CriterionCounts(parsers);
  }

  add({ gold, trees, scored }: ComparedSentence): void {
    const { heads, arcs, parsers } = this;
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      this.tokens++;
      this.labelled ||= gold.labels[d] !== '_';
      for (let i = 0; i < parsers; i++) {
        classify(trees, d, i, heads.classes, arcs.classes);
        heads.isRight[i] = isRight(gold, trees[i], d, false) ? 1 : 0;
        arcs.isRight[i] = isRight(gold, trees[i], d, true) ? 1 : 0;
      }
      heads.add();
      arcs.add();
    }
  }

  agreement(): Agreement {
    const { heads, arcs, parsers, tokens, labelled } = this;
    const share = (count: (counts: CriterionCounts) => number): Shares => ({
      uas: percent(count(heads), tokens),
      las: labelled ? percent(count(arcs), tokens) : Number.NaN,
    });
    const each = <T>(entry: (parser: number) => T): T[] =>
      Array.from({ length: parsers }, (_, i) => entry(i));
    return {
      tokens,
      oracle: share(({ some }) => some),
      majority: share(({ most }) => most),
      unanimousRight: share(({ all }) => all),
      unanimousWrong: share(({ allWrong }) => allWrong),
      unique: each((i) => ({
        errors: share(({ onlyWrong }) => onlyWrong[i]),
        right: share(({ onlyRight }) => onlyRight[i]),
      })),
      matrix: each((i) => each((j) => share(({ same }) => same[i * parsers + j]))),
    };
  }
}

/** Sets byHead[i] and byArc[i] to the first parser that has parser i's head, and head and label, for token d. */
function classify(
  trees: readonly DependencyTree[],
  d: number,
  i: number,
  byHead: Int32Array,
  byArc: Int32Array,
): void {
  const { heads, labels } = trees[i];
  byHead[i] = i;
  byArc[i] = i;
  // Heads outside the sentence are different words.
  if (heads[d] === ELSEWHERE) return;
  for (let j = i - 1; j >= 0; j--) {
    if (trees[j].heads[d] !== heads[d]) continue;
    byHead[i] = byHead[j];
    if (trees[j].labels[d] === labels[d]) byArc[i] = byArc[j];
  }
}

/** The counts by one criterion: heads, or heads and labels. */
class CriterionCounts {
  some = 0;
  most = 0;
  all = 0;
  allWrong = 0;
  readonly onlyRight: Int32Array;
  readonly onlyWrong: Int32Array;
  /** parsers × parsers: number of tokens for which both give the same answer. */
  readonly same: Int32Array;
  /** For the current token and each parser, the first parser that gives the same answer. */
  readonly classes: Int32Array;
  readonly isRight: Uint8Array;

  constructor(private readonly parsers: number) {
    this.onlyRight = new Int32Array(parsers);
    this.onlyWrong = new Int32Array(parsers);
    this.same = new Int32Array(parsers * parsers);
    this.classes = new Int32Array(parsers);
    this.isRight = new Uint8Array(parsers);
  }

  add(): void {
    const { parsers, classes, isRight, same } = this;
    let right = 0;
    let lastRight = 0;
    let lastWrong = 0;
    let differ = false;
    for (let i = 0; i < parsers; i++) {
      if (isRight[i] === 1) {
        right++;
        lastRight = i;
      } else {
        lastWrong = i;
      }
      if (classes[i] !== 0) differ = true;
      for (let j = 0; j < parsers; j++) if (classes[i] === classes[j]) same[i * parsers + j]++;
    }
    if (right > 0) this.some++;
    if (2 * right > parsers) this.most++;
    if (right === parsers) this.all++;
    if (right === 0 && !differ) this.allWrong++;
    if (right === 1) this.onlyRight[lastRight]++;
    if (right === parsers - 1) this.onlyWrong[lastWrong]++;
  }
}
