import {
  type BracketDifferences,
  bracketDifferences,
  relabelledBrackets,
} from '../../parseval/bracket-differences.ts';
import type { Bracket } from '../../parseval/flat-tree.ts';
import type { SentenceScore } from '../../parseval/score-sentence.ts';
import type { BracketErrors, RelabelledBrackets } from './phrase-comparison.ts';

interface Counts {
  gold: number;
  readonly missing: number[];
  readonly wrong: number[];
  readonly crossing: number[];
}

/** Counts the brackets that are wrong or missing, by label and by span, and those that have another label. */
export class BracketErrorCounts {
  private readonly labels = new Map<string, Counts>();
  private readonly spans = new Map<string, Counts>();
  private readonly others = new Map<string, number[]>();

  constructor(private readonly parsers: number) {}

  /** A sentence as one parser has it. */
  add(score: SentenceScore, parser: number): void {
    const differences = bracketDifferences(score);
    const { missing, wrong, crossing } = differences;
    if (parser === 0) this.count(score.gold, (counts) => counts.gold++);
    this.count(missing, (counts) => counts.missing[parser]++);
    this.count(wrong, (counts) => counts.wrong[parser]++);
    this.count(crossing, (counts) => counts.crossing[parser]++);
    this.relabel(differences, parser);
  }

  private count(brackets: readonly Bracket[], add: (counts: Counts) => void): void {
    for (const bracket of brackets) {
      add(this.bucket(this.labels, bracket.label));
      add(this.bucket(this.spans, spanOf(bracket)));
    }
  }

  private relabel(differences: BracketDifferences, parser: number): void {
    for (const { bracket, given } of relabelledBrackets(differences)) {
      const key = JSON.stringify([bracket.label, given]);
      const counts = this.others.get(key) ?? this.zeros();
      counts[parser]++;
      this.others.set(key, counts);
    }
  }

  private bucket(buckets: Map<string, Counts>, name: string): Counts {
    let counts = buckets.get(name);
    if (counts === undefined) {
      counts = { gold: 0, missing: this.zeros(), wrong: this.zeros(), crossing: this.zeros() };
      buckets.set(name, counts);
    }
    return counts;
  }

  private zeros(): number[] {
    return Array(this.parsers).fill(0);
  }

  byLabel(): BracketErrors[] {
    return rows(this.labels).sort((x, y) => y.gold - x.gold || (x.bucket < y.bucket ? -1 : 1));
  }

  bySpan(): BracketErrors[] {
    return rows(this.spans).sort((x, y) => Number.parseInt(x.bucket, 10) - Number.parseInt(y.bucket, 10));
  }

  relabelled(): RelabelledBrackets[] {
    const total = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
    return [...this.others]
      .sort(([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1))
      .map(([key, counts]) => {
        const [gold, predicted] = JSON.parse(key) as [string, string];
        return { gold, predicted, counts };
      });
  }
}

function rows(buckets: ReadonlyMap<string, Counts>): BracketErrors[] {
  return [...buckets].map(([bucket, counts]) => ({ bucket, ...counts }));
}

/** Ends of the ranges by which numbers of words are counted. */
const ends = [1, 2, 5, 10, 20, 40];

function spanOf({ start, end }: Bracket): string {
  const words = end - start;
  const i = ends.findIndex((last) => words <= last);
  if (i < 0) return `${ends.at(-1)! + 1}-`;
  const first = i === 0 ? 0 : ends[i - 1] + 1;
  return first >= ends[i] || i === 0 ? String(words) : `${first}-${ends[i]}`;
}
