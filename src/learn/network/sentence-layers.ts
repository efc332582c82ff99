import type { HeaderFields } from '../../model/header-fields.ts';
import type { Random } from '../random.ts';
import { Dropout } from './layers/dropout.ts';
import { type InputFields, InputLayer, type InputRows } from './layers/input-layer.ts';
import { BiLstm, biLstmShapes } from './layers/lstm.ts';
import { LANES } from './layout.ts';
import type { Floats, NetworkMemory } from './memory.ts';
import type { Parameters, Shape } from './parameters.ts';

/** Dropout where none is named (Dozat & Manning 2017, table 1). */
export const DROPOUT = 0.33;
export const MOST_DROPOUT = 0.9;
/** Upper bounds of the sizes in a model file. */
export const MOST_UNITS = 1024;
export const MOST_LAYERS = 8;

export interface LayerSettings {
  readonly layers: number;
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
  /** Probability of dropout before the first LSTM and after each, in training; older models do not name it. */
  readonly dropout: number;
}

interface Sizes extends LayerSettings {
  readonly maxLength: number;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function layerSettings(fields: HeaderFields): LayerSettings {
  const units = fields.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) fields.refuse('units', `a multiple of ${LANES}`);
  const dropout = fields.has('dropout') ? fields.number('dropout', 0, MOST_DROPOUT) : DROPOUT;
  return { layers: fields.integer('layers', 1, MOST_LAYERS), units, dropout };
}

/** Encodes the tokens of a sentence in their context, in training: embeddings, then stacked BiLSTMs (Kiperwasser & Goldberg 2016, §4). */
export class SentenceLayers {
  private readonly inputs: InputLayer;
  private readonly lstms: readonly BiLstm[];
  /** Row lengths: of the input of the first LSTM, and of the output of each. */
  private readonly widths: readonly number[];
  /** The input of each LSTM, then the output of the last: tokens × width. */
  private readonly rows: readonly Floats[];
  private readonly rowGradients: readonly Floats[];
  private readonly dropouts: readonly Dropout[];

  static shapes({ layers, units }: LayerSettings, inputs: InputFields): Shape[] {
    const ofLayers = Array.from({ length: layers }, (_, l) =>
      biLstmShapes(`layer-${l + 1}`, l === 0 ? InputLayer.width(inputs) : 2 * units, units),
    );
    return [...InputLayer.shapes(inputs), ...ofLayers.flat()];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    { layers, units, dropout, maxLength }: Sizes,
    inputs: InputFields,
  ) {
    const tokens = maxLength + 1;
    this.inputs = new InputLayer(memory, parameters, inputs, { tokens, hasRoot: true });
    this.lstms = Array.from(
      { length: layers },
      (_, l) => new BiLstm(memory, parameters, `layer-${l + 1}`, units, tokens),
    );
    this.widths = [this.inputs.width, ...this.lstms.map(() => 2 * units)];
    this.rows = this.widths.map((width) => memory.take(width * tokens));
    this.rowGradients = this.widths.map((width) => memory.take(width * tokens));
    this.dropouts = this.widths.map((width) => new Dropout(memory, width, dropout));
  }

  /** The encoded tokens: (n + 1) × 2 units. */
  get output(): Floats {
    return this.rows.at(-1)!;
  }

  /** The output of the first LSTM: (n + 1) × 2 units. */
  get firstOutput(): Floats {
    return this.rows[1];
  }

  /** The gradients of the output; scorers add to them before `backward`. */
  get outputGradients(): Floats {
    return this.rowGradients.at(-1)!;
  }

  get firstGradients(): Floats {
    return this.rowGradients[1];
  }

  initialize(): void {
    for (const lstm of this.lstms) lstm.initialize();
  }

  /** Fills `output`; `random` draws the dropout masks, in training. */
  forward(sentence: InputRows, random?: Random): void {
    const { rows, lstms } = this;
    const { tokens } = sentence;
    this.inputs.forward(rows[0], sentence, random);
    for (let l = 0; l < rows.length; l++) {
      if (random !== undefined) {
        this.dropouts[l].draw(random);
        this.dropouts[l].apply(rows[l], tokens);
      }
      if (l < lstms.length) lstms[l].forward(rows[l + 1], rows[l], tokens);
    }
  }

  clearGradients(tokens: number): void {
    for (const [l, { values }] of this.rowGradients.entries()) values.fill(0, 0, this.widths[l] * tokens);
  }

  /** Accumulates the gradients of the parameters for the sentence of the last `forward`. */
  backward(sentence: InputRows): void {
    const { rows, lstms, dropouts, rowGradients: gradients } = this;
    const { tokens } = sentence;
    for (let l = rows.length - 1; l >= 0; l--) {
      dropouts[l].apply(gradients[l], tokens);
      if (l > 0) lstms[l - 1].backward(gradients[l], rows[l - 1], gradients[l - 1], tokens);
    }
    this.inputs.backward(gradients[0], sentence);
  }
}
