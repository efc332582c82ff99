import type { ErrorCounts, TokenPlace } from './comparison.ts';

/** Places remembered of each kind and parser. */
const EXAMPLES = 3;

interface Counted<Kind> {
  readonly kind: Kind;
  readonly counts: number[];
  readonly examples: TokenPlace[][];
}

/** Counts how often each parser makes each kind of error; kinds are plain objects, equal where their JSON is. */
export class KindCounts<Kind extends object> {
  private readonly kinds = new Map<string, Counted<Kind>>();

  constructor(private readonly parsers: number) {}

  add(kind: Kind, parser: number, place: TokenPlace): void {
    const key = JSON.stringify(kind);
    let counted = this.kinds.get(key);
    if (counted === undefined) {
      const examples = Array.from({ length: this.parsers }, () => []);
      counted = { kind, counts: new Array(this.parsers).fill(0), examples };
      this.kinds.set(key, counted);
    }
    counted.counts[parser]++;
    if (counted.examples[parser].length < EXAMPLES) counted.examples[parser].push(place);
  }

  /** The kinds that all parsers together make most often; ties in the order of their JSON. */
  top(limit = Number.POSITIVE_INFINITY): (Kind & ErrorCounts)[] {
    return [...this.kinds]
      .map(([key, counted]) => ({ key, counted, total: counted.counts.reduce((a, b) => a + b, 0) }))
      .sort((x, y) => y.total - x.total || (x.key < y.key ? -1 : 1))
      .slice(0, limit)
      .map(({ counted: { kind, counts, examples } }) => ({ ...kind, counts, examples }));
  }
}
