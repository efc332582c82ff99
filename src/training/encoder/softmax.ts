import type { Encoder } from '../../learn/encoder/encoder.ts';
import { QuantizedRows } from '../../learn/encoder/quantized-rows.ts';
import type { EncoderSettings } from '../../learn/encoder/settings.ts';
import { denseShapes } from '../../learn/network/layers/dense.ts';
import { directions } from '../../learn/network/layers/lstm.ts';
import { padded } from '../../learn/network/memory.ts';
import type { Shape } from '../../learn/network/parameters.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';

export const OUTPUT = 'output';

/** The dense layer from the last LSTM to the softmax. The last number of its bias (1) multiplies a word's own bias. */
export function outputShapes({ units }: EncoderSettings): Shape[] {
  const [weights, bias] = denseShapes(OUTPUT, units, units / 2);
  return [weights, { ...bias, columns: padded(units / 2 + 1) }];
}

/** The weights of one direction of a language model. */
export interface DirectionNumbers {
  /** The matrices of `directionShapes`, then of `outputShapes`, one after the other. */
  readonly weights: Float32Array;
  /** Words × units / 2. */
  readonly words: Float32Array;
  /** The bias of each word in the softmax. */
  readonly biases: Float32Array;
}

interface DirectionSoftmax {
  /** The matrices of `outputShapes`. */
  readonly matrices: readonly QuantizedRows[];
  readonly biases: Float32Array;
}

/** Bound on biases, which no training exceeds. */
const MOST_BIAS = 1e3;

/** The softmax layers of a language model, in both directions, which only further training needs. */
export class Softmax {
  constructor(
    private readonly settings: EncoderSettings,
    private readonly directions: readonly DirectionSoftmax[],
  ) {}

  /** Throws `InputError` if the file lacks them, or their sections do not fit the settings. */
  static load(file: ModelReader, settings: EncoderSettings): Softmax {
    if (!file.has(`${directions[0]}.biases`))
      file.refuse('holds no softmax layers, which further training needs: expected a file of train encoder');
    const load = (direction: string): DirectionSoftmax => ({
      matrices: outputShapes(settings).map(({ name, rows, columns }) =>
        QuantizedRows.load(file, `${direction}.${name}`, rows, columns),
      ),
      biases: file.section(`${direction}.biases`, 'float32', {
        length: settings.words,
        least: -MOST_BIAS,
        most: MOST_BIAS,
      }),
    });
    return new Softmax(settings, directions.map(load));
  }

  save(file: ModelWriter): void {
    for (const [d, { matrices, biases }] of this.directions.entries()) {
      for (const [m, { name }] of outputShapes(this.settings).entries())
        matrices[m].save(file, `${directions[d]}.${name}`);
      file.section(`${directions[d]}.biases`, biases);
    }
  }

  /** The weights of both directions, to be trained further. */
  numbersWith({ weights }: Encoder): DirectionNumbers[] {
    return this.directions.map(({ matrices, biases }, d) => {
      const all = [...weights[d].matrices, ...matrices].map((matrix) => matrix.floats());
      const joined = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const numbers of all) {
        joined.set(numbers, at);
        at += numbers.length;
      }
      return { weights: joined, words: weights[d].words.floats(), biases: biases.slice() };
    });
  }
}
