import { z } from 'zod';
import type { Parameters } from '../../../src/learn/network/parameters.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { otherTraining } from '../../../src/training/checkpoint-file.ts';
import type { EpochState } from '../../../src/training/epochs.ts';
import { BestEpoch } from '../../../src/training/training-state.ts';

const positionSchema = z.object({
  fingerprint: z.string(),
  epoch: z.int().min(1),
  done: z.int().min(0),
  mistakes: z.int().min(0),
  steps: z.int().min(0),
  tokens: z.int().min(0),
});

/** Everything that the training of a network changes: saved at any sentence, it is enough to go on as if never stopped. */
export class NetworkState implements EpochState {
  epoch = 1;
  done = 0;
  /** Heads of this epoch that were not found. */
  mistakes = 0;
  /** Steps of learning so far, and the tokens whose slopes wait for the next. */
  steps = 0;
  tokens = 0;
  readonly best = new BestEpoch();

  constructor(
    private readonly parameters: Parameters,
    /** Names the options, data and seed; a state is of use to no other training. */
    private readonly fingerprint: string,
  ) {}

  startEpoch(epoch: number): void {
    this.epoch = epoch;
    this.done = this.mistakes = 0;
  }

  save(file: ModelWriter): void {
    const { fingerprint, epoch, done, mistakes, steps, tokens } = this;
    file.header.training = { fingerprint, epoch, done, mistakes, steps, tokens };
    for (const [name, values] of this.sections()) file.section(name, values);
  }

  /** Takes up a state that was saved; throws `UsageError` where it belongs to another training. */
  restore(file: ModelReader): void {
    const position = file.has('slopes') ? file.field('training', positionSchema) : undefined;
    if (position?.fingerprint !== this.fingerprint) throw otherTraining(file);
    const { epoch, done, mistakes, steps, tokens } = position;
    Object.assign(this, { epoch, done, mistakes, steps, tokens });
    for (const [name, values] of this.sections()) {
      values.set(file.section(name, 'float32', { length: values.length }));
    }
  }

  /** Sentences add to slopes, so that those of a batch that is not full wait, too. */
  private sections(): [name: string, values: Float32Array][] {
    return [...this.parameters.state(), ['slopes', this.parameters.slopes!.values]];
  }
}
