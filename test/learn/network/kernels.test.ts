import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AdamFields,
  LstmFields,
  QUANTIZED_ONE,
  QuantizedDenseFields,
  QuantizedLstmFields,
  TILE,
} from '../../../src/learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import type { Matrix } from '../../../src/learn/network/parameters.ts';
import { QuantizedMatrix } from '../../../src/learn/network/quantized-matrix.ts';
import { Random } from '../../../src/learn/random.ts';
import { expectClose } from '../../support/close.ts';

const CAPACITY = 20_000;

/** Counts of rows, from one to a few. */
const counts = fc.integer({ min: 1, max: 9 });
/** Counts of rows, including more than one tile. */
const tall = fc.oneof(counts, fc.integer({ min: TILE - 2, max: 2 * TILE + 5 }));
const lengths = fc.integer({ min: 1, max: 6 }).map((n) => 4 * n);
const seeds = fc.integer();

function drawn(memory: NetworkMemory, count: number, random: Random): Floats {
  const floats = memory.take(padded(count));
  for (let i = 0; i < count; i++) floats.values[i] = 2 * random.uniform() - 1;
  return floats;
}

describe('matrices', () => {
  test('have products and gradients according to the definition', () => {
    fc.assert(
      fc.property(tall, lengths, lengths, seeds, (rows, inner, outputs, seed) => {
        const memory = new NetworkMemory(CAPACITY);
        const random = new Random(seed);
        const [x, w, gradients] = [rows * inner, outputs * inner, rows * outputs].map((count) =>
          drawn(memory, count, random),
        );
        const [xGradients, wGradients] = [rows * inner, outputs * inner].map((count) =>
          drawn(memory, count, random),
        );
        const out = memory.take(rows * outputs);
        const [xBefore, wBefore] = [xGradients.values.slice(), wGradients.values.slice()];
        memory.kernels.product(out.at, x.at, w.at, rows, inner, outputs);
        memory.kernels.productBack(xGradients.at, gradients.at, w.at, rows, inner, outputs);
        memory.kernels.productWeights(wGradients.at, gradients.at, x.at, rows, inner, outputs);
        const products = new Float64Array(rows * outputs);
        for (let t = 0; t < rows; t++) {
          for (let r = 0; r < outputs; r++) {
            for (let i = 0; i < inner; i++) {
              const gradient = gradients.values[t * outputs + r];
              products[t * outputs + r] += x.values[t * inner + i] * w.values[r * inner + i];
              xBefore[t * inner + i] += gradient * w.values[r * inner + i];
              wBefore[r * inner + i] += gradient * x.values[t * inner + i];
            }
          }
        }
        expectClose(out.values, products, 4);
        expectClose(xGradients.values, xBefore, 4);
        expectClose(wGradients.values, wBefore, 4);
      }),
    );
  });

  test('have rows that are added, multiplied and activated element by element', () => {
    fc.assert(
      fc.property(counts, lengths, seeds, (rows, length, seed) => {
        const memory = new NetworkMemory(CAPACITY);
        const random = new Random(seed);
        const x = drawn(memory, rows * length, random);
        const row = drawn(memory, length, random);
        const sum = drawn(memory, length, random);
        const gradients = drawn(memory, rows * length, random);
        const { kernels } = memory;
        const before = sum.values.slice();
        kernels.sumOfRows(sum.at, x.at, rows, length);
        expectClose(
          sum.values,
          before.map((value, i) => value + ofColumn(x.values, i, length).reduce((a, b) => a + b, 0)),
          4,
        );
        const added = x.values.map((value, i) => value + row.values[i % length]);
        kernels.addToRows(x.at, row.at, rows, length);
        expectClose(x.values, added, 4);
        const multiplied = x.values.map((value, i) => value * row.values[i % length]);
        kernels.multiplyRows(x.at, row.at, rows, length);
        expectClose(x.values, multiplied, 4);
        const steep = gradients.values.map((gradient, i) => (x.values[i] < 0 ? gradient / 10 : gradient));
        kernels.leakyReluBack(gradients.at, x.at, rows * length);
        expectClose(gradients.values, steep, 4);
        const activated = x.values.map((value) => Math.max(value, value / 10));
        kernels.leakyRelu(x.at, rows * length);
        expectClose(x.values, activated, 4);
        expect(kernels.sumOfSquares(x.at, rows * length)).toBeCloseTo(
          activated.reduce((total, value) => total + value * value, 0),
          3,
        );
      }),
    );
  });

  function ofColumn(values: Float32Array, column: number, width: number): number[] {
    return [...values].filter((_, i) => i % width === column);
  }
});

/** Runs an LSTM forward over gates that already contain the contributions of the inputs. */
function runLstm(
  memory: NetworkMemory,
  gates: Floats,
  w: Floats,
  length: number,
  size: number,
  isBackward: number,
): { hidden: Floats; cells: Floats } {
  const [hidden, cells, activations] = [0, 0, 0].map(() => memory.take(length * size));
  const layer = memory.struct(LstmFields, {
    gates: gates.at,
    hidden: hidden.at,
    cells: cells.at,
    cellActivations: activations.at,
    weights: w.at,
    gateGradients: 0,
    hiddenGradients: 0,
    cellGradients: 0,
    size,
    isBackward,
  });
  memory.kernels.lstm(layer, length);
  return { hidden, cells };
}

