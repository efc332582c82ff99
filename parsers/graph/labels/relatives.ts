import { RELATIVE_TOKENS, type RelativeKind } from '../features/label-templates.ts';
import { lieOfArc, NO_TOKEN } from '../higher-order/tree-parts.ts';
import { SiblingLinks } from '../sibling-links.ts';

/** Where the tokens stand in `RELATIVE_TOKENS`. */
const [HEADS_HEAD, HEAD, DEPENDENT, INNER, OUTER, FIRST, LAST, CHILD, SIBLING] = [...RELATIVE_TOKENS].keys();

/**
 * The tokens around one arc of a tree at a time, as rows: the first is of those that there is one of, each other one
 * has a child of the dependent besides, or another dependent of the head.
 */
export class Relatives {
  /** Of the row chosen last, by the letters of `RELATIVE_TOKENS`; 0 for none. */
  readonly tokens = new Int32Array(RELATIVE_TOKENS.length);
  kind: RelativeKind = 'once';
  /** How the tokens of the row lie: a number below 8. */
  lie = 0;
  /** How many rows the arc has. */
  rows = 0;
  private readonly links = new SiblingLinks();
  private heads: Int32Array = new Int32Array(0);
  /** What rows have besides, from the second row on: children first. */
  private besides = new Int32Array(0);
  private children = 0;

  /** Makes a tree of n tokens the one that the other methods are about. */
  setTree(heads: Int32Array, n: number): void {
    this.heads = heads;
    this.links.link(heads, n);
    if (this.besides.length < n) this.besides = new Int32Array(2 * n);
  }

  /** Makes the arc into d the one whose rows can be chosen. */
  setArc(d: number): void {
    const { heads, tokens } = this;
    const { inner, outer, last } = this.links;
    const h = heads[d];
    tokens[HEADS_HEAD] = h === 0 ? NO_TOKEN : heads[h];
    tokens[HEAD] = h;
    tokens[DEPENDENT] = d;
    tokens[INNER] = inner[d];
    tokens[OUTER] = outer[d];
    tokens[FIRST] = last[2 * d];
    tokens[LAST] = last[2 * d + 1];
    this.children = this.gather(d, d, 0);
    this.rows = 1 + this.gather(h, d, this.children);
  }

  /** Adds the dependents of a head but for d to what rows have besides; returns how many that has then. */
  private gather(h: number, d: number, from: number): number {
    const { inner, last } = this.links;
    let size = from;
    for (let side = 2 * h; side <= 2 * h + 1; side++) {
      for (let token = last[side]; token !== NO_TOKEN; token = inner[token]) {
        if (token !== d) this.besides[size++] = token;
      }
    }
    return size;
  }

  /** Sets `tokens`, `kind` and `lie` to those of a row, from 0 on. */
  choose(row: number): void {
    const { tokens, children, besides } = this;
    const isChild = row > 0 && row <= children;
    const token = row === 0 ? NO_TOKEN : besides[row - 1];
    this.kind = row === 0 ? 'once' : isChild ? 'children' : 'siblings';
    tokens[CHILD] = isChild ? token : NO_TOKEN;
    tokens[SIBLING] = isChild ? NO_TOKEN : token;
    this.lie = lieOfArc(tokens[HEAD], tokens[DEPENDENT]) + (token > tokens[DEPENDENT] ? 4 : 0);
  }

  /** What `lie` says. */
  get lieName(): string {
    const direction = this.lie & 1 ? 'right' : 'left';
    if (this.kind === 'once') return direction;
    return `${direction}, ${this.kind === 'children' ? 'c' : 'o'} ${this.lie & 4 ? 'after' : 'before'} d`;
  }
}
