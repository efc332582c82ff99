import type { GuideTree } from '../../../src/encoding/guides.ts';

/** What the guides of a sentence say together: how many have an arc, and what most of them say of a token. */
export class GuideVotes {
  /** Of each token the head that most guides give; of equals that of the guide named first. */
  heads = new Int32Array(0);
  /** Of each token the label that most of these guides give; of equals that of the guide named first. */
  labels = new Int32Array(0);
  private guides: readonly GuideTree[] = [];

  /** Counts the votes of the guides of a sentence of n tokens. */
  count(guides: readonly GuideTree[], n: number): void {
    this.guides = guides;
    if (this.heads.length <= n) {
      this.heads = new Int32Array(2 * n + 1);
      this.labels = new Int32Array(2 * n + 1);
    }
    for (let d = 1; d <= n; d++) this.elect(d);
  }

  /** How many guides have the arc h → d. */
  of(h: number, d: number): number {
    const { guides } = this;
    let votes = 0;
    for (let g = 0; g < guides.length; g++) if (guides[g].heads[d] === h) votes++;
    return votes;
  }

  private elect(d: number): void {
    const { guides } = this;
    let most = 0;
    for (let g = 0; g < guides.length; g++) {
      const votes = this.of(guides[g].heads[d], d);
      if (votes <= most) continue;
      most = votes;
      this.heads[d] = guides[g].heads[d];
    }
    most = 0;
    for (let g = 0; g < guides.length; g++) {
      const votes = this.ofLabel(guides[g].labels[d], d);
      if (guides[g].heads[d] !== this.heads[d] || votes <= most) continue;
      most = votes;
      this.labels[d] = guides[g].labels[d];
    }
  }

  /** How many of the guides that give the elected head of d give it this label. */
  private ofLabel(label: number, d: number): number {
    const { guides, heads } = this;
    let votes = 0;
    for (let g = 0; g < guides.length; g++) {
      if (guides[g].heads[d] === heads[d] && guides[g].labels[d] === label) votes++;
    }
    return votes;
  }
}
