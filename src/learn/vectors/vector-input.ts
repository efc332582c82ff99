import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader, ModelWriter } from '../../model/model.ts';
import type { TokenInput } from '../network/layers/projected-input.ts';
import { LANES } from '../network/layout.ts';
import { VectorTable } from './vector-table.ts';

/** The length of projected vectors. */
const SIZE = 100;
const MOST_SIZE = 1024;

/** Word vectors as an input of a network. */
export class VectorInput implements TokenInput {
  readonly name = 'vectors';

  constructor(
    private readonly vectors: VectorTable,
    readonly size = SIZE,
  ) {}

  /** @param fields those that `save` returned */
  static load(model: ModelReader, prefix: string, fields: HeaderFields): VectorInput {
    const size = fields.integer('size', LANES, MOST_SIZE);
    if (size % LANES !== 0) fields.refuse('size', `a multiple of ${LANES}`);
    return new VectorInput(VectorTable.load(model, `${prefix}vectors`, fields), size);
  }

  /** Writes the table's sections; returns fields for the header. */
  save(model: ModelWriter, prefix: string): object {
    return { ...this.vectors.save(model, `${prefix}vectors`), size: this.size };
  }

  get dimensions(): number {
    return this.vectors.dimensions;
  }

  get digest(): string {
    return this.vectors.digest;
  }

  fill(forms: readonly string[], rows: Float32Array, stride: number, isKnown: Uint8Array): void {
    for (let t = 0; t < forms.length; t++) {
      if (this.vectors.fill(forms[t], rows, t * stride)) isKnown[t] = 1;
    }
  }
}
