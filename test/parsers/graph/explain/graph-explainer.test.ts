import { describe, expect, test } from 'vitest';
import { trainParser } from '../../../../combine/train-parser.ts';
import type { GraphParser } from '../../../../parsers/graph/graph-parser.ts';
import { explanationSchema } from '../../../../src/explain/explanation.ts';
import type { Alternative } from '../../../../src/explain/shared.ts';
import { readSentences } from '../../../../src/treebank/reading/treebank-file.ts';
import { FirstSentences } from '../../../../src/treebank/treebanks.ts';
import { sampleText } from '../../../support/sample.ts';
import { inflected } from '../../../support/small-pipeline.ts';

const small = { epochs: 1, bits: 14 };
/** Short sentences, two of them with crossing arcs. */
const dev = [13, 60, 12, 56].map((i) => readSentences(sampleText('dev'))[i]!);

const known = new Map<string, Promise<GraphParser>>();

/** A small parser with these options, which is trained only once. */
function trained(options: object): Promise<GraphParser> {
  const key = JSON.stringify(options);
  const parser = known.get(key) ?? train(options);
  known.set(key, parser);
  return parser;
}

async function train(options: object): Promise<GraphParser> {
  const treebank = new FirstSentences(inflected('train'), 25);
  const { parser } = await trainParser('graph', treebank, { options: { ...small, ...options } });
  return parser as GraphParser;
}

const sumOf = ({ contributions }: Alternative) => contributions.reduce((sum, { weight }) => sum + weight, 0);

describe.each([
  ['first order', {}],
  ['first order, projective', { decoder: 'eisner' }],
  ['first order, matrix power', { decoder: 'matrix-power', distance: 'exact' }],
  ['second order', { order: 2 }],
  ['third order, projective', { order: 3, decoder: 'eisner', templates: ['mcdonald'] }],
])('a graph parser (%s)', (_name, options) => {
  test('explains the tree that it finds, with its own scores and with marginals', async () => {
    const parser = await trained(options);
    for (const sentence of dev) {
      const explained = parser.explain(sentence, { gold: sentence });
      expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
      const { heads, labels } = parser.parse(sentence);
      expect(explained.tree).toEqual({ heads: [...heads], labels: [...labels] });
      const n = sentence.length;
      const scores = parser.scores(sentence);
      for (let h = 0; h <= n; h++) {
        for (let d = 1; d <= n; d++)
          if (d !== h) expect(explained.scores[h][d]).toBe(scores[h * (n + 1) + d]);
      }
      for (let d = 1; d <= n; d++) {
        const sum = explained.marginals.reduce((total, row) => total + (row[d] ?? 0), 0);
        expect(sum).toBeCloseTo(1, 4);
      }
    }
  });

  test('gives contributions to head and label that add up to the scores of both alternatives', async () => {
    const parser = await trained(options);
    for (const sentence of dev.slice(0, 2)) {
      for (let d = 1; d <= sentence.length; d++) {
        const { arc, arcs, order, scores, parts, treeScore } = parser.explain(sentence, { arc: d });
        const { head, label } = arc!;
        for (const alternative of [...head.alternatives, ...label.alternatives]) {
          expect(sumOf(alternative)).toBe(alternative.score);
        }
        const [chosen, other] = head.alternatives;
        const own = arcs[d - 1];
        expect(head.margin).toBe(own.margin);
        if (order === 1) {
          expect(chosen.score).toBe(scores[own.head][d]);
          expect(other.score).toBe(scores[own.runnerUp!][d]);
        } else {
          expect(parts!.reduce((sum, { score }) => sum + score, 0)).toBe(treeScore);
        }
        expect(label.alternatives[0].name).toBe(own.label);
      }
    }
  });
});

test('the same feature of a template has the same weight wherever it occurs', async () => {
  const parser = await trained({ tag: 'both' });
  const weights = new Map<string, number>();
  for (const sentence of dev) {
    for (let d = 1; d <= sentence.length; d++) {
      for (const { contributions } of parser.explain(sentence, { arc: d }).arc!.head.alternatives) {
        for (const { template, feature, weight } of contributions) {
          const key = `${template}: ${feature}`;
          expect(weight, key).toBe(weights.get(key) ?? weight);
          weights.set(key, weight);
        }
      }
    }
  }
  expect(weights.size).toBeGreaterThan(1000);
});

test('an explanation with a gold tree compares a wrong head with the right one', async () => {
  const parser = await trained({});
  const wrong = dev.flatMap((sentence) => {
    const { heads } = parser.parse(sentence);
    return [...heads.keys()]
      .filter((d) => d > 0 && heads[d] !== sentence.heads[d])
      .map((d) => ({ sentence, d }));
  });
  expect(wrong.length).toBeGreaterThan(0);
  const [{ sentence, d }] = wrong;
  const { arc, scores } = parser.explain(sentence, { arc: d, gold: sentence });
  expect(arc!.head.against).toBe('gold');
  expect(arc!.head.alternatives[1].score).toBe(scores[sentence.heads[d]][d]);
});

test('the search ends with the score of the tree', async () => {
  const cle = (await trained({})).explain(dev[1]);
  if (cle.search?.algorithm !== 'chu-liu-edmonds') throw new Error('another search');
  const gain = cle.search.rounds.at(-1)!.choices.reduce((sum, one) => sum + one.gain, 0);
  if (cle.search.rounds.length === 1) expect(gain).toBe(cle.treeScore);
  const eisner = (await trained({ decoder: 'eisner', singleRoot: false })).explain(dev[1]);
  if (eisner.search?.algorithm !== 'eisner') throw new Error('another search');
  expect(eisner.search.spans.at(-1)!.score).toBe(eisner.treeScore);
});

test('unknown arcs, steps, and sentences parsed in chunks are refused', async () => {
  const parser = await trained({ maxLength: 20 });
  expect(() => parser.explain(dev[0], { arc: 99 })).toThrow(
    `the sentence has the tokens 1 to ${dev[0].length}`,
  );
  expect(() => parser.explain(dev[0], { step: 1 })).toThrow('this parser has no steps');
  const long = readSentences(sampleText('train')).find(({ length }) => length > 20)!;
  expect(() => parser.explain(long)).toThrow('only sentences parsed in one piece can be explained');
});
