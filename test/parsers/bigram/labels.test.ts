import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabelKeys } from '../../../parsers/bigram/labels.ts';
import { labelNotation } from '../../../parsers/bigram/patterns.ts';
import { COUNT_CLASSES, holdOut, learnWeights, Phases } from '../../../parsers/bigram/training/held-out.ts';
import { LabelCounts, learnLabels } from '../../../parsers/bigram/training/learn-labels.ts';
import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import { LabelCandidates } from '../../../src/encoding/label-candidates.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';
import { sentence } from '../../support/sentences.ts';

const labels = ['x', 'y', 'z'];

/** One token in three keeps its random label; the others follow from the dependent's fine tag and the side. */
const sentences = fc.sample(smallSentences(1, 10), { numRuns: 45, seed: 2 }).map((one) => {
  const rule = (d: number) => labels[(one.xpos[d].length + (one.heads[d] < d ? 1 : 0)) % labels.length];
  return { ...one, labels: one.labels.map((label, d) => (d % 3 === 0 ? label : rule(d))) };
});
const columns: EncodedColumn[] = ['form', 'upos', 'xpos'];
const { encoder } = encoded(sentences[0], columns);
const examples = sentences.map((one) => ({
  ...encoder.learn(one),
  heads: one.heads,
  labels: Int32Array.from(one.labels, (label) => labels.indexOf(label)),
}));
const patterns = labelNotation.patterns(
  ['hp dp', 'hp hx dp dx < hp dp', 'hp hx dp dx distance < hp hx dp dx'],
  { names: columns, tags: ['upos', 'xpos'], isFilled: () => true },
);
const punctuation = new Uint8Array(encoder.vocabulary(0).size);
const parts = { tag: 1, form: 0, tagCount: encoder.vocabulary(1).size, punctuation };
const keys = () => new LabelKeys(patterns, parts);
const phases = () => new Phases({ seed: 1, jobs: 1 }, 1, 1);

const candidates = LabelCandidates.over('upos', encoder, labels.length);
for (const example of examples) {
  for (let d = 1; d <= example.length; d++) candidates.add(example, example.heads[d], d, example.labels[d]);
}

/** What the patterns read of an arc, as strings. */
function read({ upos, xpos }: Sentence, h: number, d: number): string[] {
  const side = h < d ? 'right' : 'left';
  const length = Math.abs(h - d);
  const fine = `${upos[h]} ${xpos[h]} ${upos[d]} ${xpos[d]} ${side}`;
  return [
    `${upos[h]} ${upos[d]} ${side}`,
    fine,
    `${fine} ${length === 1 ? 'neighbours' : length < 4 ? 'near' : 'far'}`,
  ];
}

/** The gain of a label by each pattern, from the coarsest on, computed plainly from arcs of known sentences. */
function literalGains(known: readonly Sentence[]) {
  const arcs = new Map<string, number>();
  const raise = (key: string) => arcs.set(key, (arcs.get(key) ?? 0) + 1);
  for (const one of known) {
    for (let d = 1; d <= one.length; d++) {
      for (const [k, key] of read(one, one.heads[d], d).entries()) {
        raise(`${k} ${key}`);
        raise(`${k} ${key} ${one.labels[d]}`);
      }
    }
  }
  return (one: Sentence, h: number, d: number, label: string) => {
    let coarser = 1 / labels.length;
    return read(one, h, d).map((key, k) => {
      const all = arcs.get(`${k} ${key}`) ?? 0;
      const own = arcs.get(`${k} ${key} ${label}`) ?? 0;
      const gain = Math.log(1 + own / (2 * coarser));
      coarser = (own + 2 * coarser) / (all + 2);
      return { gain, countClass: [2, 4, 12, 60].filter((least) => all >= least).length };
    });
  };
}

describe('labels of the bigram parser', () => {
  test('have gains in held-out sentences that come from the arcs of the other blocks', async () => {
    const counts = new LabelCounts(keys(), labels.length, candidates);
    for (const example of examples) counts.change(example, 1);
    const { gains, classes, first, gold } = await holdOut(counts, patterns.length, examples, phases());
    let [choice, at] = [0, 0];
    sentences.forEach((one, s) => {
      const say = literalGains(sentences.filter((_, i) => Math.floor(i / 20) !== Math.floor(s / 20)));
      for (let d = 1; d <= one.length; d++) {
        const among = [...candidates.of(examples[s], one.heads[d], d)].map((label) => labels[label]);
        expect(gold[choice] - first[choice]).toBe(among.indexOf(one.labels[d]));
        choice++;
        for (const expected of among.flatMap((label) => say(one, one.heads[d], d, label))) {
          expect(gains[at]).toBeCloseTo(expected.gain, 5);
          expect(classes[at]).toBe(expected.countClass);
          at++;
        }
      }
    });
    expect(gains).toHaveLength(at);
  });

  test('are those with the highest weighted sum of gains', async () => {
    const counts = new LabelCounts(keys(), labels.length, candidates);
    for (const example of examples) counts.change(example, 1);
    const heldOut = await holdOut(counts, patterns.length, examples, phases());
    const weights = await learnWeights(heldOut, 7, phases());
    const learnt = await learnLabels(keys(), { candidates, labels }, examples, 7, phases());
    const say = literalGains(sentences);
    sentences.forEach((one, s) => {
      // The training tree, and another one: a chain.
      for (const heads of [one.heads, one.heads.map((_, d) => d - 1)]) {
        const found = new Int32Array(one.length + 1);
        learnt.find(examples[s], heads, found);
        for (let d = 1; d <= one.length; d++) {
          const scores = Array.from(candidates.of(examples[s], heads[d], d), (label) => ({
            label,
            score: say(one, heads[d], d, labels[label]).reduce(
              (sum, { gain, countClass }, k) => sum + weights[k * COUNT_CLASSES + countClass] * gain,
              0,
            ),
          }));
          const best = Math.max(...scores.map(({ score }) => score));
          const chosen = scores.find(({ label }) => label === found[d]);
          // The gain of each pattern is quantized in steps of 1/4096.
          expect(chosen?.score).toBeGreaterThan(best - 1e-3);
        }
      }
    });
  });

  test('are the first of all labels for arcs between unseen tags', async () => {
    const learnt = await learnLabels(keys(), { candidates, labels }, examples, 7, phases());
    const found = Int32Array.of(9, 9, 9);
    const strange = sentence('a b', '2 0', { upos: 'Q R', xpos: 'q r' });
    learnt.find(encoder.encode(strange), strange.heads, found);
    expect([...found.subarray(1)]).toEqual([0, 0]);
  });
});
