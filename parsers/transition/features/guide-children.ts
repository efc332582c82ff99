import type { StackConfiguration } from '../systems/stack-configuration.ts';

/** The dependents of every token in a tree, in order from either end. */
export class GuideChildren {
  /** Of each token: its first and its last dependent, 0 for none, then its neighbours among those of its head. */
  private first = new Int32Array(0);
  private last = new Int32Array(0);
  private next = new Int32Array(0);
  private previous = new Int32Array(0);

  link(heads: Int32Array, n: number): void {
    if (this.first.length <= n) {
      const room = () => new Int32Array(2 * (n + 1));
      [this.first, this.last, this.next, this.previous] = [room(), room(), room(), room()];
    }
    const { first, last, next, previous } = this;
    first.fill(0, 0, n + 1);
    last.fill(0, 0, n + 1);
    for (let d = 1; d <= n; d++) {
      const head = heads[d];
      previous[d] = last[head];
      next[d] = 0;
      if (last[head] === 0) first[head] = d;
      else next[last[head]] = d;
      last[head] = d;
    }
  }

  /** How many dependents of a token are after another, `most` at most. */
  after(token: number, other: number, most: number): number {
    let count = 0;
    for (let d = this.last[token]; d > other && d !== 0 && count < most; d = this.previous[d]) count++;
    return count;
  }

  /** How many dependents of a token are before another and have no head yet, `most` at most. */
  headlessBefore(token: number, other: number, configuration: StackConfiguration, most: number): number {
    let count = 0;
    for (let d = this.first[token]; d < other && d !== 0 && count < most; d = this.next[d]) {
      if (configuration.head(d) === -1) count++;
    }
    return count;
  }
}
