import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BestTree, BestTrees, treeOf } from '../../../parsers/constituency/best-tree.ts';
import type { BinaryTree } from '../../../parsers/constituency/binarize.ts';
import { Chart } from '../../../parsers/constituency/chart.ts';
import type { Grammar } from '../../../parsers/constituency/grammar.ts';
import { insideRatio } from '../../../parsers/constituency/inside.ts';
import type { WordStates } from '../../../parsers/constituency/lexicon.ts';
import { byStates, type Case, cases, grammarOf } from '../../support/random-grammars.ts';

/**
 * The log probabilities of all trees of the words from i to j − 1 under a state, except those that repeat a state
 * in a chain of unary rules, which are never the best.
 */
function allTrees(
  { rules, words }: Pick<Case, 'rules' | 'words'>,
  state: number,
  i: number,
  j: number,
  above: readonly number[] = [],
): number[] {
  const found: number[] = [];
  if (j === i + 1) {
    const at = words[i]!.states.indexOf(state);
    if (at !== -1) found.push(words[i]!.scores[at]!);
  }
  for (const { parent, children, score } of rules) {
    if (parent !== state) continue;
    const [first, second] = children as [number, number?];
    if (second === undefined) {
      if ([...above, state].includes(first)) continue;
      for (const below of allTrees({ rules, words }, first, i, j, [...above, state]))
        found.push(score + below);
      continue;
    }
    for (let k = i + 1; k < j; k++) {
      const rights = allTrees({ rules, words }, second, k, j);
      if (rights.length === 0) continue;
      for (const left of allTrees({ rules, words }, first, i, k)) {
        for (const right of rights) found.push(score + left + right);
      }
    }
  }
  return found;
}

/** The log probability of a tree whose labels are states. */
function scoreOf({ rules, words }: Case, root: BinaryTree): number {
  let sum = 0;
  let position = 0;
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const state = Number(node.label);
    if (node.form !== undefined) {
      expect(node.form).toBe(`w${position}`);
      const { states, scores: wordScores } = words[position++]!;
      sum += wordScores[states.indexOf(state)]!;
      continue;
    }
    const key = [state, ...node.children.map(({ label }) => label)].join(' ');
    sum += rules.find((rule) => byStates(rule) === key)!.score;
    pending.push(...node.children.toReversed());
  }
  expect(position).toBe(words.length);
  return sum;
}

function parse(one: Case, beam: number): { score: number; tree: BinaryTree | undefined } {
  const grammar = grammarOf(one);
  const chart = new Chart(grammar);
  const { length } = one.words;
  chart.fill(one.words, beam);
  const score = chart.scores[chart.row(0, length)]!;
  const forms = Array.from({ length }, (_, i) => `w${i}`);
  const tree =
    score === -Infinity
      ? undefined
      : treeOf(new BestTree(chart, one.words), grammar, forms, { state: 0, i: 0, j: length });
  return { score, tree };
}

/** The log probabilities of all trees with the best chain between any two states. */
function allWithBestChains(
  grammar: Grammar,
  words: readonly WordStates[],
  state: number,
  i: number,
  j: number,
): number[] {
  const { chainsByTop, byParent } = grammar;
  const splits = (end: number): number[] => {
    if (j === i + 1) return Array.from(words[i].scores).filter((_, x) => words[i].states[x] === end);
    const found: number[] = [];
    for (let k = i + 1; k < j; k++) {
      for (let rule = byParent.starts[end]; rule < byParent.starts[end + 1]; rule++) {
        const rights = allWithBestChains(grammar, words, byParent.second[rule], k, j);
        if (rights.length === 0) continue;
        for (const left of allWithBestChains(grammar, words, byParent.first[rule], i, k))
          for (const right of rights) found.push(byParent.scores[rule] + left + right);
      }
    }
    return found;
  };
  const found = splits(state);
  for (let chain = chainsByTop.starts[state]; chain < chainsByTop.starts[state + 1]; chain++)
    for (const below of splits(chainsByTop.first[chain])) found.push(chainsByTop.scores[chain] + below);
  return found;
}

