import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClassifierSet } from '../../../../parsers/yamada-matsumoto/classifiers/classifier.ts';
import {
  classifierTasks,
  knownFeatures,
  SplitExamples,
} from '../../../../parsers/yamada-matsumoto/classifiers/classifier-training.ts';
import { FeatureSet } from '../../../../parsers/yamada-matsumoto/features.ts';
import { trainClassifiers } from '../../../../parsers/yamada-matsumoto/paradigm.ts';
import { type SvmMulticlass, svmMulticlass } from '../../../../src/learn/svm/multiclass.ts';

/** Features are pairs of a slot (0…4) and a value (1…7). */
const slots = [8, 8, 8, 8, 8];

function featureSet(values: readonly number[]): FeatureSet {
  const set = new FeatureSet(slots);
  set.clear();
  values.forEach((value, slot) => {
    set.add(slot, value);
  });
  return set;
}

/** An example: its tag, its class, and a value in each slot (0: none). */
type Row = readonly [tag: number, target: number, ...values: number[]];

async function classifiers(
  rows: readonly Row[],
  degree: 1 | 2 | 3 = 2,
  multiclass: SvmMulticlass = 'one-vs-rest',
): Promise<ClassifierSet> {
  const split = new SplitExamples();
  for (const [tag, target, ...values] of rows) split.add(tag, featureSet(values), target);
  const parts = split.finish();
  const tasks = classifierTasks(parts, { degree, multiclass, bits: 14, cost: 1, seed: 1 });
  const weights = await trainClassifiers(tasks, { jobs: 1 }, () => undefined);
  const data = parts.map(({ tag, classes, examples }, m) => ({
    tag,
    examples: examples.count,
    classes,
    bits: tasks[m]!.bits,
    weights: weights[m]!,
    known: knownFeatures(examples, featureSet([]).size),
  }));
  return new ClassifierSet(data, { degree, multiclass }, 4);
}

const all = Int32Array.of(0, 1, 2, 3);

