import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import type { TagWeights } from '../tag-weights.ts';
import { AdaptiveWeights } from './adaptive-weights.ts';
import type { NetworkState } from './network-state.ts';

/** Everything that the training of a tagger changes. */
export class TaggerState extends TrainingState<never> {
  readonly adaptive: TagWeights<AdaptiveWeights>;

  /** @param sizes how many weights there are of each kind */
  constructor(
    sizes: TagWeights<number>,
    rate: number,
    fingerprint: string,
    private readonly network: NetworkState | undefined,
  ) {
    super({}, fingerprint);
    this.adaptive = {
      upos: new AdaptiveWeights(sizes.upos, rate),
      morphology: new AdaptiveWeights(sizes.morphology, rate),
    };
  }

  override save(file: ModelWriter): void {
    super.save(file);
    for (const [name, { values, squares }] of this.named()) {
      file.section(`${name}.values`, values);
      file.section(`${name}.squares`, squares);
    }
    this.network?.save(file);
  }

  override restore(file: ModelReader): void {
    super.restore(file);
    for (const [name, { values, squares }] of this.named()) {
      values.set(file.section(`${name}.values`, 'float32'));
      squares.set(file.section(`${name}.squares`, 'float32'));
    }
    this.network?.restore(file);
  }

  private named(): [string, AdaptiveWeights][] {
    return Object.entries({ ...this.adaptive });
  }
}
