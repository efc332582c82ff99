import type { Floats, NetworkMemory } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';

/** Distances up to which each has its own embedding; from there on ranges have, up to these. */
const RANGES = [1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 30, Number.POSITIVE_INFINITY];
/** The kind of all pairs with the root. */
const WITH_ROOT = 0;
/** Kinds of distances: of pairs with the root, to the left and to the right; padded to a multiple of four. */
const KINDS = 28;
const MOST = 1 << 10;
/** The kind of a distance from −`MOST` to `MOST`: longer ones are of the last kinds. */
const kinds = Uint8Array.from({ length: 2 * MOST + 1 }, (_, i) => kindOf(i - MOST));

function kindOf(distance: number): number {
  const range = RANGES.findIndex((last) => Math.abs(distance) <= last);
  return 1 + range + (distance > 0 ? RANGES.length : 0);
}

/** The kind of the distance from the second of a pair to the first. */
function kindAt(first: number, second: number, hasRoot: boolean): number {
  if (hasRoot && first === 0) return WITH_ROOT;
  return kinds[MOST + Math.max(-MOST, Math.min(first - second, MOST))];
}

/**
 * Scores how far apart the rows of a pair are, and in which direction, by what one of them is: a bilinear form of both
 * cannot tell (cf. Qi et al. 2018, K18-2016; the distance templates of McDonald et al. 2005, P05-1012).
 */
export class DistanceScores {
  /** An embedding for each kind of distance. */
  private readonly embeddings: Matrix;
  /** rows × kinds. */
  private readonly scores: Floats;
  private readonly gradients: Floats | undefined;

  static shapes(name: string, size: number): Shape[] {
    return [{ name: `${name}.distances`, rows: KINDS, columns: size }];
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    name: string,
    most: number,
    private readonly end: 'first' | 'second',
    private readonly hasRoot: boolean,
  ) {
    this.embeddings = parameters.matrix(`${name}.distances`);
    this.scores = memory.take(most * KINDS);
    if (this.embeddings.gradients !== undefined) this.gradients = memory.take(most * KINDS);
  }

  /** Adds to scores of pairs, row = second, column = first; rows are `rowLength` apart. @param x of this end */
  forward({ values }: Floats, rowLength: number, x: Floats, rows: number): void {
    const { scores, embeddings } = this;
    this.memory.kernels.product(scores.at, x.at, embeddings.at, rows, embeddings.columns, KINDS);
    for (let second = 0; second < rows; second++)
      for (let first = 0; first < rows; first++)
        values[second * rowLength + first] += scores.values[this.place(first, second)];
  }

  backward(pairs: Floats, rowLength: number, x: Floats, xGradients: Floats, rows: number): void {
    const { embeddings } = this;
    const { at, values } = this.gradients!;
    const { kernels } = this.memory;
    values.fill(0, 0, rows * KINDS);
    for (let second = 0; second < rows; second++)
      for (let first = 0; first < rows; first++)
        values[this.place(first, second)] += pairs.values[second * rowLength + first];
    kernels.productWeights(embeddings.gradients!.at, at, x.at, rows, embeddings.columns, KINDS);
    kernels.productBack(xGradients.at, at, embeddings.at, rows, embeddings.columns, KINDS);
  }

  /** Where the score of a pair's distance is in this end's row. */
  private place(first: number, second: number): number {
    return (this.end === 'first' ? first : second) * KINDS + kindAt(first, second, this.hasRoot);
  }
}