test.each([0, 1])('an LSTM is computed according to the definition (from the right: %i)', (isBackward) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), seeds, (length, seed) => {
      const memory = new NetworkMemory(CAPACITY);
      const random = new Random(seed);
      const size = 4;
      const gates = drawn(memory, length * 4 * size, random);
      for (let i = 0; i < gates.values.length; i++) gates.values[i] *= 8;
      const w = drawn(memory, 4 * size * size, random);
      const inputs = gates.values.slice();
      const { hidden, cells } = runLstm(memory, gates, w, length, size, isBackward);
      let before = new Array<number>(size).fill(0);
      let cell = new Array<number>(size).fill(0);
      for (let step = 0; step < length; step++) {
        const t = isBackward ? length - 1 - step : step;
        const gate = (g: number, j: number) =>
          inputs[t * 4 * size + g * size + j] +
          before.reduce((sum, value, i) => sum + value * w.values[(g * size + j) * size + i], 0);
        const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));
        cell = cell.map((old, j) => sigmoid(gate(0, j)) * Math.tanh(gate(3, j)) + sigmoid(gate(1, j)) * old);
        before = cell.map((value, j) => sigmoid(gate(2, j)) * Math.tanh(value));
        expectClose(hidden.values.subarray(t * size, (t + 1) * size), before, 4);
        expectClose(cells.values.subarray(t * size, (t + 1) * size), cell, 4);
      }
    }),
  );
});

