import { Dense, denseShapes } from '../../../src/learn/network/layers/dense.ts';
import { Dropout, INPUT_DROPOUT } from '../../../src/learn/network/layers/dropout.ts';
import {
  type EmbeddedField,
  Embeddings,
  embeddingShapes,
  widthOf,
} from '../../../src/learn/network/layers/embeddings.ts';
import {
  copyRows,
  directions,
  initializeForgetGates,
  LstmPass,
  recurrentShape,
} from '../../../src/learn/network/layers/lstm.ts';
import { GATES } from '../../../src/learn/network/layout.ts';
import type { Floats, NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { Parameters, Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';

const OUTPUT_DROPOUT = 0.2;

export interface LayerSizes {
  readonly fields: readonly EmbeddedField[];
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
}

/** What different words add to the gates of both directions: computed once for all places where they occur. */
export class WordLayer {
  /** For each direction: words × 4 units; and their gradients, in training. */
  readonly gates: readonly Floats[];
  readonly gateGradients: readonly Floats[] | undefined;
  private readonly embeddings: Embeddings;
  private readonly inputs: readonly Dense[];
  private readonly width: number;
  private readonly rows: Floats;
  private readonly rowGradients: Floats | undefined;
  private readonly dropout: Dropout | undefined;

  static shapes({ fields, units }: LayerSizes): Shape[] {
    const ofInputs = directions.flatMap((direction) =>
      denseShapes(`words.${direction}`, widthOf(fields), GATES * units),
    );
    return [...embeddingShapes(fields), ...ofInputs];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly sizes: LayerSizes,
    words: number,
    isTrained: boolean,
  ) {
    const { fields, units } = sizes;
    this.embeddings = new Embeddings(parameters, fields);
    this.inputs = directions.map((direction) => new Dense(memory, parameters, `words.${direction}`));
    this.width = widthOf(fields);
    this.rows = memory.take(this.width * words);
    this.gates = directions.map(() => memory.take(GATES * units * words));
    if (!isTrained) return;
    this.rowGradients = memory.take(this.width * words);
    this.gateGradients = directions.map(() => memory.take(GATES * units * words));
    this.dropout = new Dropout(memory, this.width, INPUT_DROPOUT);
  }

  initialize(): void {
    for (const { bias } of this.inputs) initializeForgetGates(bias, this.sizes.units);
  }

  /**
   * Fills `gates`.
   *
   * @param values words × fields
   * @param random draws the dropout masks, in training
   */
  forward(values: Int32Array, words: number, random?: Random): void {
    this.embeddings.forward(this.rows, values, words);
    if (random !== undefined) {
      this.dropout!.draw(random);
      this.dropout!.apply(this.rows, words);
    }
    for (const [d, inputs] of this.inputs.entries()) inputs.forward(this.gates[d], this.rows, words);
  }

  backward(values: Int32Array, words: number): void {
    const gradients = this.rowGradients!;
    gradients.values.fill(0, 0, this.width * words);
    for (const [d, inputs] of this.inputs.entries()) {
      inputs.backward(this.gateGradients![d], this.rows, gradients, words);
    }
    this.dropout!.apply(gradients, words);
    this.embeddings.backward(gradients, values, words);
  }
}

/** The bidirectional LSTM over a sentence, in training. */
export class SentenceLayer {
  /** words × 2 units, and their gradients. */
  readonly output: Floats;
  readonly outputGradients: Floats;
  /** One for each direction; their gates are to be filled with what the words add. */
  readonly lstms: readonly LstmPass[];
  private readonly dropout: Dropout;

  static shapes(units: number): Shape[] {
    return directions.map((direction) => recurrentShape(`sentence.${direction}`, units));
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly units: number,
    words: number,
  ) {
    this.lstms = directions.map(
      (direction) => new LstmPass(memory, parameters, `sentence.${direction}`, units, words),
    );
    this.output = memory.take(2 * units * words);
    this.outputGradients = memory.take(2 * units * words);
    this.dropout = new Dropout(memory, 2 * units, OUTPUT_DROPOUT);
  }

  /** Fills `output`; overwrites the gates. */
  forward(words: number, random?: Random): void {
    const { units, output } = this;
    for (const [d, lstm] of this.lstms.entries()) {
      lstm.forward(words);
      copyRows(lstm.hidden.values, 0, units, output.values, d * units, 2 * units, words);
    }
    if (random === undefined) return;
    this.dropout.draw(random);
    this.dropout.apply(output, words);
  }

  clearGradients(words: number): void {
    this.outputGradients.values.fill(0, 0, 2 * this.units * words);
  }

  /** Adds to the gradients of the weights, and fills those of the gates, by `outputGradients`. */
  backward(words: number): void {
    const { units } = this;
    const gradients = this.outputGradients;
    this.dropout.apply(gradients, words);
    for (const [d, lstm] of this.lstms.entries()) {
      copyRows(gradients.values, d * units, 2 * units, lstm.hiddenGradients!.values, 0, units, words);
      lstm.backward(words);
    }
  }
}

/** A dense layer in training, with its outputs: a row for each word. */
export class OutputRows {
  readonly scores: Floats;
  readonly gradients: Floats;
  /** The distance between rows. */
  readonly length: number;
  private readonly layer: Dense;

  constructor(memory: NetworkMemory, parameters: Parameters, name: string, words: number) {
    this.layer = new Dense(memory, parameters, name);
    this.length = this.layer.bias.columns;
    this.scores = memory.take(this.length * words);
    this.gradients = memory.take(this.length * words);
  }

  forward(x: Floats, words: number): void {
    this.layer.forward(this.scores, x, words);
  }

  backward(x: Floats, xGradients: Floats, words: number): void {
    this.layer.backward(this.gradients, x, xGradients, words);
  }
}
