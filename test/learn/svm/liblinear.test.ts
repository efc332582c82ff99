import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  type LiblinearModel,
  type LiblinearSolver,
  readLiblinearModel,
  writeLiblinearModel,
} from '../../../src/learn/svm/liblinear-model.ts';
import { writeProblem } from '../../../src/learn/svm/liblinear-problem.ts';
import { predict } from '../../../src/learn/svm/linear-model.ts';
import { trainLinearSvm } from '../../../src/learn/svm/train.ts';
import { madeUpExamples } from '../../support/classification.ts';
import { needs } from '../../support/needs.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('liblinear');
/** Without the program, the tests compare only with its recorded results. */
const needsLiblinear = needs('liblinear-train');

interface Case {
  readonly solver: 1 | 3 | 4;
  readonly classes: number;
  readonly cost: number;
  readonly bias?: number;
  readonly values?: boolean;
  /** What LIBLINEAR 2.3.0 found: `liblinear-train -s SOLVER -c COST -e 0.0001 [-B BIAS]`, summed over problems. */
  readonly objective: number;
}

const cases: readonly Case[] = [
  { solver: 1, classes: 4, cost: 1, objective: -1121.58 },
  { solver: 1, classes: 4, cost: 0.1, bias: 1, objective: -143.181 },
  { solver: 1, classes: 2, cost: 0.5, bias: 2, values: true, objective: -399.903 },
  { solver: 3, classes: 4, cost: 0.1, objective: -147.451 },
  { solver: 3, classes: 4, cost: 1, values: true, objective: -2817.141 },
  { solver: 3, classes: 2, cost: 0.1, bias: 1, objective: -43.605 },
  { solver: 4, classes: 4, cost: 0.1, objective: -58.567 },
  { solver: 4, classes: 40, cost: 1, bias: 1, objective: -122.889 },
  { solver: 4, classes: 2, cost: 1, values: true, objective: -693.862 },
];

const solvers: Readonly<Record<Case['solver'], LiblinearSolver>> = {
  1: { multiclass: 'one-vs-rest', loss: 'l2' },
  3: { multiclass: 'one-vs-rest', loss: 'l1' },
  4: { multiclass: 'crammer-singer', loss: 'l1' },
};

/** The made-up problem numbers its classes by first appearance, so label c + 1 is class c. */
function problemOf({ classes, values = false }: Case) {
  const shape = { seed: 5, count: 1000, size: 200, active: 12, classes, values };
  const labels = Array.from({ length: classes }, (_, c) => c + 1);
  return { shape, examples: madeUpExamples(shape), labels };
}

/** Trains as LIBLINEAR does, which has only one problem for two classes: its objective is half of ours. */
async function train(one: Case) {
  const { shape, examples, labels } = problemOf(one);
  const { classes, cost, bias, solver } = one;
  const options = {
    classes,
    cost,
    bias,
    size: shape.size,
    epsilon: 1e-4,
    maxPasses: 1e5,
    ...solvers[solver],
  };
  const model = await trainLinearSvm(examples, options);
  const objective = classes === 2 && solver !== 4 ? model.objective / 2 : model.objective;
  return { examples, labels, model, objective };
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Trains with the real program; gives its objective. */
async function realObjective(one: Case, problem: string, model: string): Promise<number> {
  const { examples, labels } = problemOf(one);
  await writeProblem(problem, examples, labels);
  const { solver, cost, bias = -1 } = one;
  const options = ['-s', solver, '-c', cost, '-e', 0.0001, '-B', bias].map(String);
  const output = run('liblinear-train', [...options, problem, model]);
  const objectives = [...output.matchAll(/Objective value = (\S+)/g)].map(([, value]) => Number(value));
  return objectives.reduce((sum, value) => sum + value, 0);
}

function realPredictions(problem: string, model: string): number[] {
  const output = sandbox.path('predictions');
  run('liblinear-predict', [problem, model, output]);
  return sandbox.read('predictions').trim().split('\n').map(Number);
}

function labelsOf(model: LiblinearModel, one: Case): number[] {
  return Array.from(predict(model.model, problemOf(one).examples), (c) => model.labels[c]!);
}

describe.each(cases)('solver $solver, $classes classes, cost $cost, bias $bias', (one) => {
  test('reaches the objective that LIBLINEAR reached', async () => {
    const { objective } = await train(one);
    expect(Math.abs(objective / one.objective - 1)).toBeLessThan(1e-3);
  });

  needsLiblinear.test('reaches the objective that the installed LIBLINEAR reaches', async () => {
    const { objective } = await train(one);
    const real = await realObjective(one, sandbox.path('problem'), sandbox.path('model'));
    expect(Math.abs(objective / real - 1)).toBeLessThan(1e-3);
  });

  needsLiblinear.test('predicts the same as LIBLINEAR with a model of LIBLINEAR', async () => {
    const [problem, path] = [sandbox.path('problem'), sandbox.path('model')];
    await realObjective(one, problem, path);
    expect(labelsOf(await readLiblinearModel(path), one)).toEqual(realPredictions(problem, path));
  });

  needsLiblinear.test('writes models with which LIBLINEAR predicts the same', async () => {
    const { model, examples, labels } = await train(one);
    const [problem, path] = [sandbox.path('problem'), sandbox.path('model')];
    await writeProblem(problem, examples, labels);
    await writeLiblinearModel(path, { model, labels }, solvers[one.solver]);
    expect(labelsOf({ model, labels }, one)).toEqual(realPredictions(problem, path));
  });

  test('writes models that are read back unchanged', async () => {
    const { model, labels } = await train(one);
    const path = sandbox.path('model');
    await writeLiblinearModel(path, { model, labels }, solvers[one.solver]);
    const { classes, size, bias, weights } = model;
    const expected = { classes, size, bias, weights };
    expect(await readLiblinearModel(path)).toEqual({ model: expected, labels });
  });
});