describe('the chart', () => {
  it('gives the k best of all trees, each once', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 12 }), (one, k) => {
        const grammar = grammarOf(one);
        const all = allWithBestChains(grammar, one.words, 0, 0, one.words.length).sort((a, b) => b - a);
        const chart = new Chart(grammar);
        chart.fill(one.words, Number.POSITIVE_INFINITY);
        const best = new BestTrees(chart, one.words, k);
        const root = { state: 0, i: 0, j: one.words.length };
        const forms = one.words.map((_, i) => `w${i}`);
        const trees = new Set<string>();
        for (let rank = 0; rank < Math.min(k, all.length); rank++) {
          expect(best.scoreOf(root, rank)).toBeCloseTo(all[rank], 3);
          const tree = treeOf(best, grammar, forms, root, rank);
          expect(scoreOf(one, tree)).toBeCloseTo(all[rank], 3);
          trees.add(JSON.stringify(tree));
        }
        expect(trees.size).toBe(Math.min(k, all.length));
        if (all.length < k) expect(best.scoreOf(root, all.length)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('sums the probabilities of all trees, as brute force does', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const grammar = grammarOf(one);
        const { length } = one.words;
        const all = allWithBestChains(grammar, one.words, 0, 0, length);
        const chart = new Chart(grammar);
        chart.fill(one.words, Number.POSITIVE_INFINITY);
        const best = Math.max(...all);
        const expected = all.reduce((sum, score) => sum + Math.exp(score - best), 0);
        expect(insideRatio(chart, one.words, 0)).toBeCloseTo(expected, 3);
      }),
      { numRuns: 200 },
    );
  });

  it('finds the same best tree as brute force, with the same probability', () => {
    let withTrees = 0;
    fc.assert(
      fc.property(cases, (one) => {
        const all = allTrees(one, 0, 0, one.words.length);
        const best = all.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
        const { score, tree } = parse(one, Number.POSITIVE_INFINITY);
        if (all.length === 0) {
          expect(tree).toBeUndefined();
          return;
        }
        withTrees++;
        expect(score).toBeCloseTo(best, 3);
        expect(scoreOf(one, tree!)).toBeCloseTo(best, 3);
      }),
      { numRuns: 300 },
    );
    expect(withTrees).toBeGreaterThan(100);
  });

  it('gives trees of the grammar with any beam, and the best tree with a very wide beam', () => {
    fc.assert(
      fc.property(cases, fc.double({ min: 0.5, max: 10, noNaN: true }), (one, beam) => {
        const exact = parse(one, Number.POSITIVE_INFINITY);
        const pruned = parse(one, beam);
        expect(parse(one, 1000)).toEqual(exact);
        // Trees of equal probability can differ by the rounding of 32-bit sums.
        expect(pruned.score).toBeLessThanOrEqual(exact.score + 1e-5);
        if (pruned.tree !== undefined) expect(scoreOf(one, pruned.tree)).toBeCloseTo(pruned.score, 3);
      }),
      { numRuns: 300 },
    );
  });

  it('with a beam drops a rare state even if it is in the best tree, and keeps a frequent one', () => {
    const word = (state: number) => ({ states: Int32Array.of(state), scores: Float32Array.of(-1) });
    const rule = (parent: number, children: readonly number[], score: number) => ({
      parent,
      children,
      score,
    });
    const rules = [rule(0, [1], -2), rule(0, [2], -1), rule(1, [5, 6], -1), rule(2, [5, 6], -1)];
    const labelOf = (occurrences: readonly number[]) => {
      const { tree } = parse({ rules, words: [word(5), word(6)], occurrences }, 3);
      return tree?.children[0]?.label;
    };
    expect(labelOf([100, 100, 10, 1, 1, 100, 100, 1])).toBe('2');
    expect(labelOf([100, 100, 1, 1, 1, 100, 100, 1])).toBe('1');
  });

  it('gives a sentence the same score whatever it was filled with before', () => {
    fc.assert(
      fc.property(
        cases,
        fc.array(
          cases.map(({ words }) => words),
          { minLength: 1, maxLength: 3 },
        ),
        (one, before) => {
          const chart = new Chart(grammarOf(one));
          for (const words of [...before, one.words]) chart.fill(words, Number.POSITIVE_INFINITY);
          expect(chart.scores[chart.row(0, one.words.length)]).toBe(
            parse(one, Number.POSITIVE_INFINITY).score,
          );
        },
      ),
    );
  });
});

test('a derivation of a thousand words may be a thousand levels deep', () => {
  const rule = (parent: number, children: readonly number[]) => ({ parent, children, score: -1 });
  const rules = [rule(0, [1]), rule(1, [5, 1]), rule(1, [5, 6])];
  const grammar = grammarOf({ rules, occurrences: Array<number>(8).fill(1) });
  const word = (state: number) => ({ states: Int32Array.of(state), scores: Float32Array.of(-1) });
  const length = 1000;
  const words = [...Array.from({ length: length - 1 }, () => word(5)), word(6)];
  const chart = new Chart(grammar);
  // These are the scores that filling the chart would give, but in less time.
  chart.scores = new Float32Array(chart.row(length, length + 1)).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < length; i++) {
    chart.scores[chart.row(i, i + 1) + (i === length - 1 ? 6 : 5)] = -1;
    if (i < length - 1) chart.scores[chart.row(i, length) + 1] = -2 * (length - i) + 1;
  }
  chart.scores[chart.row(0, length)] = -2 * length;
  const forms = words.map((_, i) => `w${i}`);
  let node = treeOf(new BestTree(chart, words), grammar, forms, { state: 0, i: 0, j: length }).children[0]!;
  for (let depth = 0; depth < length - 2; depth++) node = node.children[1]!;
  expect(node.children.map(({ form }) => form)).toEqual(['w998', 'w999']);
});
