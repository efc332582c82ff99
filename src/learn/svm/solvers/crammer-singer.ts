import type { ExampleReader } from '../examples.ts';
import { addRows, rowScores } from '../row-products.ts';
import { Solver, type SolverOptions } from './solver.ts';

const NEGLIGIBLE = 1e-12;

/**
 * The multi-class SVM of Crammer & Singer (2001) by sequential dual coordinate descent (Keerthi, Sundararajan, Chang,
 * Hsieh & Lin 2008; LIBLINEAR's solver 4). An example has one variable per class, at most C for its own class and at most
 * 0 for the others, with sum 0; they are optimised together.
 */
export class CrammerSinger extends Solver {
  /** Upper bound of the variable of an example's own class. */
  private readonly bound: number;
  private violation = 0;
  private spread = 0;
  private isComplete = true;
  /** Below this violation everything shrunk is restored; halved each time. */
  private restoreBelow: number;
  /** For the current example: the gradients of its active classes, and the numbers of its sub-problem. */
  private readonly gradients: Float64Array;
  private readonly linear: Float64Array;
  private readonly ranked: Float64Array;

  constructor(reader: ExampleReader, options: SolverOptions) {
    super(reader, options);
    const { classes } = reader;
    this.bound = Math.fround(options.cost);
    this.restoreBelow = Math.max(10 * options.epsilon, 1);
    this.gradients = new Float64Array(classes);
    this.linear = new Float64Array(classes);
    this.ranked = new Float64Array(classes);
  }

  override beginPass(): void {
    this.violation = 0;
    super.beginPass();
  }

  override learn(position: number, atMost: number): number {
    const { set, reader, moving, steps } = this;
    let at = position;
    for (let learnt = 0; learnt < atMost; learnt++) {
      if (at >= set.size) return -1;
      const i = set.examples[at];
      const count = reader.read(i);
      const listed = this.norms[i] > 0 ? this.measure(i, count) : 0;
      if (listed <= 1) {
        set.removeAt(at);
        continue;
      }
      at++;
      const moved = this.spread > NEGLIGIBLE ? this.step(i, listed) : 0;
      if (moved > 0) addRows(this.weights, reader.starts, reader.values, count, moving, moved, steps);
    }
    return at;
  }

  /** Lists the active classes of example i with their gradients, after shrinking; returns their number. */
  private measure(i: number, count: number): number {
    const { reader, list, gradients } = this;
    const target = reader.targets[i];
    const first = i * reader.classes;
    const listed = this.set.list(i, list);
    rowScores(this.weights, reader.starts, reader.values, count, list, listed, gradients);
    let smallest = Number.POSITIVE_INFINITY;
    let largest = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < listed; j++) {
      const c = list[j];
      if (c !== target) gradients[j]++;
      largest = Math.max(largest, gradients[j]);
      if (this.alphas[first + c] < this.upperBound(c, target)) smallest = Math.min(smallest, gradients[j]);
    }
    this.spread = largest - smallest;
    if (!this.options.shrinking) return listed;
    return this.shrink(i, listed, smallest);
  }

  private upperBound(c: number, target: number): number {
    return c === target ? this.bound : 0;
  }

  /** Shrinks classes at their bound whose gradient is below a limit; returns the number still listed. */
  private shrink(i: number, listed: number, below: number): number {
    const { reader, list, gradients } = this;
    const target = reader.targets[i];
    let left = 0;
    for (let j = 0; j < listed; j++) {
      const c = list[j];
      if (gradients[j] < below && this.alphas[i * reader.classes + c] === this.upperBound(c, target)) {
        this.set.remove(i, c);
        continue;
      }
      list[left] = c;
      gradients[left++] = gradients[j];
    }
    return left;
  }

  /** Optimises the listed variables of example i; returns how many of them moved. */
  private step(i: number, listed: number): number {
    const { reader, list, gradients, linear, alphas, moving, steps } = this;
    this.violation = Math.max(this.violation, this.spread);
    const norm = this.norms[i];
    const target = reader.targets[i];
    const first = i * reader.classes;
    for (let j = 0; j < listed; j++) linear[j] = gradients[j] - norm * alphas[first + list[j]];
    const threshold = this.threshold(norm, target, listed);
    let moved = 0;
    for (let j = 0; j < listed; j++) {
      const c = list[j];
      const optimum = Math.min(this.upperBound(c, target), (threshold - linear[j]) / norm);
      const next = Math.fround(optimum);
      const step = next - alphas[first + c];
      alphas[first + c] = next;
      if (Math.abs(step) < NEGLIGIBLE) continue;
      moving[moved] = c;
      steps[moved++] = step;
    }
    return moved;
  }

  /**
   * Solves Σ min(bound, (β − linear[j]) / norm) = 0 for β (Keerthi et al. 2008, algorithm 3): takes the
   * numbers D (`ranked`) from the largest on, as long as β = (their sum − norm · C) / their count stays below
   * the next.
   */
  private threshold(norm: number, target: number, listed: number): number {
    const { list, linear, ranked } = this;
    for (let j = 0; j < listed; j++)
      ranked[j] = list[j] === target ? linear[j] + norm * this.bound : linear[j];
    let sum = -norm * this.bound;
    for (let r = 0; r < listed; r++) {
      let best = r;
      for (let j = r + 1; j < listed; j++) if (ranked[j] > ranked[best]) best = j;
      const next = ranked[best];
      if (r > 0 && sum >= r * next) return sum / r;
      ranked[best] = ranked[r];
      sum += next;
    }
    return sum / listed;
  }

  override endPass(): number {
    const { epsilon } = this.options;
    const { violation } = this;
    if (violation >= this.restoreBelow) {
      this.isComplete = false;
    } else if (violation < epsilon && this.isComplete) {
      this.isDone = true;
    } else {
      this.set.restoreAll();
      this.restoreBelow = Math.max(this.restoreBelow / 2, epsilon);
      this.isComplete = true;
    }
    return violation;
  }

  override objective(): number {
    const { alphas } = this;
    const { count, classes, targets } = this.reader;
    let sum = 0;
    for (const weight of this.weights) sum += (weight * weight) / 2;
    for (const alpha of alphas) sum += alpha;
    for (let i = 0; i < count; i++) sum -= alphas[i * classes + targets[i]];
    return sum;
  }
}
