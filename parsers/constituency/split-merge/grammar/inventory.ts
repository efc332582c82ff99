import { detached } from '../../../../src/encoding/vocabulary.ts';

/** Rules without probabilities, as columns of numbers: what they expand, and what into. */
export interface RuleColumns {
  /** Of every rule, the symbol that it expands. */
  readonly parents: Int32Array;
  /** The left child, or the only one; −1 where the rule gives a word. */
  readonly lefts: Int32Array;
  /** The right child; −1 where there is none. */
  readonly rights: Int32Array;
}

/** The symbols and rules that trees are made of, numbered in the order of their first appearance. */
export class Inventory {
  readonly symbols: string[] = [];
  readonly rules: { readonly parent: number; readonly left: number; readonly right: number }[] = [];
  /** How often each rule has been used. */
  readonly counts: number[] = [];
  private readonly symbolNumbers = new Map<string, number>();
  private readonly ruleNumbers = new Map<string, number>();

  /** The number of a symbol; the next free one where it is new. */
  symbol(name: string): number {
    const known = this.symbolNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.symbols.length;
    this.symbolNumbers.set(detached(name), number);
    this.symbols.push(name);
    return number;
  }

  /**
   * The number of a rule, which is counted; the next free one where it is new. `kind` tells rules of the same
   * symbols apart: the phrases that a unary rule passes through, or the word that a tag gives.
   */
  use(parent: number, left = -1, right = -1, kind = ''): number {
    const key = `${parent} ${left} ${right} ${kind}`;
    let rule = this.ruleNumbers.get(key);
    if (rule === undefined) {
      rule = this.rules.length;
      this.ruleNumbers.set(detached(key), rule);
      this.rules.push({ parent, left, right });
      this.counts.push(0);
    }
    this.counts[rule]++;
    return rule;
  }

  columns(): RuleColumns {
    return {
      parents: Int32Array.from(this.rules, ({ parent }) => parent),
      lefts: Int32Array.from(this.rules, ({ left }) => left),
      rights: Int32Array.from(this.rules, ({ right }) => right),
    };
  }
}
