import type { Random } from '../../random.ts';
import type { Floats, NetworkMemory } from '../memory.ts';
import type { Parameters, Shape } from '../parameters.ts';
import { type CharacterInput, Characters } from './characters.ts';
import { type EmbeddedField, Embeddings, embeddingShapes, widthOf } from './embeddings.ts';
import { type LayerUse, ProjectedInput, type TokenInput } from './projected-input.ts';

/** The inputs of a token: embedded fields, and inputs beside them (vectors, encoder, characters). */
export interface InputFields {
  readonly fields: readonly EmbeddedField[];
  readonly extraInputs: readonly ExtraInput[];
}

export type ExtraInput = TokenInput | CharacterInput;

/** The tokens of a sentence, as the input layer reads them. */
export interface InputRows {
  readonly tokens: number;
  /** tokens × values per token. */
  readonly values: Int32Array;
  /** The tokens' forms; only read by inputs beside the embeddings. */
  readonly forms?: readonly string[] | undefined;
}

/** The first layer of a network: embeddings of a token's fields, then the projections of inputs beside them. */
export class InputLayer {
  /** The length of a token's row. */
  readonly width: number;
  private readonly embeddings: Embeddings;
  private readonly extraInputs: readonly {
    readonly layer: ProjectedInput | Characters;
    readonly start: number;
  }[];

  static width({ fields, extraInputs }: InputFields): number {
    return extraInputs.reduce((sum, { size }) => sum + size, widthOf(fields));
  }

  static shapes({ fields, extraInputs }: InputFields): Shape[] {
    return [
      ...embeddingShapes(fields),
      ...extraInputs.flatMap((input) =>
        'fill' in input ? ProjectedInput.shapes(input) : Characters.shapes(input),
      ),
    ];
  }

  /** Number of floats that it takes of the memory for this many tokens, parameters excluded. */
  static floatCount({ extraInputs }: InputFields, tokens: number): number {
    const numbersOf = (input: ExtraInput) =>
      'fill' in input ? ProjectedInput.floatCount(input, tokens) : Characters.floatCount(input);
    return extraInputs.reduce((sum, input) => sum + numbersOf(input), 0);
  }

  constructor(memory: NetworkMemory, parameters: Parameters, inputs: InputFields, use: LayerUse) {
    this.width = InputLayer.width(inputs);
    this.embeddings = new Embeddings(parameters, inputs.fields, this.width);
    let start = widthOf(inputs.fields);
    this.extraInputs = inputs.extraInputs.map((input) => {
      start += input.size;
      const layer =
        'fill' in input
          ? new ProjectedInput(memory, parameters, input, use)
          : new Characters(memory, parameters, input, use);
      return { layer, start: start - input.size };
    });
  }

  /** Fills `out`: tokens × width. @param random draws the dropout, in training */
  forward(out: Floats, { tokens, values, forms }: InputRows, random?: Random): void {
    this.embeddings.forward(out, values, tokens);
    for (const { layer, start } of this.extraInputs) layer.forward(out, start, this.width, forms!, random);
  }

  /** Accumulates the gradients of the parameters, given the rows' gradients, after `forward` with the same tokens. */
  backward(gradients: Floats, { tokens, values }: InputRows): void {
    this.embeddings.backward(gradients, values, tokens);
    for (const { layer, start } of this.extraInputs) layer.backward(gradients, start, this.width, tokens);
  }
}
