import { describe, expect, test } from 'vitest';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { BestEpoch } from '../../src/training/training-state.ts';
import { modelBuffer } from '../support/model-buffer.ts';

const weights = (n: number) => [Float32Array.of(n, n / 3), Float32Array.of(-n)];

function offered(...scores: readonly (readonly [uas: number, las: number])[]): BestEpoch {
  const best = new BestEpoch();
  for (const [i, [uas, las]] of scores.entries()) best.offer(i + 1, { uas, las }, weights(i + 1));
  return best;
}

describe('the best epoch', () => {
  test('has the highest LAS; ties are decided by UAS, then by the earlier epoch', () => {
    expect(offered([90, 80], [91, 82], [95, 81]).scores).toEqual({ epoch: 2, uas: 91, las: 82 });
    expect(offered([90, 80], [91, 80], [91, 80]).scores).toEqual({ epoch: 2, uas: 91, las: 80 });
    expect(offered([90, 80], [91, 82], [95, 81]).weights).toEqual(weights(2));
  });

  test('has no scores if no epoch was offered', () => {
    expect(offered().scores).toBeUndefined();
  });

  test('keeps its scores even if its weights are not kept', () => {
    const best = new BestEpoch();
    best.offer(1, { uas: 90, las: 80 });
    expect(best.scores).toEqual({ epoch: 1, uas: 90, las: 80 });
    expect(best.kept).toBeUndefined();
    expect(offered([90, 80]).kept).toEqual(best.scores);
    const writer = new ModelWriter('checkpoint');
    best.save(writer);
    const restored = new BestEpoch();
    restored.restore(ModelReader.fromBuffer(modelBuffer(writer), 'checkpoint'));
    expect(restored).toEqual(best);
  });

  test('is the same after being saved and restored', () => {
    const best = offered([90, 80], [91, 82], [95, 81]);
    const writer = new ModelWriter('checkpoint');
    best.save(writer);
    const restored = new BestEpoch();
    restored.restore(ModelReader.fromBuffer(modelBuffer(writer), 'checkpoint'));
    expect(restored.scores).toEqual(best.scores);
    expect(restored.weights).toEqual(best.weights);
    restored.offer(4, { uas: 99, las: 82 }, weights(4));
    expect(restored.scores?.epoch).toBe(4);
  });
});
