import {
  type ColumnEncoder,
  columnStart,
  type EncodedColumn,
  type EncodedSentence,
  valueCounts,
} from '../../encoding/columns.ts';
import { UNKNOWN } from '../../encoding/vocabulary.ts';
import { formDropout, VALUE_DROPOUT } from '../../learn/network/layers/dropout.ts';
import type { NetworkTraining } from '../../learn/network/training.ts';
import type { Random } from '../../learn/random.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { TrainingState } from '../training-state.ts';

/** The state of a training of a network over encoded sentences. */
export class NetworkState extends TrainingState<never> {
  constructor(
    fingerprint: string,
    private readonly training: NetworkTraining,
  ) {
    super({}, fingerprint);
  }

  override save(file: ModelWriter): void {
    super.save(file);
    this.training.save(file);
  }

  override restore(file: ModelReader): void {
    super.restore(file);
    this.training.restore(file);
  }
}

/** Replaces values of tokens by unknown ones in training, so that the network learns to do without them. */
export class ValueDropout {
  private readonly places: readonly number[];
  private readonly form: number;
  private readonly ofForms: Float64Array;

  constructor(
    encoder: ColumnEncoder,
    columns: readonly EncodedColumn[],
    examples: readonly EncodedSentence[],
  ) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
    this.form = encoder.names.indexOf('form');
    const counts = valueCounts(examples, this.form, encoder.vocabulary(this.form).size);
    this.ofForms = Float64Array.from(counts, formDropout);
  }

  applyTo<S extends EncodedSentence>(example: S, random: Random): S {
    const columns = example.columns.slice();
    for (const place of this.places) {
      const start = columnStart(example.length, place);
      for (let i = start + 1; i <= start + example.length; i++) {
        if (random.share() < VALUE_DROPOUT) columns[i] = UNKNOWN;
        else if (place === this.form && random.share() < this.ofForms[columns[i]]) columns[i] = UNKNOWN;
      }
    }
    return { ...example, columns };
  }
}
