import { Dropout } from '../../../src/learn/network/layers/dropout.ts';
import {
  type EmbeddedField,
  Embeddings,
  embeddingShapes,
  widthOf,
} from '../../../src/learn/network/layers/embeddings.ts';
import { Recurrent, recurrentShapes } from '../../../src/learn/network/layers/recurrent.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';

/** How much is hidden of what stands for a token, and of what each recurrent layer gives, while the network learns. */
const HIDDEN_INPUTS = 0.1;
const HIDDEN_OUTPUTS = 0.33;

/** How large the layers are that read a sentence. */
export interface LayerSizes {
  readonly fields: readonly EmbeddedField[];
  readonly layers: number;
  readonly units: number;
}

/**
 * Reads a sentence: each token becomes numbers that tell of it and of all that is around it, by recurrent layers in both
 * directions, one upon the other (Kiperwasser & Goldberg 2016, §4).
 */
export class SentenceLayers {
  private readonly embeddings: Embeddings;
  private readonly recurrent: readonly Recurrent[];
  /** How many numbers a token has before the first layer, and after each. */
  private readonly widths: readonly number[];
  /** What goes into each layer, and out of the last. */
  private readonly rows: readonly Floats[];
  private readonly rowSlopes: readonly Floats[] | undefined;
  private readonly dropouts: readonly Dropout[] | undefined;

  static shapes({ fields, layers, units }: LayerSizes): Shape[] {
    const ofLayers = Array.from({ length: layers }, (_, l) =>
      recurrentShapes(`layer-${l + 1}`, l === 0 ? widthOf(fields) : 2 * units, units),
    );
    return [...embeddingShapes(fields), ...ofLayers.flat()];
  }

  /** How many numbers they work with, besides their weights. */
  static room({ fields, layers, units }: LayerSizes, tokens: number, isLearnt: boolean): number {
    const widths = widthOf(fields) + layers * 2 * units;
    const ofRows = isLearnt ? widths * (2 * tokens + 1) : widths * tokens;
    return ofRows + layers * Recurrent.room(units, tokens, isLearnt);
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    { fields, layers, units }: LayerSizes,
    tokens: number,
    isLearnt: boolean,
  ) {
    this.embeddings = new Embeddings(parameters, fields);
    this.recurrent = Array.from(
      { length: layers },
      (_, l) => new Recurrent(memory, parameters, `layer-${l + 1}`, units, tokens),
    );
    this.widths = [widthOf(fields), ...this.recurrent.map(() => 2 * units)];
    this.rows = this.widths.map((width) => memory.take(width * tokens));
    if (!isLearnt) return;
    this.rowSlopes = this.widths.map((width) => memory.take(width * tokens));
    this.dropouts = this.widths.map(
      (width, l) => new Dropout(memory, width, l === 0 ? HIDDEN_INPUTS : HIDDEN_OUTPUTS),
    );
  }

  /** What stands for the tokens in the end, a row for each. */
  get output(): Floats {
    return this.rows.at(-1)!;
  }

  /** The slopes of that, for others to add to before `backward`. */
  get outputSlopes(): Floats {
    return this.rowSlopes!.at(-1)!;
  }

  /** Where learning begins, after all weights are drawn. */
  begin(): void {
    for (const layer of this.recurrent) layer.begin();
  }

  /**
   * Fills `output`.
   *
   * @param values of each token, the root first, those of its fields
   * @param random where it learns: what chooses what is hidden
   */
  forward(values: Int32Array, tokens: number, random?: Random): void {
    const { rows, recurrent } = this;
    this.embeddings.forward(rows[0], values, tokens);
    for (let l = 0; l < rows.length; l++) {
      if (random !== undefined) {
        this.dropouts![l].draw(random);
        this.dropouts![l].apply(rows[l], tokens);
      }
      if (l < recurrent.length) recurrent[l].forward(rows[l + 1], rows[l], tokens);
    }
  }

  /** Sets the slopes of all rows to zero: what comes after the layers adds to the last. */
  clearSlopes(tokens: number): void {
    for (const [l, { values }] of this.rowSlopes!.entries()) values.fill(0, 0, this.widths[l] * tokens);
  }

  /** Adds to the slopes of the weights, by those of the output. */
  backward(values: Int32Array, tokens: number): void {
    const { rows, recurrent } = this;
    const slopes = this.rowSlopes!;
    for (let l = rows.length - 1; l >= 0; l--) {
      this.dropouts![l].apply(slopes[l], tokens);
      if (l > 0) recurrent[l - 1].backward(slopes[l], rows[l - 1], slopes[l - 1], tokens);
    }
    this.embeddings.backward(slopes[0], values, tokens);
  }
}
