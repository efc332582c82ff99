/** Which dependents of a tree are neighbours: of one head, on one side. */
export class SiblingLinks {
  /** Of each token: the next dependent of its head on its side, inwards; 0 for none. */
  inner = new Int32Array(0);
  /** The next one outwards. */
  outer = new Int32Array(0);
  /** Of each token h: its last dependent to the left at 2 h, to the right at 2 h + 1; 0 for none. */
  last = new Int32Array(0);

  link(heads: Int32Array, n: number): void {
    if (this.inner.length <= n) {
      this.inner = new Int32Array(2 * (n + 1));
      this.outer = new Int32Array(2 * (n + 1));
      this.last = new Int32Array(4 * (n + 1));
    }
    this.last.fill(0, 0, 2 * (n + 1));
    for (let d = 1; d <= n; d++) if (heads[d] < d) this.append(2 * heads[d] + 1, d);
    for (let d = n; d >= 1; d--) if (heads[d] > d) this.append(2 * heads[d], d);
  }

  private append(side: number, d: number): void {
    const inner = this.last[side];
    this.inner[d] = inner;
    this.outer[inner] = d;
    this.outer[d] = 0;
    this.last[side] = d;
  }
}
