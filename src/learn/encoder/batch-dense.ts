import { FLOAT } from '../network/layout.ts';
import { type Floats, type NetworkMemory, padded } from '../network/memory.ts';
import type { Matrix, Parameters } from '../network/parameters.ts';

/** Block sizes of the kernel `addProduct`, for its scratch memory. */
const DEPTH = 128;
const BESIDE = 12;

type Place = Pick<Floats, 'at'>;

/** Matrix products of large batches, computed in blocks over one scratch memory. */
export class BatchProducts {
  private readonly scratch: Floats;

  /** @param mostColumns of any product */
  constructor(
    readonly memory: NetworkMemory,
    mostColumns: number,
  ) {
    this.scratch = memory.take(DEPTH * (padded(mostColumns) + BESIDE));
  }

  /** out += x w; x: rows × inner, `xWidth` apart; w: inner × columns; out: rows × columns, `outWidth` apart. */
  add(
    { at: out }: Place,
    outWidth: number,
    { at: x }: Place,
    xWidth: number,
    w: Floats,
    rows: number,
    columns: number,
    inner: number,
  ): void {
    const { kernels } = this.memory;
    const [to, from, stride] = [FLOAT * outWidth, FLOAT * xWidth, FLOAT * columns];
    kernels.addProduct(out, to, x, from, FLOAT, w.at, stride, rows, columns, inner, this.scratch.at);
  }

  /** out += gᵀ x; g: rows × outputs, `gWidth` apart; x: rows × columns, `xWidth` apart; out: outputs × columns. */
  addTransposed(
    out: Floats,
    g: Floats,
    gWidth: number,
    outputs: number,
    x: Floats,
    xWidth: number,
    columns: number,
    rows: number,
  ): void {
    const { kernels } = this.memory;
    const [to, step, stride] = [FLOAT * columns, FLOAT * gWidth, FLOAT * xWidth];
    kernels.addProduct(out.at, to, g.at, FLOAT, step, x.at, stride, outputs, columns, rows, this.scratch.at);
  }
}

/** Numbers of a cache line. */
const LINE = 16;

/** Fills `to` (columns × rows) with the transposed matrix, a cache line at a time. */
export function transpose({ values: from }: Floats, { values: to }: Floats, rows: number, columns: number) {
  for (let first = 0; first < rows; first += LINE) {
    const end = Math.min(first + LINE, rows);
    for (let c = 0; c < columns; c++)
      for (let r = first; r < end; r++) to[c * rows + r] = from[r * columns + c];
  }
}

/** A weight matrix, outputs × inputs, for batches; to be refreshed after every change of the weights. */
export class BatchWeights {
  readonly matrix: Matrix;
  private readonly transposed: Floats;

  constructor(
    private readonly products: BatchProducts,
    parameters: Parameters,
    name: string,
  ) {
    this.matrix = parameters.matrix(name);
    this.transposed = products.memory.take(this.matrix.rows * this.matrix.columns);
  }

  refresh(): void {
    transpose(this.matrix, this.transposed, this.matrix.rows, this.matrix.columns);
  }

  /** out += x wᵀ */
  forward(out: Place, outWidth: number, x: Place, xWidth: number, rows: number): void {
    const { rows: outputs, columns } = this.matrix;
    this.products.add(out, outWidth, x, xWidth, this.transposed, rows, outputs, columns);
  }

  /** xGradients += gradients w */
  backward(xGradients: Place, xWidth: number, gradients: Place, width: number, rows: number): void {
    const { matrix, products } = this;
    products.add(xGradients, xWidth, gradients, width, matrix, rows, matrix.columns, matrix.rows);
  }

  addGradients(gradients: Floats, width: number, x: Floats, xWidth: number, rows: number): void {
    const { rows: outputs, columns, gradients: own } = this.matrix;
    this.products.addTransposed(own!, gradients, width, outputs, x, xWidth, columns, rows);
  }
}

/** A dense layer for batches: rows of its output are as long as its bias, rows of its input `xWidth` numbers apart. */
export class BatchDense {
  readonly bias: Matrix;
  private readonly weights: BatchWeights;

  constructor(
    private readonly products: BatchProducts,
    parameters: Parameters,
    name: string,
    private readonly xWidth: number,
  ) {
    this.weights = new BatchWeights(products, parameters, `${name}.weights`);
    this.bias = parameters.matrix(`${name}.bias`);
  }

  refresh(): void {
    this.weights.refresh();
  }

  forward(out: Floats, x: Floats, rows: number): void {
    const { weights, bias, xWidth } = this;
    const width = bias.columns;
    for (let row = 0; row < rows; row++) out.values.set(bias.values, row * width);
    weights.forward(out, width, x, xWidth, rows);
  }

  /** Adds to the gradients of the weights and of the inputs. */
  backward(gradients: Floats, x: Floats, xGradients: Floats, rows: number): void {
    const { weights, bias, xWidth } = this;
    const width = bias.columns;
    weights.addGradients(gradients, width, x, xWidth, rows);
    this.products.memory.kernels.sumOfRows(bias.gradients!.at, gradients.at, rows, width);
    weights.backward(xGradients, xWidth, gradients, width, rows);
  }
}
