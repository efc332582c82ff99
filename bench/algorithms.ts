import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { withTemporaryFolder } from '../cli/folders.ts';
import type { Decoder } from '../src/decode/decoder.ts';
import { createDecoder, decoderNames } from '../src/decode/registry.ts';
import { Random } from '../src/learn/random.ts';
import { SparseExamples } from '../src/learn/svm/examples.ts';
import { writeProblem } from '../src/learn/svm/liblinear-problem.ts';
import type { LinearSvm, SvmOptions } from '../src/learn/svm/linear-model.ts';
import { trainLinearSvm, trainPolynomialSvm } from '../src/learn/svm/train.ts';
import { median } from './commands.ts';

const LENGTHS = [10, 20, 40, 80];
const SENTENCES = 50;
const PASSES = 5;
const MILLISECONDS_PER_PASS = 50;

/** Microseconds per sentence, single root: median over passes. */
export function benchDecoders() {
  const random = new Random(1);
  return LENGTHS.flatMap((tokens) => {
    const matrices = Array.from({ length: SENTENCES }, () => likelyScores(tokens, random));
    return decoderNames.map((name) => {
      const decoder = createDecoder(name, { singleRoot: true });
      return { decoder: name, tokens, microseconds: timeDecoder(decoder, matrices, tokens) };
    });
  });
}

function likelyScores(n: number, random: Random): Float32Array {
  const scores = new Float32Array((n + 1) ** 2);
  const noise = () => (random.below(1000) + random.below(1000) + random.below(1000)) / 250;
  for (let h = 0; h <= n; h++)
    for (let d = 1; d <= n; d++) scores[h * (n + 1) + d] = noise() - Math.abs(h - d) / 8;
  for (let d = 1; d <= n; d++) {
    const head = d === 1 ? 0 : d - 1 - random.below(Math.min(d - 1, 3));
    scores[head * (n + 1) + d] += 5;
  }
  return scores;
}

/** The first pass is not counted, as its code is not compiled yet. */
function timeDecoder(decoder: Decoder, matrices: readonly Float32Array[], n: number): number {
  const heads = new Int32Array(n + 1);
  const times: number[] = [];
  for (let pass = 0; pass <= PASSES; pass++) {
    const start = performance.now();
    let decoded = 0;
    let elapsed = 0;
    while (elapsed < MILLISECONDS_PER_PASS) {
      for (const scores of matrices) decoder.decode(scores, n, heads);
      decoded += matrices.length;
      elapsed = performance.now() - start;
    }
    if (pass > 0) times.push((1000 * elapsed) / decoded);
  }
  return median(times);
}

interface SvmRow {
  readonly problem: string;
  readonly machine: string;
  readonly passes: number;
  readonly seconds: number;
  readonly objective: number;
  /** Absent if LIBLINEAR is not installed, or has no such solver. */
  readonly liblinearSeconds?: number;
  readonly liblinearObjective?: number;
}

const BITS = 18;
/** Problems like those of a transition parser: many binary features, one per template, with Zipfian values. */
const transitions = { name: '50,000 × 70, 4 classes', count: 50_000, templates: 70, classes: 4 };
const labels = { name: '20,000 × 70, 40 classes', count: 20_000, templates: 70, classes: 40 };
const kernel = { name: '10,000 × 30, 3 classes', count: 10_000, templates: 30, classes: 3 };

const machines = {
  'one-vs-rest, L1': { solver: 3, multiclass: 'one-vs-rest', loss: 'l1' },
  'one-vs-rest, L2': { solver: 1, multiclass: 'one-vs-rest', loss: 'l2' },
  'Crammer–Singer': { solver: 4, multiclass: 'crammer-singer', loss: 'l1' },
} as const;

/** Trains on simulated problems, and with LIBLINEAR's `train` for comparison if it is installed. */
export async function benchSvm(): Promise<SvmRow[]> {
  const rows: SvmRow[] = [];
  for (const problem of [transitions, labels]) {
    const examples = simulatedExamples(problem);
    for (const [machine, { solver, ...kind }] of Object.entries(machines)) {
      const options: SvmOptions = { classes: problem.classes, cost: 0.1, epsilon: 0.1, ...kind };
      const own = await timed(() => trainLinearSvm(examples, { ...options, size: 2 ** BITS }));
      const theirs = await liblinear(examples, problem, solver);
      rows.push({ problem: problem.name, machine, ...own, ...theirs });
    }
  }
  const examples = simulatedExamples(kernel);
  const options = { classes: kernel.classes, bits: 20, loss: 'l1', cost: 0.01 } as const;
  for (const degree of [1, 2] as const) {
    const own = await timed(() => trainPolynomialSvm(examples, { ...options, degree }));
    rows.push({ problem: kernel.name, machine: `degree ${degree}, L1`, ...own });
  }
  return rows;
}

async function timed(train: () => Promise<LinearSvm>) {
  const start = performance.now();
  const { passes, objective } = await train();
  return { passes, seconds: (performance.now() - start) / 1000, objective };
}

/** Draws each template's value by Zipf's law; they decide the class, but one example in ten gets a random class. */
function simulatedExamples({ count, templates, classes }: typeof transitions): SparseExamples {
  const random = new Random(count, templates, classes);
  const examples = new SparseExamples();
  const features = new Int32Array(templates);
  const votes = new Float64Array(classes);
  for (let i = 0; i < count; i++) {
    votes.fill(0);
    for (let t = 0; t < templates; t++) {
      const rank = Math.floor(Math.exp(random.below(1 << 20) * (9 / (1 << 20))));
      features[t] = Math.imul(rank * 101 + t, 0x9e3779b1) >>> (32 - BITS);
      votes[(features[t] * 7) % classes] += 1 / (1 + (t % 10));
    }
    const noise = random.below(10) === 0;
    examples.add(features, templates, noise ? random.below(classes) : votes.indexOf(Math.max(...votes)));
  }
  return examples;
}

/** Times LIBLINEAR, minus the time of a run of one pass, most of which is spent reading the problem. */
async function liblinear(examples: SparseExamples, { classes }: typeof transitions, solver: number) {
  return withTemporaryFolder(async (folder) => {
    const problem = join(folder, 'problem');
    const names = Array.from({ length: classes }, (_, c) => c + 1);
    await writeProblem(problem, examples, names);
    const run = (epsilon: string) => {
      const start = performance.now();
      const words = ['-s', String(solver), '-c', '0.1', '-e', epsilon, problem, join(folder, 'model')];
      const { error, stdout } = spawnSync('liblinear-train', words, { encoding: 'utf8' });
      return { error, stdout, seconds: (performance.now() - start) / 1000 };
    };
    const { error, stdout, seconds } = run('0.1');
    if (error !== undefined) return {};
    const objectives = [...stdout.matchAll(/Objective value = (\S+)/g)].map(([, value]) => Number(value));
    return {
      liblinearSeconds: seconds - run('1e9').seconds,
      liblinearObjective: objectives.reduce((sum, value) => sum + value, 0),
    };
  });
}
