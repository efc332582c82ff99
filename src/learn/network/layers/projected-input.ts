import { FLOAT } from '../layout.ts';
import { type Floats, type NetworkMemory, padded } from '../memory.ts';
import type { Matrix, Parameters, Shape } from '../parameters.ts';
import { copyRows } from './lstm.ts';

/**
 * A fixed vector per token, such as a word vector: an input beside the learned embeddings that the network reads through a
 * learned projection.
 */
export interface TokenInput {
  /** Names the projection's parameters. */
  readonly name: string;
  /** Dimensions of the fixed vectors. */
  readonly dimensions: number;
  /** Dimensions of the projection, a multiple of four. */
  readonly size: number;
  /** Whether a token's vector depends on the other tokens of the sentence; absent: on its form alone. */
  readonly readsContext?: boolean;
  /**
   * Fills the rows of the tokens of a sentence, and `isKnown`: 1 for each token that has numbers. The root's form is empty.
   * Rows begin `stride` numbers apart; they and `isKnown` hold zeros before.
   */
  fill(forms: readonly string[], rows: Float32Array, stride: number, isKnown: Uint8Array): void;
}

/** The row added to a token's projection: a bias, or a learned row if the token has no vector. */
export enum Addend {
  unknown,
  known,
  root,
}

const ADDENDS = 3;

/** How an input layer is used. */
export interface LayerUse {
  /** Maximum number of tokens. */
  readonly tokens: number;
  /** Whether the first token is the root. */
  readonly hasRoot: boolean;
}

/** Projects the fixed vectors of tokens (Dozat, Qi & Manning 2017, §2.1). */
export class ProjectedInput {
  private readonly hasRoot: boolean;
  private readonly weights: Matrix;
  private readonly addends: Matrix;
  /** tokens × padded dimensions. */
  private readonly numbers: Floats;
  /** The `Addend` of each token. */
  private readonly addendOf: Uint8Array;
  /** tokens × size; and their gradients, in training. */
  private readonly projected: Floats;
  private readonly gradients: Floats | undefined;

  static shapes({ name, dimensions, size }: TokenInput): Shape[] {
    return [
      { name: `${name}.weights`, rows: size, columns: padded(dimensions), spread: Math.sqrt(3 / dimensions) },
      { name: `${name}.addends`, rows: ADDENDS, columns: size },
    ];
  }

  /** Number of floats that it takes of the memory for inference, parameters excluded. */
  static floatCount({ dimensions, size }: TokenInput, tokens: number): number {
    return tokens * (padded(dimensions) + size);
  }

  constructor(
    private readonly memory: NetworkMemory,
    parameters: Parameters,
    private readonly input: TokenInput,
    { tokens, hasRoot }: LayerUse,
  ) {
    this.hasRoot = hasRoot;
    this.weights = parameters.matrix(`${input.name}.weights`);
    this.addends = parameters.matrix(`${input.name}.addends`);
    this.numbers = memory.take(tokens * this.weights.columns);
    this.addendOf = new Uint8Array(tokens);
    this.projected = memory.take(tokens * input.size);
    if (parameters.gradients !== undefined) this.gradients = memory.take(tokens * input.size);
  }

  /** Writes columns `start`… of the rows of `out`, which are `width` floats long. */
  forward(out: Floats, start: number, width: number, forms: readonly string[]): void {
    const { input, numbers, addendOf, projected, weights, addends } = this;
    const tokens = forms.length;
    numbers.values.fill(0, 0, tokens * weights.columns);
    addendOf.fill(Addend.unknown, 0, tokens);
    input.fill(forms, numbers.values, weights.columns, addendOf);
    if (this.hasRoot) for (let t = 0; t < tokens; t++) if (forms[t] === '') addendOf[t] = Addend.root;
    const { kernels } = this.memory;
    kernels.product(projected.at, numbers.at, weights.at, tokens, weights.columns, input.size);
    for (let t = 0; t < tokens; t++) {
      const row = projected.at + t * input.size * FLOAT;
      kernels.addToRows(row, addends.at + addendOf[t] * input.size * FLOAT, 1, input.size);
    }
    copyRows(projected.values, 0, input.size, out.values, start, width, tokens);
  }

  /** Accumulates the gradients of the parameters for the tokens of the last `forward`. */
  backward(rowGradients: Floats, start: number, width: number, tokens: number): void {
    const { input, numbers, weights, addends } = this;
    const gradients = this.gradients!;
    copyRows(rowGradients.values, start, width, gradients.values, 0, input.size, tokens);
    const { kernels } = this.memory;
    const { at } = weights.gradients!;
    kernels.productWeights(at, gradients.at, numbers.at, tokens, weights.columns, input.size);
    for (let t = 0; t < tokens; t++) {
      const addend = addends.gradients!.at + this.addendOf[t] * input.size * FLOAT;
      kernels.addToRows(addend, gradients.at + t * input.size * FLOAT, 1, input.size);
    }
  }
}
