import { type BatchProducts, BatchWeights } from '../../learn/encoder/batch-dense.ts';
import { FLOAT, GATES, LstmFields } from '../../learn/network/layout.ts';
import type { Floats } from '../../learn/network/memory.ts';
import type { Parameters } from '../../learn/network/parameters.ts';

/** The shape of batches: parallel streams of text, and steps per batch; row of a matrix = step × streams + stream. */
export type StreamShape = { readonly streams: number; readonly steps: number };

/** The recurrent part of an LSTM over streams of sentences: its state is cleared at sentence starts, and carried between batches. */
export class StreamLstm {
  /** rows × 4 size: to be filled with the projected inputs; overwritten by `forward`. */
  readonly gates: Floats;
  readonly gateGradients: Floats;
  /** The output and its gradients: rows × size; `backward` adds the gradients from later steps. */
  readonly hidden: Floats;
  readonly hiddenGradients: Floats;
  /** The hidden state that each step reads: of the last step of the previous batch, then of each step; zeros at starts. */
  private readonly before: Floats;
  private readonly cells: Floats;
  private readonly cellGradients: Floats;
  private readonly through: Floats;
  private readonly weights: BatchWeights;
  private readonly fields: number;

  constructor(
    private readonly products: BatchProducts,
    parameters: Parameters,
    name: string,
    private readonly size: number,
    private readonly shape: StreamShape,
  ) {
    const { memory } = products;
    const { streams, steps } = shape;
    const rows = streams * steps;
    this.weights = new BatchWeights(products, parameters, `${name}.hidden`);
    this.gates = memory.take(GATES * size * rows);
    this.gateGradients = memory.take(GATES * size * rows);
    this.hidden = memory.take(size * rows);
    this.hiddenGradients = memory.take(size * rows);
    this.before = memory.take(size * (rows + streams));
    this.cells = memory.take(size * (rows + streams));
    this.cellGradients = memory.take(size * streams);
    this.through = memory.take(size * streams);
    this.fields = memory.struct(LstmFields, {
      gates: this.gates.at,
      hidden: this.hidden.at,
      cells: this.cells.at + FLOAT * size * streams,
      cellActivations: memory.take(size * rows).at,
      weights: this.weights.matrix.at,
      gateGradients: this.gateGradients.at,
      hiddenGradients: this.hiddenGradients.at,
      cellGradients: this.cellGradients.at,
      size,
      isBackward: 0,
    });
  }

  refresh(): void {
    this.weights.refresh();
  }

  /** The state carried to the next batch: to be saved, restored, or set to zeros. */
  get carried(): readonly Float32Array[] {
    const { before, cells, size, shape } = this;
    const end = before.values.length;
    const start = end - size * shape.streams;
    return [before.values.subarray(start, end), cells.values.subarray(start, end)];
  }

  /** @param starts rows that begin a sentence: 32-bit flags, `startsAt` their address */
  forward(starts: Int32Array, startsAt: number): void {
    const { before, cells, hidden, size, gates, weights } = this;
    const { streams, steps } = this.shape;
    const step = size * streams;
    for (const { values } of [before, cells]) values.copyWithin(0, values.length - step);
    for (let t = 0; t < steps; t++) {
      this.clearStarts(before.values, t, starts);
      const x = before.at + FLOAT * t * step;
      weights.forward({ at: gates.at + FLOAT * GATES * t * step }, GATES * size, { at: x }, size, streams);
      this.products.memory.kernels.lstmStep(this.fields, t * streams, streams, startsAt);
      before.values.set(hidden.values.subarray(t * step, (t + 1) * step), (t + 1) * step);
    }
  }

  /** Fills `gateGradients` from `hiddenGradients`, and adds to the gradients of the weights. */
  backward(starts: Int32Array, startsAt: number): void {
    const { before, size, weights, gateGradients, hiddenGradients, through } = this;
    const { streams, steps } = this.shape;
    const step = size * streams;
    this.cellGradients.values.fill(0);
    for (let t = steps - 1; t >= 0; t--) {
      this.products.memory.kernels.lstmStepBack(this.fields, t * streams, streams, startsAt);
      if (t === 0) break;
      through.values.fill(0);
      const at = gateGradients.at + FLOAT * GATES * t * step;
      weights.backward(through, size, { at }, GATES * size, streams);
      this.clearStarts(through.values, 0, starts.subarray(t * streams));
      const to = hiddenGradients.values.subarray((t - 1) * step, t * step);
      for (let i = 0; i < step; i++) to[i] += through.values[i];
    }
    weights.addGradients(gateGradients, GATES * size, before, size, streams * steps);
  }

  private clearStarts(values: Float32Array, t: number, starts: Int32Array): void {
    const { size } = this;
    const { streams } = this.shape;
    for (let row = t * streams; row < (t + 1) * streams; row++)
      if (starts[row] !== 0) values.fill(0, row * size, (row + 1) * size);
  }
}
