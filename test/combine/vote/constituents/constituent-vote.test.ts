import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Constituent,
  flatAnswer,
  learnPhraseWeighting,
  votedTree,
} from '../../../../combine/vote/constituents/constituent-vote.ts';
import { Random } from '../../../../src/learn/random.ts';
import { formatBrackets } from '../../../../src/treebank/phrases/brackets.ts';
import type { PhraseTree } from '../../../../src/treebank/phrases/phrase-tree.ts';
import { bracketed } from '../../../support/phrases.ts';

/** A random tree over this number of words. */
function randomTree(n: number, random: Random): PhraseTree {
  let nodes: PhraseTree[] = Array.from({ length: n }, (_, i) => ({
    label: ['N', 'V'][random.below(2)]!,
    form: `w${i}`,
    children: [],
  }));
  while (nodes.length > 1 || random.below(3) === 0) {
    const start = random.below(nodes.length);
    const end = Math.min(nodes.length, start + 1 + random.below(3));
    const phrase = { label: ['S', 'NP', 'VP'][random.below(3)]!, children: nodes.slice(start, end) };
    nodes = [...nodes.slice(0, start), phrase, ...nodes.slice(end)];
  }
  return { label: 'TOP', children: nodes };
}

function treesOf(line: string): PhraseTree {
  return bracketed('x.mrg', line)[0]!.tree;
}

const vote = (trees: readonly PhraseTree[], weights = trees.map(() => 1), threshold = 0.4) =>
  votedTree({ answers: trees.map(flatAnswer) }, { weights, threshold });

/** How often each phrase occurs. */
function count(constituents: readonly Constituent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { label, start, end } of constituents) {
    const key = `${label} ${start} ${end}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The votes for a set of phrases, less the threshold that each of them must reach. */
function gain(chosen: readonly Constituent[], trees: readonly PhraseTree[], threshold: number): number {
  const counts = trees.map((tree) => count(flatAnswer(tree).constituents));
  let sum = 0;
  for (const [key, times] of count(chosen)) {
    for (let number = 1; number <= times; number++) {
      sum += counts.filter((one) => (one.get(key) ?? 0) >= number).length - threshold * trees.length;
    }
  }
  return sum;
}

function cross(a: Constituent, b: Constituent): boolean {
  return (
    (a.start < b.start && b.start < a.end && a.end < b.end) ||
    (b.start < a.start && a.start < b.end && b.end < a.end)
  );
}

describe('a vote on phrases', () => {
  it('returns a tree unchanged if all parsers agree on it, chains of single children included', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 8 }), (seed, n) => {
        const tree = randomTree(n, new Random(seed));
        expect(formatBrackets(vote([tree]))).toBe(formatBrackets(tree));
        expect(formatBrackets(vote([tree, tree, tree]))).toBe(formatBrackets(tree));
      }),
    );
  });

  it('finds the set of phrases with the most votes among all sets without crossing phrases', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(0.2, 0.3, 0.45),
        (seed, n, threshold) => {
          const random = new Random(seed);
          const trees = Array.from({ length: 3 }, () => randomTree(n, random));
          const found = flatAnswer(vote(trees, [1, 1, 1], threshold)).constituents;
          for (const a of found) for (const b of found) expect(cross(a, b)).toBe(false);
          const all = trees.flatMap((tree) => flatAnswer(tree).constituents);
          const keys = [...new Map(all.map((one) => [`${one.label} ${one.start} ${one.end}`, one])).values()];
          if (keys.length > 10) return;
          // A phrase may be worth adding more than once.
          const gains = keys.map((one) => {
            const times = [...all.keys(), all.length].map((k) => gain(Array(k).fill(one), trees, threshold));
            return Math.max(...times);
          });
          let best = 0;
          for (let set = 0; set < 2 ** keys.length; set++) {
            const chosen = [...keys.keys()].filter((i) => (set >> i) & 1);
            if (chosen.some((a) => chosen.some((b) => cross(keys[a]!, keys[b]!)))) continue;
            best = Math.max(
              best,
              chosen.reduce((sum, i) => sum + gains[i]!, 0),
            );
          }
          expect(gain(found, trees, threshold)).toBeCloseTo(best, 9);
        },
      ),
      // In the example a tree has the same phrase nine times.
      { numRuns: 60, examples: [[-127405935, 2, 0.2]] },
    );
  });

  it('does not depend on the order of its members', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 7 }), (seed, n) => {
        const random = new Random(seed);
        const trees = Array.from({ length: 4 }, () => randomTree(n, random));
        const weights = [1.1, 1.1, 0.7, 2.9];
        const order = [...random.shuffle(Int32Array.of(0, 1, 2, 3))];
        const shuffled = vote(
          order.map((i) => trees[i]!),
          order.map((i) => weights[i]!),
        );
        expect(formatBrackets(shuffled)).toBe(formatBrackets(vote(trees, weights)));
      }),
    );
  });

  it('weights the votes for tags and for phrases', () => {
    const two = treesOf('(TOP (S (NP (NN a)) (VP (VB b))))');
    const one = treesOf('(TOP (FRAG (NN a) (NN b)))');
    expect(formatBrackets(vote([one, two, two]))).toBe(formatBrackets(two));
    expect(formatBrackets(vote([one, two, two], [3, 1, 1]))).toBe(formatBrackets(one));
  });

  it('learns weights and a threshold from gold trees', async () => {
    const gold = treesOf('(TOP (S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d)))))');
    const bad = treesOf('(TOP (S (NP (DT a)) (VP (NN b) (VB c)) (NP (NN d))))');
    const answers = [gold, bad].map(flatAnswer);
    const { weights, threshold } = await learnPhraseWeighting([{ gold, answers }]);
    expect(weights[0]).toBe(100);
    expect(weights[1]).toBeLessThan(100);
    expect(formatBrackets(votedTree({ answers }, { weights, threshold }))).toContain('(NP (DT a) (NN b))');
  });

  it.each([
    ['neither gold trees nor answers have phrases', '(TOP (NN a) (NN b))', '(TOP (NN a) (NN b))'],
    ['no phrase is right', '(TOP (S (NN a) (NN b)))', '(TOP (NP (NN a) (NN b)))'],
  ])('gives all members the same weight if %s', async (_, gold, answer) => {
    const answers = [answer, answer].map((text) => flatAnswer(treesOf(text)));
    const { weights, threshold } = await learnPhraseWeighting([{ gold: treesOf(gold), answers }]);
    expect(weights).toEqual([1, 1]);
    const whole = treesOf('(TOP (S (NP (NN a)) (VP (VB b))))');
    const voted = votedTree({ answers: [whole, whole].map(flatAnswer) }, { weights, threshold });
    expect(formatBrackets(voted)).toBe(formatBrackets(whole));
  });

  it('does not let two parsers with the same errors overrule a better one', async () => {
    const gold = treesOf('(TOP (S (NP (DT a) (NN b)) (VP (VB c) (NP (NN d)))))');
    const bad = treesOf('(TOP (S (DT a) (VP (NN b) (VB c)) (NP (NN d))))');
    const answers = [bad, gold, bad].map(flatAnswer);
    const weighting = await learnPhraseWeighting([{ gold, answers }]);
    expect(formatBrackets(vote([bad, gold, bad]))).toBe(formatBrackets(bad));
    expect(formatBrackets(votedTree({ answers }, weighting))).toBe(formatBrackets(gold));
  });
});