describe('classifiers', () => {
  test('learn classes that depend on pairs of features with degree 2 or 3, but not with degree 1', async () => {
    const exclusiveOr: Row[] = [
      [5, 0, 1, 1],
      [5, 1, 1, 2],
      [5, 1, 2, 1],
      [5, 0, 2, 2],
    ];
    const answers = async (degree: 1 | 2 | 3) => {
      const set = await classifiers(exclusiveOr, degree);
      return exclusiveOr.map(([tag, , ...values]) => set.best(tag, featureSet(values), all));
    };
    expect(await answers(2)).toEqual([0, 1, 1, 0]);
    expect(await answers(3)).toEqual([0, 1, 1, 0]);
    expect(await answers(1)).not.toEqual([0, 1, 1, 0]);
  });

  test.each(svmMulticlass)('distinguish several classes: %s', async (multiclass) => {
    const rows: Row[] = [
      [5, 0, 1, 1],
      [5, 1, 1, 2],
      [5, 2, 2, 1],
      [5, 0, 2, 2],
      [5, 3, 3, 1],
    ];
    const set = await classifiers(rows, 2, multiclass);
    const answers = rows.map(([tag, , ...values]) => set.best(tag, featureSet(values), all));
    expect(answers).toEqual([0, 1, 2, 0, 3]);
    for (const [tag, target, ...values] of rows) {
      const set2 = featureSet(values);
      expect(set.best(tag, set2, Int32Array.of(target, 4))).toBe(target);
      const rival = set.best(
        tag,
        set2,
        all.filter((one) => one !== target),
      );
      const own = set.best(tag, set2, all);
      expect(own).toBe(target);
      expect(set.probabilityOf(tag, target, 1e-3)).toBeGreaterThan(set.probabilityOf(tag, rival, 1e-3));
    }
  });

  test('give a choice by vote the confidence 0.5', async () => {
    const rows: Row[] = [
      [5, 0, 1],
      [6, 1, 2],
      [6, 2, 3],
    ];
    const set = await classifiers(rows, 2);
    const candidates = Int32Array.of(1, 2);
    for (const tag of [5, 9]) {
      const chosen = set.best(tag, featureSet([2]), candidates);
      expect([chosen, set.probabilityOf(tag, chosen, 1e-3)]).toEqual([1, 0.5]);
    }
  });

  test('of the pairwise kind explain a choice between two classes by the machine of that pair', async () => {
    const set = await classifiers(
      [
        [5, 0, 1],
        [5, 1, 2],
        [5, 3, 3],
      ],
      2,
      'pairwise',
    );
    const example = featureSet([2]);
    const decider = set.deciderOf(5, example, all)!;
    const sum = (one: number, rival?: number) =>
      decider.sharesIn(example, one, rival).reduce((total, { share }) => total + share, 0);
    expect(sum(1, 0)).toBeGreaterThan(0);
    expect(sum(0, 1)).toBe(-sum(1, 0));
    expect(sum(1, 3)).toBeGreaterThan(0);
    expect(sum(1)).toBe(0);
    const scores = decider.scoresAmong(example, all).map(({ target, score }) => [target, Math.round(score!)]);
    expect(scores).toContainEqual([1, 2]);
  });

  test('are chosen by the tag: the same features may give another class for another tag', async () => {
    const set = await classifiers([
      [5, 0, 1],
      [5, 1, 2],
      [6, 1, 1],
      [6, 0, 2],
    ]);
    expect(set.best(5, featureSet([1]), all)).toBe(0);
    expect(set.best(6, featureSet([1]), all)).toBe(1);
  });

  test('choose only among the allowed classes', async () => {
    const set = await classifiers([
      [5, 0, 1],
      [5, 1, 2],
      [5, 3, 3],
    ]);
    expect(set.best(5, featureSet([1]), all)).toBe(0);
    expect([1, 3]).toContain(set.best(5, featureSet([1]), Int32Array.of(1, 2, 3)));
    expect(set.best(5, featureSet([1]), Int32Array.of(2, 3))).toBe(3);
  });

  test('give the only class of a tag that was seen with one class', async () => {
    const set = await classifiers([
      [5, 2, 1],
      [5, 2, 2],
      [6, 0, 1],
      [6, 1, 2],
    ]);
    expect(set.best(5, featureSet([7]), all)).toBe(2);
  });

  test('vote on an unseen tag, each weighted by its number of examples', async () => {
    const set = await classifiers([
      [5, 1, 1],
      [5, 0, 2],
      [6, 3, 1],
      [6, 3, 1],
      [6, 3, 2],
      [7, 1, 1],
      [7, 0, 2],
    ]);
    expect(set.best(9, featureSet([1]), all)).toBe(1);
    expect(set.best(9, featureSet([2]), all)).toBe(0);
    expect(set.best(9, featureSet([1]), Int32Array.of(2, 3))).toBe(3);
  });

  test('also vote if a tag was not seen with any allowed class', async () => {
    const set = await classifiers([
      [5, 0, 1],
      [6, 1, 1],
      [6, 2, 2],
    ]);
    expect(set.best(5, featureSet([2]), Int32Array.of(1, 2))).toBe(2);
  });

  test('without any examples give the first allowed class', async () => {
    expect((await classifiers([])).best(5, featureSet([1]), Int32Array.of(2, 3))).toBe(2);
  });

  test('ignore features that none of their examples had', async () => {
    const values = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
    const row = fc.tuple(fc.integer({ min: 0, max: 2 }), values).map(([target, v]): Row => [5, target, ...v]);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 12 }), values, async (rows, asked) => {
        const set = await classifiers(rows);
        const more = featureSet([...asked, 4, 7]);
        expect(set.best(5, more, all)).toBe(set.best(5, featureSet(asked), all));
      }),
      { numRuns: 50 },
    );
  });
});

test('each classifier gets weights in proportion to the feature subsets of its examples', () => {
  const split = new SplitExamples();
  for (let i = 0; i < 96; i++) split.add(5, featureSet([1, 2, 3]), i % 3);
  for (let i = 0; i < 32; i++) split.add(6, featureSet([1, 2, 3]), i % 2);
  for (let i = 0; i < 16; i++) split.add(7, featureSet([1]), 0);
  const machines = { degree: 2, multiclass: 'one-vs-rest' } as const;
  const tasks = classifierTasks(split.finish(), { ...machines, bits: 20, cost: 1, seed: 1 });
  expect(tasks.map(({ bits, classes }) => [bits, classes])).toEqual([
    [20, 3],
    [18, 2],
    [15, 1],
  ]);
});
