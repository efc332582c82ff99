import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { withConfidences } from '../../../src/treebank/columns/confidence.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const forms = 'a b c d e f g h i j';
const gold = sentence(forms, '0 1 1 1 1 1 1 1 1 1');

/** Heads that are right where there is a 1, with these confidences. */
function parsed(right: string, confidences: string): Sentence {
  const heads = [...right].map((one, i) => (one === '1' ? gold.heads[i + 1] : i === 1 ? 3 : 2));
  const found = sentence(forms, heads.join(' '));
  const figures = Float64Array.from([0, ...confidences.split(' ').map(Number)]);
  return { ...found, misc: withConfidences(found.misc, { arcs: figures }) };
}

async function reliabilityOf(predicted: Sentence) {
  const report = await evaluate(treebank('gold', gold), treebank('parsed', predicted), { confidence: true });
  return report.reliability;
}

describe('reliability', () => {
  test('is the share of right heads beside the mean confidence, in bins of a tenth', async () => {
    const { bins, arcs } = (await reliabilityOf(
      parsed('1111100011', '0.95 0.95 0.95 0.95 1 0.25 0.25 0.25 0.21 0.24'),
    ))!;
    expect(arcs).toBe(10);
    expect(bins).toHaveLength(10);
    expect(bins[9]).toEqual({ bucket: '0.9-1.0', arcs: 5, confidence: 96, uas: 100 });
    expect(bins[2]).toMatchObject({ bucket: '0.2-0.3', arcs: 5, uas: 40 });
    expect(bins[2].confidence).toBeCloseTo(24, 10);
    expect(bins[5]).toEqual({ bucket: '0.5-0.6', arcs: 0, confidence: Number.NaN, uas: Number.NaN });
  });

  test('has as its error the mean difference of the two, weighted by the arcs of each bin', async () => {
    const predicted = parsed('1111111001', '0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.5 0.5');
    // 8 arcs at 90 of which 7 are right, 2 at 50 of which 1 is.
    expect((await reliabilityOf(predicted))!.calibrationError).toBeCloseTo((8 * 2.5 + 2 * 0) / 10, 10);
  });

  test('has UAS without the least confident tenth; of equal ones, right and wrong arcs are left out alike', async () => {
    const clear = (await reliabilityOf(parsed('0111111111', '0.1 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9')))!;
    expect([clear.uas, clear.uasWithoutLeast]).toEqual([90, 100]);
    const equal = (await reliabilityOf(parsed('0111111111', Array(10).fill('0.7').join(' '))))!;
    expect(equal.uasWithoutLeast).toBeCloseTo(90, 10);
  });

  test('counts only arcs with a confidence, and is undefined without any or without the option', async () => {
    const some = parsed('1111111111', Array(10).fill('0.7').join(' '));
    const misc = some.misc.map((text, d) => (d > 4 ? '_' : text));
    expect((await reliabilityOf({ ...some, misc }))!.arcs).toBe(4);
    expect(await reliabilityOf(sentence(forms, '0 1 1 1 1 1 1 1 1 1'))).toBeUndefined();
    expect((await evaluate(treebank('gold', gold), treebank('parsed', some))).reliability).toBeUndefined();
  });
});
