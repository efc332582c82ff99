import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BackoffCounts, VALUES } from '../../../../parsers/constituency/lexicalized/backoff-counts.ts';
import { InputError } from '../../../../src/errors.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';

/** Three steps; there are contexts after the first, and after all of them. */
const LEVELS = [1, 3];

interface Event {
  readonly steps: readonly [number, number, number];
  readonly outcome: number;
}

const few = fc.integer({ min: 0, max: 2 });
const events: fc.Arbitrary<Event> = fc.record({ steps: fc.tuple(few, few, few), outcome: few });

function counted(all: readonly Event[]): BackoffCounts {
  const counts = new BackoffCounts(LEVELS);
  for (const { steps, outcome } of all) counts.add(Int32Array.from(steps), outcome);
  return counts;
}

/** Witten & Bell, literally: (count + kinds · wider) / (total + kinds). */
function expected(all: readonly Event[], { steps, outcome }: Event, levels: number): number {
  let probability = 1e-4;
  for (const level of LEVELS.slice(0, levels)) {
    const here = all.filter((one) => one.steps.slice(0, level).join() === steps.slice(0, level).join());
    if (here.length === 0) break;
    const kinds = new Set(here.map((one) => one.outcome)).size;
    const count = here.filter((one) => one.outcome === outcome).length;
    probability = (count + kinds * probability) / (here.length + kinds);
  }
  return probability;
}

function reread(counts: BackoffCounts): BackoffCounts {
  const writer = new ModelWriter();
  counts.save(writer, 'counts');
  return BackoffCounts.load(ModelReader.fromBuffer(modelBuffer(writer), 'x.model'), 'counts', LEVELS);
}

describe('counts in contexts', () => {
  test('are interpolated from the widest context to the narrowest, after they were saved, too', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), events, (all, asked) => {
        const counts = counted(all);
        const again = reread(counts);
        const steps = Int32Array.from(asked.steps);
        for (const levels of [1, 2]) {
          const probability = counts.probability(steps, asked.outcome, levels);
          expect(probability).toBeCloseTo(expected(all, asked, levels), 12);
          expect(again.probability(steps, asked.outcome, levels)).toBe(probability);
        }
        expect(counts.probability(steps, asked.outcome)).toBe(counts.probability(steps, asked.outcome, 2));
      }),
    );
  });

  test.each([
    ['a place before that there is not', [1, 5, 0]],
    ['a context that is counted itself', [0, 5, 3]],
    ['an outcome without a count', [0, VALUES, 0]],
    ['the same twice', [0, 5, 0, 0, 5, 0]],
    ['something after an outcome', [0, VALUES, 1, 1, 5, 0]],
    ['its end missing', [0, 5]],
  ])('are refused with %s', (_, numbers) => {
    const writer = new ModelWriter();
    writer.section('counts', Int32Array.from(numbers));
    const load = () =>
      BackoffCounts.load(ModelReader.fromBuffer(modelBuffer(writer), 'x.model'), 'counts', LEVELS);
    expect(load).toThrow(InputError);
    expect(load).toThrow(/section counts: /);
  });
});
