import { detached } from '../../src/platform/platform.ts';
import { nodesOf } from '../../src/treebank/phrases/phrase-tree.ts';
import { type GrammarTree, START } from './binarize.ts';
import { type GrammarTables, indexRules, type Rules } from './grammar.ts';

export class TreeCounts {
  private readonly numbers = new Map<string, number>();
  private readonly labels: (string | undefined)[] = [];
  private readonly tags: boolean[] = [];
  private readonly occurrences: number[] = [];
  private readonly binary = new Map<string, number>();
  private readonly unary = new Map<string, number>();

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

/**
 * The most probable unary chain between each two states that have one, but none from a state to itself.
 * @param unary rules with one child (their third column is not read)
 * @returns top, end, and the state right above the end, by which the chain can be followed up
 */
export function unaryClosure(unary: Rules, stateCount: number): Rules {
  const { starts, first: children, scores } = indexRules(unary, stateCount, 0, 1, 2);
  const states: number[] = [];
  const chainScores: number[] = [];
  for (let top = 0; top < stateCount; top++) {
    if (starts[top] === starts[top + 1]) continue;
    for (const [end, { score, above }] of chainsFrom(top)) {
      if (end === top) continue;
      states.push(top, end, above);
      chainScores.push(score);
    }
  }
  return { states: Int32Array.from(states), scores: Float32Array.from(chainScores) };

  /** Dijkstra's algorithm: longer chains are never more probable. */
  function chainsFrom(top: number): Map<number, Chain> {
    const best = new Map<number, Chain>([[top, { score: 0, above: top }]]);
    const open = new Set([top]);
    while (open.size > 0) {
      let end = -1;
      for (const state of open) if (end === -1 || best.get(state)!.score > best.get(end)!.score) end = state;
      open.delete(end);
      for (let rule = starts[end]; rule < starts[end + 1]; rule++) {
        const score = best.get(end)!.score + scores[rule];
        const child = children[rule];
        const known = best.get(child);
        if (known !== undefined && known.score >= score) continue;
        best.set(child, { score, above: end });
        open.add(child);
      }
    }
    return best;
  }
}

interface Chain {
  readonly score: number;
  readonly above: number;
}
