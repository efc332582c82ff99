import type { Random } from '../random.ts';
import { Dropout, INPUT_DROPOUT } from './layers/dropout.ts';
import { type EmbeddedField, Embeddings, embeddingShapes, widthOf } from './layers/embeddings.ts';
import { BiLstm, biLstmShapes } from './layers/lstm.ts';
import { ProjectedInput, type TokenInput } from './layers/projected-input.ts';
import type { Floats, NetworkMemory } from './memory.ts';
import type { Parameters, Shape } from './parameters.ts';

const OUTPUT_DROPOUT = 0.33;

interface Sizes {
  readonly layers: number;
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
  readonly maxLength: number;
}

/** What stands for the tokens of a sentence: the values of embedded fields, and inputs beside them. */
export interface SentenceInputs {
  readonly fields: readonly EmbeddedField[];
  readonly beside: readonly TokenInput[];
}

/** A sentence as the layers read it. */
export interface SentenceRows {
  /** tokens × values per token, the root first. */
  readonly values: Int32Array;
  readonly tokens: number;
  /** The root's form, then the tokens'; not read without inputs beside the embeddings. */
  readonly forms?: readonly string[] | undefined;
}

/** Encodes the tokens of a sentence in their context: embeddings, then stacked BiLSTMs (Kiperwasser & Goldberg 2016, §4). */
export class SentenceLayers {
  private readonly embeddings: Embeddings;
  private readonly beside: readonly { readonly layer: ProjectedInput; readonly start: number }[];
  private readonly lstms: readonly BiLstm[];
  /** The length of a token's row before the first LSTM and after each. */
  private readonly widths: readonly number[];
  /** The input of each LSTM, and the output of the last. */
  private readonly rows: readonly Floats[];
  private readonly rowGradients: readonly Floats[] | undefined;
  private readonly dropouts: readonly Dropout[] | undefined;

  static shapes({ layers, units }: Omit<Sizes, 'maxLength'>, inputs: SentenceInputs): Shape[] {
    const ofLayers = Array.from({ length: layers }, (_, l) =>
      biLstmShapes(`layer-${l + 1}`, l === 0 ? rowLength(inputs) : 2 * units, units),
    );
    const ofBeside = inputs.beside.flatMap(ProjectedInput.shapes);
    return [...embeddingShapes(inputs.fields), ...ofBeside, ...ofLayers.flat()];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    { layers, units, maxLength }: Sizes,
    inputs: SentenceInputs,
    isTrained: boolean,
  ) {
    const tokens = maxLength + 1;
    const width = rowLength(inputs);
    this.embeddings = new Embeddings(parameters, inputs.fields, width);
    let start = widthOf(inputs.fields);
    this.beside = inputs.beside.map((input) => {
      start += input.size;
      const layer = new ProjectedInput(memory, parameters, input, tokens, isTrained);
      return { layer, start: start - input.size };
    });
    this.lstms = Array.from(
      { length: layers },
      (_, l) => new BiLstm(memory, parameters, `layer-${l + 1}`, units, tokens),
    );
    this.widths = [width, ...this.lstms.map(() => 2 * units)];
    this.rows = this.widths.map((width) => memory.take(width * tokens));
    if (!isTrained) return;
    this.rowGradients = this.widths.map((width) => memory.take(width * tokens));
    this.dropouts = this.widths.map(
      (width, l) => new Dropout(memory, width, l === 0 ? INPUT_DROPOUT : OUTPUT_DROPOUT),
    );
  }

  /** The encoded tokens: (n + 1) × 2 units. */
  get output(): Floats {
    return this.rows.at(-1)!;
  }

  /** The gradients of the output, which scorers add to before `backward`. */
  get outputGradients(): Floats {
    return this.rowGradients!.at(-1)!;
  }

  initialize(): void {
    for (const lstm of this.lstms) lstm.initialize();
  }

  /** Fills `output`; `random` draws the dropout masks, in training. */
  forward({ values, tokens, forms }: SentenceRows, random?: Random): void {
    const { rows, lstms, widths } = this;
    this.embeddings.forward(rows[0], values, tokens);
    for (const { layer, start } of this.beside) layer.forward(rows[0], start, widths[0], forms!);
    for (let l = 0; l < rows.length; l++) {
      if (random !== undefined) {
        this.dropouts![l].draw(random);
        this.dropouts![l].apply(rows[l], tokens);
      }
      if (l < lstms.length) lstms[l].forward(rows[l + 1], rows[l], tokens);
    }
  }

  clearGradients(tokens: number): void {
    for (const [l, { values }] of this.rowGradients!.entries()) values.fill(0, 0, this.widths[l] * tokens);
  }

  /** Adds to the gradients of the parameters, for the sentence that `forward` read. */
  backward({ values, tokens }: SentenceRows): void {
    const { rows, lstms, widths } = this;
    const gradients = this.rowGradients!;
    for (let l = rows.length - 1; l >= 0; l--) {
      this.dropouts![l].apply(gradients[l], tokens);
      if (l > 0) lstms[l - 1].backward(gradients[l], rows[l - 1], gradients[l - 1], tokens);
    }
    this.embeddings.backward(gradients[0], values, tokens);
    for (const { layer, start } of this.beside) layer.backward(gradients[0], start, widths[0], tokens);
  }
}

function rowLength({ fields, beside }: SentenceInputs): number {
  return beside.reduce((sum, { size }) => sum + size, widthOf(fields));
}
