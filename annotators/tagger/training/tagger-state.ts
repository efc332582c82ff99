import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import type { TagWeights } from '../tag-weights.ts';
import { type DirectionName, directionNames } from '../tagger.ts';
import { AdaptiveWeights } from './adaptive-weights.ts';

/** Everything that the training of a tagger changes. */
export class TaggerState extends TrainingState<never> {
  readonly adaptive: Readonly<Record<DirectionName, TagWeights<AdaptiveWeights>>>;

  /** @param sizes how many weights there are, by direction and kind */
  constructor(sizes: Readonly<Record<DirectionName, TagWeights<number>>>, rate: number, fingerprint: string) {
    super({}, fingerprint);
    const entries = directionNames.map((name) => {
      const { upos, morphology } = sizes[name];
      const weights = {
        upos: new AdaptiveWeights(upos, rate),
        morphology: new AdaptiveWeights(morphology, rate),
      };
      return [name, weights];
    });
    this.adaptive = Object.fromEntries(entries);
  }

  override save(file: ModelWriter): void {
    super.save(file);
    for (const [name, { values, squares }] of this.#named()) {
      file.section(`${name}.values`, values);
      file.section(`${name}.squares`, squares);
    }
  }

  override restore(file: ModelReader): void {
    super.restore(file);
    for (const [name, { values, squares }] of this.#named()) {
      values.set(file.section(`${name}.values`, 'float32'));
      squares.set(file.section(`${name}.squares`, 'float32'));
    }
  }

  #named(): [string, AdaptiveWeights][] {
    return directionNames.flatMap((name) => [
      [`${name}.upos`, this.adaptive[name].upos] as [string, AdaptiveWeights],
      [`${name}.morphology`, this.adaptive[name].morphology] as [string, AdaptiveWeights],
    ]);
  }
}
