import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Chart } from '../../../../parsers/constituency/chart/chart.ts';
import { treeOf } from '../../../../parsers/constituency/chart/expansions.ts';
import { KBest } from '../../../../parsers/constituency/chart/k-best.ts';
import type { BinaryTree } from '../../../../parsers/constituency/grammar/binarize.ts';
import type { Grammar } from '../../../../parsers/constituency/grammar/grammar.ts';
import type { WordStates } from '../../../../parsers/constituency/lexicon/lexicon.ts';
import { cases, grammarOf } from '../../../support/random-grammars.ts';

interface Found {
  readonly score: number;
  readonly text: string;
}

/** All derivations of the words from i to j − 1 from a state: without a chain at the top, or with one. */
function allDerivations(grammar: Grammar, words: readonly WordStates[], state: number, i: number, j: number) {
  const { binary, chains } = grammar.tables;
  const plain = (top: number, from: number, to: number): Found[] => {
    if (to === from + 1) {
      const at = words[from].states.indexOf(top);
      return at === -1 ? [] : [{ score: words[from].scores[at], text: `(${top} ${from})` }];
    }
    const found: Found[] = [];
    for (const [rule, ruleScore] of binary.scores.entries()) {
      const [parent, left, right] = binary.states.subarray(3 * rule, 3 * rule + 3);
      if (parent !== top) continue;
      for (let k = from + 1; k < to; k++) {
        for (const a of chained(left, from, k)) {
          for (const b of chained(right, k, to))
            found.push({ score: ruleScore + a.score + b.score, text: `(${top} ${a.text} ${b.text})` });
        }
      }
    }
    return found;
  };
  const chained = (top: number, from: number, to: number): Found[] => {
    const found = plain(top, from, to);
    for (const [chain, score] of chains.scores.entries()) {
      const [parent, end] = chains.states.subarray(3 * chain, 3 * chain + 2);
      if (parent !== top) continue;
      for (const below of plain(end, from, to))
        found.push({ score: score + below.score, text: `(${top} ⇒ ${below.text})` });
    }
    return found;
  };
  return chained(state, i, j).sort((a, b) => b.score - a.score);
}

/** The same of a tree: chains of several rules as one. */
function textOf(root: BinaryTree): string {
  let position = 0;
  const text = (node: BinaryTree): string => {
    if (node.form !== undefined) return `(${node.label} ${position++})`;
    let end = node;
    while (end.children.length === 1) end = end.children[0];
    if (end !== node) return `(${node.label} ⇒ ${text(end)})`;
    return `(${node.label} ${node.children.map(text).join(' ')})`;
  };
  return text(root);
}

test('the best derivations are those that brute force finds, in the order of their probability', () => {
  /** Cases with several derivations. */
  let several = 0;
  fc.assert(
    fc.property(cases, fc.integer({ min: 1, max: 40 }), (one, k) => {
      const grammar = grammarOf(one);
      const chart = new Chart(grammar);
      const { length } = one.words;
      chart.fill(one.words, Number.POSITIVE_INFINITY);
      const all = allDerivations(grammar, one.words, 0, 0, length);
      // What is far from the best of its words is not looked at.
      const near = all.filter(({ score }) => score > all[0].score - 11.9);
      const root = { state: 0, i: 0, j: length };
      const kBest = new KBest(chart, one.words);
      const forms = one.words.map((_, i) => `w${i}`);
      const texts = new Set<string>();
      for (let rank = 0; rank < Math.min(k, near.length); rank++) {
        const derivation = kBest.derivation(root, rank)!;
        expect(derivation.score).toBeCloseTo(near[rank].score, 3);
        const text = textOf(treeOf(derivation, grammar, forms, root));
        const same = all.find((other) => other.text === text);
        expect(same?.score).toBeCloseTo(derivation.score, 3);
        expect(texts.has(text)).toBe(false);
        texts.add(text);
      }
      if (near.length === all.length) expect(kBest.derivation(root, all.length)).toBeUndefined();
      if (texts.size > 5) several++;
    }),
    { numRuns: 200 },
  );
  expect(several).toBeGreaterThan(5);
});

test('a derivation may be as deep as a sentence of a thousand words is long', () => {
  const rule = (parent: number, children: readonly number[]) => ({ parent, children, score: -1 });
  const rules = [rule(0, [1]), rule(1, [5, 1]), rule(1, [5, 6])];
  const grammar = grammarOf({ rules, occurrences: Array<number>(8).fill(1) });
  const word = (state: number) => ({ states: Int32Array.of(state), scores: Float32Array.of(-1) });
  const length = 1000;
  const words = [...Array.from({ length: length - 1 }, () => word(5)), word(6)];
  const chart = new Chart(grammar);
  // What filling it would come to, in less time.
  chart.scores = new Float32Array(chart.row(length, length + 1)).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < length; i++) {
    chart.scores[chart.row(i, i + 1) + (i === length - 1 ? 6 : 5)] = -1;
    if (i < length - 1) chart.scores[chart.row(i, length) + 1] = -2 * (length - i) + 1;
  }
  chart.scores[chart.row(0, length)] = -2 * length;
  const kBest = new KBest(chart, words);
  const root = { state: 0, i: 0, j: length };
  expect(kBest.derivation(root, 0)?.score).toBe(-2 * length);
  expect(kBest.derivation(root, 1)).toBeUndefined();
});
