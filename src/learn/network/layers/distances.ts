import type { Floats, NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** Upper bounds of the buckets of distance. */
const RANGES = [1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 30, Number.POSITIVE_INFINITY];
/** The bucket of every pair whose first is the root. */
const WITH_ROOT = 0;
/** Number of buckets: root, leftward, rightward; padded to a multiple of four. */
const BUCKETS = 28;
const MOST = 1 << 10;
/** Buckets of the distances −`MOST`…`MOST`; longer ones fall into the last bucket of their direction. */
const buckets = Uint8Array.from({ length: 2 * MOST + 1 }, (_, i) => bucketOf(i - MOST));

function bucketOf(distance: number): number {
  const range = RANGES.findIndex((last) => Math.abs(distance) <= last);
  return 1 + range + (distance > 0 ? RANGES.length : 0);
}

const ends = ['first', 'second'] as const;

/**
 * Scores the signed distance between the two rows of a pair, which a bilinear form of their representations ignores
 * (cf. Qi et al. 2018, K18-2016; the distance templates of McDonald et al. 2005, P05-1012).
 */
export class DistanceScores {
  /** For each end, the embeddings of the buckets, and the scores of its rows: rows × buckets. */
  private readonly ends: readonly {
    readonly embeddings: Matrix;
    readonly scores: Floats;
    readonly gradients: Floats | undefined;
  }[];

  static shapes(name: string, size: number): Shape[] {
    return ends.map((end) => ({ name: `${name}.${end}.distances`, rows: BUCKETS, columns: size }));
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    most: number,
    private readonly hasRoot: boolean,
  ) {
    this.ends = ends.map((end) => {
      const embeddings = parameters.matrix(`${name}.${end}.distances`);
      const scores = memory.take(most * BUCKETS);
      const gradients = embeddings.gradients && memory.take(most * BUCKETS);
      return { embeddings, scores, gradients };
    });
  }

  /** Adds to the scores of pairs: row = second, column = first, `rowLength` floats per row. @param x firsts and seconds */
  forward({ values }: Floats, rowLength: number, x: readonly [Floats, Floats], rows: number): void {
    const [byFirst, bySecond] = this.ends.map(({ embeddings, scores }, end) => {
      this.memory.kernels.product(scores.at, x[end].at, embeddings.at, rows, embeddings.columns, BUCKETS);
      return scores.values;
    });
    for (let second = 0; second < rows; second++) {
      for (let first = 0; first < rows; first++) {
        const [at, bucket] = [second * rowLength + first, this.bucketAt(first, second)];
        values[at] += byFirst[first * BUCKETS + bucket];
        values[at] += bySecond[second * BUCKETS + bucket];
      }
    }
  }

  backward(
    { values }: Floats,
    rowLength: number,
    x: readonly [Floats, Floats],
    xGradients: readonly [Floats, Floats],
    rows: number,
  ): void {
    const [byFirst, bySecond] = this.ends.map(({ gradients }) =>
      gradients!.values.fill(0, 0, rows * BUCKETS),
    );
    for (let second = 0; second < rows; second++) {
      for (let first = 0; first < rows; first++) {
        const [gradient, bucket] = [values[second * rowLength + first], this.bucketAt(first, second)];
        byFirst[first * BUCKETS + bucket] += gradient;
        bySecond[second * BUCKETS + bucket] += gradient;
      }
    }
    const { kernels } = this.memory;
    for (const [end, { embeddings, gradients }] of this.ends.entries()) {
      const { at } = gradients!;
      kernels.productWeights(embeddings.gradients!.at, at, x[end].at, rows, embeddings.columns, BUCKETS);
      kernels.productBack(xGradients[end].at, at, embeddings.at, rows, embeddings.columns, BUCKETS);
    }
  }

  /** Returns the bucket of the signed distance from the second row to the first. */
  private bucketAt(first: number, second: number): number {
    if (this.hasRoot && first === 0) return WITH_ROOT;
    return buckets[MOST + Math.max(-MOST, Math.min(first - second, MOST))];
  }
}
