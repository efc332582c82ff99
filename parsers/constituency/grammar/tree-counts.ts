import { detached } from '../../../src/encoding/vocabulary.ts';
import { nodesOf } from '../../../src/treebank/brackets/phrase-tree.ts';
import { type GrammarTree, START } from './binarize.ts';
import type { GrammarTables } from './grammar.ts';
import type { Rules } from './rules.ts';
import { unaryClosure } from './unary-closure.ts';

/** Counts the rules of a treebank's binarised trees. */
export class TreeCounts {
  private readonly numbers = new Map<string, number>();
  private readonly labels: (string | undefined)[] = [];
  private readonly tags: boolean[] = [];
  private readonly occurrences: number[] = [];
  private readonly binary = new Map<string, number>();
  private readonly unary = new Map<string, number>();

  /** Counts the rules of a tree under the start symbol. */
  add(tree: GrammarTree): void {
    for (const node of nodesOf(tree)) {
      const parent = this.stateOf(node);
      this.occurrences[parent]++;
      if (node.children.length === 0) continue;
      const key = [parent, ...node.children.map((child) => this.stateOf(child))].join(' ');
      const counts = node.children.length === 1 ? this.unary : this.binary;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }

  /** The number of a node's symbol; the next free one where it is new. */
  stateOf({ symbol, label, form }: GrammarTree): number {
    const known = this.numbers.get(symbol);
    if (known !== undefined) return known;
    const state = this.labels.length;
    this.numbers.set(detached(symbol), state);
    this.labels.push(label === undefined ? undefined : detached(label));
    this.tags.push(form !== undefined);
    this.occurrences.push(0);
    return state;
  }

  /** Relative frequencies: how often a symbol was expanded in each way. */
  estimate(): GrammarTables {
    const stateCount = this.labels.length;
    return {
      start: this.numbers.get(START) ?? 0,
      labels: this.labels,
      tags: Uint8Array.from(this.tags, Number),
      occurrences: Int32Array.from(this.occurrences),
      binary: this.relativeFrequencies(this.binary),
      chains: unaryClosure(this.relativeFrequencies(this.unary), stateCount),
    };
  }

  private relativeFrequencies(counts: ReadonlyMap<string, number>): Rules {
    const rows = Array.from(counts, ([key, count]) => {
      const [parent, first, second = 0] = key.split(' ').map(Number);
      return { states: [parent, first, second], score: Math.log(count / this.occurrences[parent]) };
    });
    return {
      states: Int32Array.from(rows.flatMap(({ states }) => states)),
      scores: Float32Array.from(rows, ({ score }) => score),
    };
  }
}
