import { GrowingCounts } from '../growing-counts.ts';
import type { ErrorCounts, TokenPlace } from './comparison.ts';

/** Places remembered of each kind and parser. */
const EXAMPLES = 3;

/**
 * Counts how often each parser makes each kind of error; kinds are plain data, equal where their JSON is. Of a
 * kind its JSON is kept, and a few numbers a parser: there may be hundreds of thousands of kinds.
 */
export class KindCounts<Kind extends object> {
  /** The kinds' numbers, from 0. */
  private readonly numbers = new Map<string, number>();
  /** counts[number * parsers + parser] */
  private readonly counts = new GrowingCounts();
  /** The sentence and the token of each example, those of a kind and parser one after the other. */
  private readonly places = new GrowingCounts();

  constructor(private readonly parsers: number) {}

  add(kind: Kind, parser: number, sentence: number, token: number): void {
    const cell = this.numberOf(JSON.stringify(kind)) * this.parsers + parser;
    const example = this.counts.values[cell]++;
    if (example >= EXAMPLES) return;
    const place = 2 * (cell * EXAMPLES + example);
    this.places.values[place] = sentence;
    this.places.values[place + 1] = token;
  }

  private numberOf(key: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(key, number);
    this.counts.lengthen((number + 1) * this.parsers);
    this.places.lengthen(2 * EXAMPLES * (number + 1) * this.parsers);
    return number;
  }

  /** The kinds that all parsers together make most often; ties in the order of their JSON. */
  top(limit = Number.POSITIVE_INFINITY): (Kind & ErrorCounts)[] {
    const counts = this.counts.values;
    const total = (number: number) => {
      const first = number * this.parsers;
      return counts.subarray(first, first + this.parsers).reduce((a, b) => a + b, 0);
    };
    return Array.from(this.numbers, ([key, number]) => ({ key, number, total: total(number) }))
      .sort((x, y) => y.total - x.total || (x.key < y.key ? -1 : 1))
      .slice(0, limit)
      .map(({ key, number }) => ({ ...(JSON.parse(key) as Kind), ...this.errorCounts(number) }));
  }

  private errorCounts(number: number): ErrorCounts {
    const cells = Array.from({ length: this.parsers }, (_, parser) => number * this.parsers + parser);
    return {
      counts: cells.map((cell) => this.counts.values[cell]),
      examples: cells.map((cell) => this.examples(cell)),
    };
  }

  private examples(cell: number): TokenPlace[] {
    const length = Math.min(EXAMPLES, this.counts.values[cell]);
    return Array.from({ length }, (_, i) => {
      const place = 2 * (cell * EXAMPLES + i);
      return { sentence: this.places.values[place], token: this.places.values[place + 1] };
    });
  }
}
