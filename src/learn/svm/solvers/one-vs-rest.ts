import type { ExampleReader } from '../examples.ts';
import { addRows, rowScores } from '../row-products.ts';
import { Solver, type SolverOptions } from './solver.ts';

const NEGLIGIBLE = 1e-12;

/**
 * Dual coordinate descent for linear SVMs (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, algorithm 3; LIBLINEAR's
 * solvers 1 and 3), with a binary problem for each class (or pair of classes: `separatePairs`). The problems are
 * independent, but solved side by side: their weights for a feature are neighbours in memory, and an example is read
 * once for all of them. Variables shrink, and problems end, separately.
 */
export class OneVsRest extends Solver {
  private readonly positives: Int32Array;
  private readonly bound: number;
  /** D_ii: 0 for the L1 loss, 1/(2C) for L2. */
  private readonly diagonal: number;
  /** By problem: number of shrunk variables, and whether it is finished. */
  private readonly shrunk: Int32Array;
  private readonly finished: Uint8Array;
  /** By problem: extreme projected gradients of this pass, and shrinking limits from the last one. */
  private readonly largest: Float64Array;
  private readonly smallest: Float64Array;
  private readonly shrinkAbove: Float64Array;
  private readonly shrinkBelow: Float64Array;
  private readonly scores: Float64Array;

  constructor(reader: ExampleReader, options: SolverOptions, loss: 'l1' | 'l2') {
    super(reader, options);
    const { classes } = reader;
    this.positives = reader.positives ?? Int32Array.from({ length: classes }, (_, c) => c);
    this.bound = loss === 'l1' ? Math.fround(options.cost) : Number.POSITIVE_INFINITY;
    this.diagonal = loss === 'l1' ? 0 : 1 / (2 * options.cost);
    this.shrunk = new Int32Array(classes);
    this.finished = new Uint8Array(classes);
    this.largest = new Float64Array(classes);
    this.smallest = new Float64Array(classes);
    this.shrinkAbove = new Float64Array(classes).fill(Number.POSITIVE_INFINITY);
    this.shrinkBelow = new Float64Array(classes).fill(Number.NEGATIVE_INFINITY);
    this.scores = new Float64Array(classes);
  }

  override beginPass(): void {
    // From 0, not ∓∞: gradients that are equal but far from 0 must not end training.
    this.largest.fill(0);
    this.smallest.fill(0);
    super.beginPass();
  }

  override learn(position: number, atMost: number): number {
    const { set, reader, weights, list, scores, moving, steps } = this;
    let at = position;
    for (let learnt = 0; learnt < atMost; learnt++) {
      if (at >= set.size) return -1;
      const i = set.examples[at];
      const listed = set.list(i, list);
      if (listed === 0) {
        set.removeAt(at);
        continue;
      }
      const count = reader.read(i);
      rowScores(weights, reader.starts, reader.values, count, list, listed, scores);
      const moved = this.step(i, listed);
      if (moved > 0) addRows(weights, reader.starts, reader.values, count, moving, moved, steps);
      at++;
    }
    return at;
  }

  /** Optimises the listed variables of example i separately; returns how many of them moved. */
  private step(i: number, listed: number): number {
    const { reader, set, alphas, norms, bound, diagonal, list, scores, moving, steps } = this;
    const { shrinkAbove, shrinkBelow, largest, smallest, positives } = this;
    const target = reader.targets[i];
    const curvature = norms[i] + diagonal;
    let moved = 0;
    for (let j = 0; j < listed; j++) {
      const c = list[j];
      const variable = i * reader.classes + c;
      const sign = positives[c] === target ? 1 : -1;
      const alpha = alphas[variable];
      const gradient = sign * scores[j] - 1 + diagonal * alpha;
      if ((alpha === 0 && gradient > shrinkAbove[c]) || (alpha === bound && gradient < shrinkBelow[c])) {
        set.remove(i, c);
        this.shrunk[c]++;
        continue;
      }
      let projected = gradient;
      if (alpha === 0) projected = Math.min(gradient, 0);
      else if (alpha === bound) projected = Math.max(gradient, 0);
      if (projected > largest[c]) largest[c] = projected;
      if (projected < smallest[c]) smallest[c] = projected;
      if (Math.abs(projected) <= NEGLIGIBLE) continue;
      const next = Math.fround(Math.min(Math.max(alpha - gradient / curvature, 0), bound));
      alphas[variable] = next;
      moving[moved] = c;
      steps[moved++] = sign * (next - alpha);
    }
    return moved;
  }

  override endPass(): number {
    const { epsilon, shrinking } = this.options;
    const { largest, smallest, shrunk, finished } = this;
    let worst = 0;
    this.isDone = true;
    for (let c = 0; c < this.reader.classes; c++) {
      if (finished[c]) continue;
      const violation = largest[c] - smallest[c];
      worst = Math.max(worst, violation);
      if (violation > epsilon) {
        if (shrinking) this.shrinkBy(c, largest[c], smallest[c]);
      } else if (shrunk[c] > 0) {
        this.set.restore(c);
        shrunk[c] = 0;
        this.shrinkBy(c, 0, 0);
      } else {
        this.set.finish(c);
        finished[c] = 1;
        continue;
      }
      this.isDone = false;
    }
    return worst;
  }

  /** Sets the gradients beyond which the next pass shrinks variables at a bound. */
  private shrinkBy(c: number, above: number, below: number): void {
    this.shrinkAbove[c] = above > 0 ? above : Number.POSITIVE_INFINITY;
    this.shrinkBelow[c] = below < 0 ? below : Number.NEGATIVE_INFINITY;
  }

  override objective(): number {
    let sum = 0;
    for (const weight of this.weights) sum += weight * weight;
    for (const alpha of this.alphas) sum += alpha * (alpha * this.diagonal - 2);
    return sum / 2;
  }
}
