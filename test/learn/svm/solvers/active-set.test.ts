import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../../src/learn/random.ts';
import { ActiveSet } from '../../../../src/learn/svm/solvers/solver.ts';

const COUNT = 4;
const CLASSES = 35;

const i = fc.integer({ min: 0, max: COUNT - 1 });
const c = fc.integer({ min: 0, max: CLASSES - 1 });
const actions = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('remove' as const), i, c }),
    fc.record({ kind: fc.constant('restore' as const), c }),
    fc.record({ kind: fc.constant('finish' as const), c }),
    fc.record({ kind: fc.constant('restoreAll' as const) }),
  ),
  { maxLength: 200 },
);

/** For each example, which classes it may have; undefined: all examples may have all classes. */
const allowances = fc.option(
  fc.array(fc.array(fc.boolean(), { minLength: CLASSES, maxLength: CLASSES }), {
    minLength: COUNT,
    maxLength: COUNT,
  }),
  { nil: undefined },
);

/** The same as bits, two words per example. */
function bitsOf(allowance: readonly (readonly boolean[])[] | undefined): Int32Array | undefined {
  if (allowance === undefined) return undefined;
  const bits = new Int32Array(2 * COUNT);
  for (const [example, classes] of allowance.entries()) {
    for (const [k, may] of classes.entries()) if (may) bits[2 * example + (k >> 5)] |= 1 << (k & 31);
  }
  return bits;
}

test('the active set lists exactly the allowed classes that are neither removed nor finished', () => {
  fc.assert(
    fc.property(allowances, actions, (allowance, steps) => {
      const set = new ActiveSet(COUNT, CLASSES, bitsOf(allowance));
      const removed = Array.from({ length: COUNT }, () => new Set<number>());
      const finished = new Set<number>();
      for (const step of steps) {
        if (step.kind === 'remove') {
          set.remove(step.i, step.c);
          removed[step.i].add(step.c);
        } else if (step.kind === 'restore') {
          set.restore(step.c);
          for (const classes of removed) classes.delete(step.c);
        } else if (step.kind === 'finish') {
          set.finish(step.c);
          finished.add(step.c);
        } else {
          set.restoreAll();
          for (const classes of removed) classes.clear();
        }
      }
      const listed = new Int32Array(CLASSES);
      removed.forEach((classes, example) => {
        const expected = Array.from({ length: CLASSES }, (_, k) => k).filter(
          (k) => allowance?.[example]?.[k] !== false && !classes.has(k) && !finished.has(k),
        );
        expect([...listed.subarray(0, set.list(example, listed))]).toEqual(expected);
      });
    }),
  );
});

test('an example that is taken out is not in the active set until a class is restored', () => {
  const set = new ActiveSet(COUNT, CLASSES);
  set.removeAt(1);
  set.shuffle(new Random(1));
  expect([...set.examples.subarray(0, set.size)].sort()).toEqual([0, 2, 3]);
  set.restore(3);
  expect([...set.examples.subarray(0, set.size)].sort()).toEqual([0, 1, 2, 3]);
});