describe('quantized matrices', () => {
  /** Random numbers between −1 and 1, quantized to whole numbers. */
  function whole(memory: NetworkMemory, count: number, random: Random) {
    const { at, values } = memory.take(padded(count));
    const numbers = new Int16Array(values.buffer, at, count);
    for (let i = 0; i < count; i++) numbers[i] = QUANTIZED_ONE * (2 * random.uniform() - 1);
    return { at, values: numbers };
  }

  /** The address of a quantized dense layer. */
  function quantizedLayer(memory: NetworkMemory, matrix: Matrix, bias: Floats): number {
    const { at, scales } = QuantizedMatrix.ofRows(memory, matrix).fill();
    return memory.struct(QuantizedDenseFields, {
      weights: at,
      scales: scales.at,
      bias: bias.at,
      inner: matrix.columns,
    });
  }

  test('have products close to the exact ones', () => {
    fc.assert(
      fc.property(
        counts,
        lengths,
        lengths,
        fc.double({ min: -20, max: 20, noNaN: true }),
        seeds,
        (rows, inner, outputs, size, seed) => {
          const memory = new NetworkMemory(CAPACITY);
          const random = new Random(seed);
          const x = whole(memory, rows * inner, random);
          const [w, bias] = [drawn(memory, outputs * inner, random), drawn(memory, outputs, random)];
          const factor = 10 ** size;
          for (let i = 0; i < w.values.length; i++) w.values[i] *= factor;
          const matrix = { ...w, rows: outputs, columns: inner, gradients: undefined };
          const layer = quantizedLayer(memory, matrix, bias);
          const out = memory.take(rows * outputs);
          memory.kernels.quantizedRows(out.at, 4 * outputs, x.at, 0, layer, rows, 0, outputs);
          for (let t = 0; t < rows; t++) {
            for (let r = 0; r < outputs; r++) {
              let product = 0;
              for (let i = 0; i < inner; i++)
                product += (x.values[t * inner + i] / QUANTIZED_ONE) * w.values[r * inner + i];
              const difference = out.values[t * outputs + r] - product - bias.values[r];
              expect(Math.abs(difference)).toBeLessThan(1e-3 * factor + 1e-6);
            }
          }
        },
      ),
    );
  });

  test('give the same products for all rows at once as for each row, times its scale', () => {
    fc.assert(
      fc.property(tall, lengths, lengths, fc.boolean(), seeds, (rows, inner, outputs, areScaled, seed) => {
        const memory = new NetworkMemory(CAPACITY);
        const random = new Random(seed);
        const x = whole(memory, rows * inner, random);
        const [w, bias] = [drawn(memory, outputs * inner, random), drawn(memory, outputs, random)];
        const matrix = { ...w, rows: outputs, columns: inner, gradients: undefined };
        const layer = quantizedLayer(memory, matrix, bias);
        const unbiased = quantizedLayer(memory, matrix, memory.take(outputs));
        const scales = drawn(memory, rows, random);
        const [single, found] = [rows * outputs, rows * (outputs + 4)].map((count) => memory.take(count));
        const { kernels } = memory;
        for (let t = 0; t < rows; t++) {
          const [out, from] = [single.at + 4 * t * outputs, x.at + 2 * t * inner];
          kernels.quantizedRows(out, 0, from, 0, unbiased, 1, 0, outputs);
        }
        const stride = 4 * (outputs + 4);
        kernels.quantizedRows(found.at, stride, x.at, areScaled ? scales.at : 0, layer, rows, 0, outputs);
        for (let t = 0; t < rows; t++) {
          const scale = areScaled ? scales.values[t] : 1;
          for (let r = 0; r < outputs; r++) {
            const product = Math.fround(scale * single.values[t * outputs + r]);
            expect(found.values[t * (outputs + 4) + r]).toBe(Math.fround(product + bias.values[r]));
          }
        }
      }),
    );
  });

  test('do not overflow with the largest numbers', () => {
    const memory = new NetworkMemory(CAPACITY);
    const [inner, outputs] = [512, 4];
    const w = memory.take(inner * outputs);
    w.values.fill(1e38);
    const x = memory.take(inner / 2);
    new Int16Array(x.values.buffer, x.at, inner).fill(QUANTIZED_ONE);
    const matrix = { ...w, rows: outputs, columns: inner, gradients: undefined };
    const [out, bias] = [memory.take(outputs), memory.take(outputs)];
    const layer = quantizedLayer(memory, matrix, bias);
    memory.kernels.quantizedRows(out.at, 0, x.at, 0, layer, 1, 0, outputs);
    for (const value of out.values) expect(value).toBe(Number.POSITIVE_INFINITY);
    w.values.fill(-1);
    const below = quantizedLayer(memory, matrix, bias);
    memory.kernels.quantizedRows(out.at, 0, x.at, 0, below, 1, 0, outputs);
    for (const value of out.values) expect(value).toBeCloseTo(-inner, 0);
  });

  test.each([0, 1])('give an LSTM close to the exact one (from the right: %i)', (isBackward) => {
    fc.assert(
      fc.property(counts, lengths, seeds, (length, size, seed) => {
        const memory = new NetworkMemory(2 * CAPACITY);
        const random = new Random(seed);
        const { kernels } = memory;
        const [first, second] = [0, 1].map(() => drawn(memory, length * 4 * size, random));
        const w = drawn(memory, 4 * size * size, random);
        const gates = memory.take(length * 4 * size);
        for (let i = 0; i < gates.values.length; i++) gates.values[i] = first.values[i] + second.values[i];
        const { hidden } = runLstm(memory, gates, w, length, size, isBackward);
        const inputs = memory.take(padded(2 * length));
        const addresses = new Uint32Array(inputs.values.buffer, inputs.at, 2 * length);
        // An offset, as if other data came before the inputs.
        const from = 16;
        for (let t = 0; t < length; t++) {
          addresses[2 * t] = first.at + t * 16 * size - from;
          addresses[2 * t + 1] = second.at + t * 16 * size - from;
        }
        const matrix = { ...w, rows: 4 * size, columns: size, gradients: undefined };
        const { at, scales } = QuantizedMatrix.ofGates(memory, matrix).fill();
        const scratch = memory.take(5 * size);
        const stride = 2 * size + 16;
        const out = memory.take(padded((length * stride) / 4));
        const layer = memory.struct(QuantizedLstmFields, {
          out: out.at,
          stride,
          inputs: inputs.at,
          offset: from,
          scratch: scratch.at,
          weights: at,
          scales: scales.at,
          size,
          isBackward,
        });
        kernels.quantizedLstm(layer, length);
        for (let t = 0; t < length; t++) {
          const row = new Int16Array(out.values.buffer, out.at + t * stride, size);
          for (let j = 0; j < size; j++) {
            expect(Math.abs(row[j] / QUANTIZED_ONE - hidden.values[t * size + j])).toBeLessThan(5e-3);
          }
        }
      }),
    );
  });
});

test('a step of Adam follows the paper and sets the gradients to zero', () => {
  const memory = new NetworkMemory(CAPACITY);
  const random = new Random(3);
  const [weights, gradients, first, second] = [0, 0, 0, 0].map(() => drawn(memory, 12, random));
  for (let i = 0; i < 12; i++) second.values[i] = Math.abs(second.values[i]);
  const [w, g, m, v] = [weights, gradients, first, second].map(({ values }) => values.slice());
  const state = memory.struct(AdamFields, {
    weights: weights.at,
    gradients: gradients.at,
    firstMoments: first.at,
    secondMoments: second.at,
    count: 12,
  });
  memory.kernels.adam(state, 0.5, 0.01, 0.3);
  const means = m.map((mean, i) => 0.9 * mean + 0.1 * 0.5 * g[i]);
  const squares = v.map((square, i) => 0.95 * square + 0.05 * (0.5 * g[i]) ** 2);
  expectClose(first.values, means, 4);
  expectClose(second.values, squares, 4);
  expectClose(
    weights.values,
    w.map((weight, i) => weight - (0.01 * means[i]) / Math.sqrt(squares[i] / 0.3)),
    4,
  );
  expect([...gradients.values]).toEqual(new Array(12).fill(0));
});

test('a network too large for the address space is refused', () => {
  expect(() => new NetworkMemory(2 ** 31)).toThrow(
    /^a network with 2147483648 numbers in memory, the limit is/,
  );
});
