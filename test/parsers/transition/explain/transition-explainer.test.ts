import { describe, expect, test } from 'vitest';
import { trainParser } from '../../../../combine/train-parser.ts';
import type { TransitionParser } from '../../../../parsers/transition/transition-parser.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';
import { FirstSentences } from '../../../../src/treebank/treebanks.ts';
import { sampleText } from '../../../support/sample.ts';
import { inflected } from '../../../support/small-pipeline.ts';

/** Short sentences, two of them with crossing arcs. */
const dev = [13, 60, 12, 56].map((i) => readSentences(sampleText('dev'))[i]!);

async function trained(options: object): Promise<TransitionParser> {
  const treebank = new FirstSentences(inflected('train'), 20);
  const { parser } = await trainParser('transition', treebank, { options: { bits: 14, ...options } });
  return parser as TransitionParser;
}

describe.each([
  ['arc-eager, greedy', { epochs: 2, beam: 1 }],
  [
    'arc-standard from right to left, beam',
    { system: 'arc-standard', direction: 'right-to-left', beam: 4, epochs: 2 },
  ],
  ['arc-swap, support vector machines', { system: 'arc-swap', learner: 'svm' }],
])('the explanation of a transition parser (%s)', (_name, options) => {
  const parser = trained(options);

  test('has at most one token without its final head after the last step', async () => {
    for (const sentence of dev) {
      const { steps, tree } = (await parser).explain(sentence);
      const { heads } = steps.at(-1)!;
      const open = heads.filter((head, d) => d > 0 && head !== tree.heads[d]);
      expect(open.every((head) => head === -1)).toBe(true);
      expect(open.length).toBeLessThanOrEqual(1);
    }
  });

  test('gives the same feature of a template the same weight at every step', async () => {
    const weights = new Map<string, number>();
    for (const sentence of dev.slice(0, 2)) {
      const count = (await parser).explain(sentence).steps.length;
      for (let step = 1; step <= count; step++) {
        for (const { name, contributions } of (await parser).explain(sentence, { step }).decision!.action
          .alternatives) {
          for (const { template, feature, weight } of contributions) {
            const key = `${name}: ${template}: ${feature}`;
            expect(weight, key).toBe(weights.get(key) ?? weight);
            weights.set(key, weight);
          }
        }
      }
    }
    expect(weights.size).toBeGreaterThan(100);
  });
});

test('an explanation with a gold tree gives the oracle’s action until the gold tree is lost', async () => {
  const parser = await trained({ epochs: 2, beam: 1 });
  for (const sentence of dev) {
    const explained = parser.explain(sentence, { gold: sentence });
    const { steps, goldLostAt = Number.POSITIVE_INFINITY, isGoldBuildable } = explained;
    if (!isGoldBuildable) continue;
    steps.forEach(({ oracle, action, actions }, i) => {
      expect(oracle !== undefined).toBe(i < goldLostAt);
      if (i + 1 < goldLostAt) expect(oracle!.action).toBe(action);
      if (i + 1 === goldLostAt) expect(oracle!.action).not.toBe(action);
      // At least one permitted action loses nothing (Goldberg & Nivre 2012).
      if (i < goldLostAt) expect(Math.min(...actions.map(({ cost }) => cost!))).toBe(0);
    });
  }
});

test('the states of each beam come from the beam before, and one of them leads to the tree', async () => {
  const parser = await trained({ epochs: 2, beam: 4 });
  for (const sentence of dev) {
    const { steps, goldLostAt, isGoldBuildable } = parser.explain(sentence, { gold: sentence });
    steps.forEach(({ beam }, i) => {
      expect(beam!.length).toBeLessThanOrEqual(4);
      expect(beam!.filter(({ isBest }) => isBest)).toHaveLength(1);
      const hasGold = beam!.some(({ isGold }) => isGold);
      expect(hasGold).toBe(isGoldBuildable && (goldLostAt === undefined || i + 1 < goldLostAt));
      const { length } = i === 0 ? [0] : steps[i - 1].beam!;
      for (const { from } of beam!) expect(from).toBeLessThan(length);
    });
  }
});

test('an explanation tells if the system cannot build the gold tree; unknown steps are refused', async () => {
  const parser = await trained({ epochs: 2, beam: 1 });
  const crossing = { heads: Int32Array.of(-1, 0, 4, 1, 1), labels: ['', 'root', 'a', 'b', 'c'] };
  const [sentence] = readSentences(
    [1, 2, 3, 4]
      .map((d) => `${d}\tw${d}\t_\tNOUN\t_\t_\t${d - 1}\tdep\t_\t_\n`)
      .join('')
      .concat('\n'),
  );
  expect(parser.explain(sentence, { gold: crossing })).toMatchObject({ isGoldBuildable: false });
  expect(() => parser.explain(sentence, { step: 99 })).toThrow('there are the steps 1 to');
});
