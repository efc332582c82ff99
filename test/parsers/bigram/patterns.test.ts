import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ArcFeatureValues } from '../../../parsers/bigram/interpolated.ts';
import { arcPatterns, labelPatterns } from '../../../parsers/bigram/options.ts';
import {
  arcNotation,
  labelNotation,
  type PatternColumns,
  PatternKeys,
} from '../../../parsers/bigram/patterns.ts';
import {
  ChoiceCollector,
  COUNT_CLASSES,
  holdOut,
  learnWeights,
  Phases,
} from '../../../parsers/bigram/training/held-out.ts';
import { PatternCounts, Row } from '../../../parsers/bigram/training/learn-arcs.ts';
import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';

const columns: PatternColumns = {
  names: ['form', 'lemma', 'upos', 'xpos', 'feats'],
  tags: ['upos', 'xpos'],
  isFilled: () => true,
};

describe.each([
  { kind: 'arcs', patterns: arcNotation.patterns(arcPatterns, columns) },
  { kind: 'labels', patterns: labelNotation.patterns(labelPatterns, columns) },
])('patterns of $kind', ({ patterns }) => {
  test('a pattern comes after its backoff and contains all fields of it', () => {
    patterns.forEach(({ fields, backoff }, k) => {
      expect(backoff).toBeLessThan(k);
      if (backoff !== -1) expect(fields).toEqual(expect.arrayContaining([...patterns[backoff].fields]));
    });
  });

  test('the backoff of a pattern has the same feature of the arc, or only the direction', () => {
    for (const { feature, backoff } of patterns) {
      if (backoff !== -1) expect([feature, 'direction']).toContain(patterns[backoff].feature);
    }
  });
});

test('patterns that become equal without fine tags, lemmas and features are merged', () => {
  const patterns = arcNotation.patterns(arcPatterns, {
    ...columns,
    tags: ['upos'],
    isFilled: (name) => name !== 'lemma' && name !== 'feats',
  });
  const contents = patterns.map(({ fields, feature }) => JSON.stringify([fields, feature]));
  expect(new Set(contents).size).toBe(patterns.length);
  expect(patterns.length).toBeLessThan(arcPatterns.length);
  for (const { backoff } of patterns.slice(1)) expect(backoff).toBeGreaterThanOrEqual(0);
});

async function counted(
  sentences: readonly Sentence[],
): Promise<{ counts: PatternCounts; examples: Example[] }> {
  const names: EncodedColumn[] = ['form', 'upos'];
  const { encoder } = encoded(sentences[0], names);
  const examples = sentences.map((one) => ({
    ...encoder.learn(one),
    heads: one.heads,
    labels: new Int32Array(one.length + 1),
  }));
  const tag = { tag: 1, form: 0, tagCount: encoder.vocabulary(1).size };
  const punctuation = new Uint8Array(encoder.vocabulary(0).size);
  const patterns = arcNotation.patterns(['hp dp'], { ...columns, names, tags: ['upos'] });
  const keys = new PatternKeys(patterns, (most) => new ArcFeatureValues({ ...tag, punctuation }, most));
  return { counts: await PatternCounts.of(keys, examples, phases()), examples };
}

/** Counts of tag pairs and of their arcs, by direction; pairs seen once and never as an arc are left out. */
function literalCounts(sentences: readonly Sentence[]): string[] {
  const counts = new Map<string, [pairs: number, arcs: number]>();
  for (const { length, upos, heads } of sentences) {
    for (let d = 1; d <= length; d++) {
      for (let h = 0; h <= length; h++) {
        if (h === d) continue;
        const key = `${upos[h]} ${upos[d]} ${h < d}`;
        const [pairs, arcs] = counts.get(key) ?? [0, 0];
        counts.set(key, [pairs + 1, arcs + (heads[d] === h ? 1 : 0)]);
      }
    }
  }
  return [...counts.values()].filter(([pairs, arcs]) => pairs > 1 || arcs > 0).map(String);
}

function rowsOf(counts: PatternCounts): string[] {
  const { rows } = counts.tables[0];
  const numbers: string[] = [];
  for (let at = 0; at < rows.length; at += Row.width) {
    if (rows[at] !== 0) numbers.push(`${counts.pairs(rows, at)},${counts.arcs(rows, at)}`);
  }
  return numbers;
}

const treebanks = fc.array(smallSentences(1, 6), { minLength: 1, maxLength: 5 });

test('counts of pairs and arcs equal a reference, which leaves out pairs seen once and never as an arc', async () => {
  await fc.assert(
    fc.asyncProperty(treebanks, async (sentences) => {
      const { counts } = await counted(sentences);
      expect(rowsOf(counts).sort()).toEqual(literalCounts(sentences).sort());
    }),
    { numRuns: 30 },
  );
});

const phases = () => new Phases({ seed: 1, jobs: 1 }, 1, 1);

test('holding data out leaves the counts unchanged, and considers every head of every token', async () => {
  await fc.assert(
    fc.asyncProperty(treebanks, async (sentences) => {
      const { counts, examples } = await counted(sentences);
      const before = rowsOf(counts);
      const { first, gold } = await holdOut(counts, 1, examples, phases());
      expect(rowsOf(counts)).toEqual(before);
      const tokens = sentences.flatMap((one) => [...one.heads.keys()].slice(1).map((d) => ({ one, d })));
      expect([...gold].map((at, i) => at - first[i])).toEqual(
        tokens.map(({ one: { heads }, d }) => (heads[d] < d ? heads[d] : heads[d] - 1)),
      );
      expect([...first].slice(1).map((at, i) => at - first[i])).toEqual(tokens.map(({ one }) => one.length));
    }),
    { numRuns: 20 },
  );
});

test('a pattern that favours the right choice gets more weight than one that opposes it', async () => {
  const choices = 200;
  const gains = Float32Array.from({ length: choices * 4 }, (_, i) => [1, -1, 0, 0][i % 4]);
  const weights = await learnWeights(
    {
      patterns: 2,
      gains,
      classes: new Uint8Array(gains.length),
      first: Int32Array.from({ length: choices + 1 }, (_, i) => 2 * i),
      // In nine of ten choices, the right candidate is the one that the first pattern favours.
      gold: Int32Array.from({ length: choices }, (_, i) => 2 * i + (i % 10 === 0 ? 1 : 0)),
    },
    1,
    phases(),
  );
  const difference = weights[0] - weights[COUNT_CLASSES];
  // The likelihood is highest if the log odds of the two candidates equal the log odds of their shares.
  expect(difference).toBeCloseTo(Math.log(9), 0);
});

test('choices are collected until one does not fit; smaller ones after it are left out, too', () => {
  const collector = new ChoiceCollector(1);
  const most = 799_999;
  collector.add(new Float32Array(most), new Uint8Array(most), most, 5);
  expect(collector.isFull).toBe(false);
  collector.add(new Float32Array(2), new Uint8Array(2), 2, 0);
  collector.add(new Float32Array(1), new Uint8Array(1), 1, 0);
  expect(collector.isFull).toBe(true);
  const { first, gold, gains } = collector.collected();
  expect({ first: [...first], gold: [...gold] }).toEqual({ first: [0, most], gold: [5] });
  expect(gains).toHaveLength(most);
});
