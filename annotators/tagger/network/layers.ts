import { copyRows } from '../../../src/learn/network/copy-rows.ts';
import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { Dropout } from '../../../src/learn/network/layers/dropout.ts';
import {
  type EmbeddedField,
  Embeddings,
  embeddingShapes,
  widthOf,
} from '../../../src/learn/network/layers/embeddings.ts';
import {
  directions,
  forgetLittle,
  Recurrence,
  recurrenceShape,
} from '../../../src/learn/network/layers/recurrence.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';

/** How much is hidden of what stands for a word, and of what is remembered, while the network learns. */
const HIDDEN_INPUTS = 0.1;
const HIDDEN_OUTPUTS = 0.2;

/** How large the layers are. */
export interface LayerSizes {
  readonly fields: readonly EmbeddedField[];
  /** Units of each direction: a multiple of four. */
  readonly units: number;
}

/**
 * What different words add to the gates of both directions by themselves, whatever the sentence: found once for all
 * places where they stand.
 */
export class WordLayer {
  /** Of each direction rows of 4 `units` numbers, and their slopes where they are learnt. */
  readonly gates: readonly Floats[];
  readonly gateSlopes: readonly Floats[] | undefined;
  private readonly embeddings: Embeddings;
  private readonly inputs: readonly Dense[];
  private readonly width: number;
  private readonly rows: Floats;
  private readonly rowSlopes: Floats | undefined;
  private readonly dropout: Dropout | undefined;

  static shapes({ fields, units }: LayerSizes): Shape[] {
    const ofInputs = directions.flatMap((direction) =>
      denseShapes(`words.${direction}`, widthOf(fields), 4 * units),
    );
    return [...embeddingShapes(fields), ...ofInputs];
  }

  /** How many numbers it works with for so many words, besides its weights. */
  static room({ fields, units }: LayerSizes, words: number, isLearnt: boolean): number {
    const width = widthOf(fields);
    return (width + directions.length * 4 * units) * words * (isLearnt ? 2 : 1) + width;
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly sizes: LayerSizes,
    words: number,
    isLearnt: boolean,
  ) {
    const { fields, units } = sizes;
    this.embeddings = new Embeddings(parameters, fields);
    this.inputs = directions.map((direction) => new Dense(memory, parameters, `words.${direction}`));
    this.width = widthOf(fields);
    this.rows = memory.take(this.width * words);
    this.gates = directions.map(() => memory.take(4 * units * words));
    if (!isLearnt) return;
    this.rowSlopes = memory.take(this.width * words);
    this.gateSlopes = directions.map(() => memory.take(4 * units * words));
    this.dropout = new Dropout(memory, this.width, HIDDEN_INPUTS);
  }

  /** Where learning begins, after all weights are drawn. */
  begin(): void {
    for (const { bias } of this.inputs) forgetLittle(bias, this.sizes.units);
  }

  /**
   * Fills `gates`.
   *
   * @param values of each word, one for each field
   * @param random where it learns: what chooses what is hidden
   */
  forward(values: Int32Array, words: number, random?: Random): void {
    this.embeddings.forward(this.rows, values, words);
    if (random !== undefined) {
      this.dropout!.draw(random);
      this.dropout!.apply(this.rows, words);
    }
    for (const [d, inputs] of this.inputs.entries()) inputs.forward(this.gates[d], this.rows, words);
  }

  /** Adds to the slopes of the weights, by `gateSlopes`. */
  backward(values: Int32Array, words: number): void {
    const slopes = this.rowSlopes!;
    slopes.values.fill(0, 0, this.width * words);
    for (const [d, inputs] of this.inputs.entries()) {
      inputs.backward(this.gateSlopes![d], this.rows, slopes, words);
    }
    this.dropout!.apply(slopes, words);
    this.embeddings.backward(slopes, values, words);
  }
}

/** Reads the words of a sentence from both ends: each becomes numbers that tell of all that is around it. */
export class SentenceLayer {
  /** Twice `units` numbers a word, and their slopes. */
  readonly output: Floats;
  readonly outputSlopes: Floats;
  /** From either end: its gates are to be filled with what the words add. */
  readonly recurrences: readonly Recurrence[];
  private readonly dropout: Dropout;

  static shapes(units: number): Shape[] {
    return directions.map((direction) => recurrenceShape(`sentence.${direction}`, units));
  }

  /** How many numbers it works with for so many words, besides its weights. */
  static room(units: number, words: number): number {
    return 2 * units * (2 * words + 1) + directions.length * Recurrence.room(units, words, true);
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly units: number,
    words: number,
  ) {
    this.recurrences = directions.map(
      (direction) => new Recurrence(memory, parameters, `sentence.${direction}`, units, words),
    );
    this.output = memory.take(2 * units * words);
    this.outputSlopes = memory.take(2 * units * words);
    this.dropout = new Dropout(memory, 2 * units, HIDDEN_OUTPUTS);
  }

  /** Fills `output`; spends the gates. */
  forward(words: number, random?: Random): void {
    const { units, output } = this;
    for (const [d, recurrence] of this.recurrences.entries()) {
      recurrence.forward(words);
      copyRows(recurrence.hidden.values, 0, units, output.values, d * units, 2 * units, words);
    }
    if (random === undefined) return;
    this.dropout.draw(random);
    this.dropout.apply(output, words);
  }

  /** Sets the slopes of the output to zero: what comes after it adds to them. */
  clearSlopes(words: number): void {
    this.outputSlopes.values.fill(0, 0, 2 * this.units * words);
  }

  /** Adds to the slopes of the weights, and fills those of the gates, by `outputSlopes`. */
  backward(words: number): void {
    const { units } = this;
    const slopes = this.outputSlopes;
    this.dropout.apply(slopes, words);
    for (const [d, recurrence] of this.recurrences.entries()) {
      copyRows(slopes.values, d * units, 2 * units, recurrence.hiddenSlopes!.values, 0, units, words);
      recurrence.backward(words);
    }
  }
}
