import { existsSync } from 'node:fs';
import { OptionError } from '../errors.ts';
import { readModelFile, removeModelFile, writeModelFile } from '../model/model-file.ts';
import type { ModelReader } from '../model/model-reader.ts';
import { ModelWriter } from '../model/model-writer.ts';

/** Training state beside the model it will become: `MODEL.checkpoint`, in the model's own format. */
export class CheckpointFile {
  readonly path: string;
  readonly #resume: boolean;

  /** With `resume` false an earlier state is not looked at, and replaced by the first that is saved. */
  constructor(modelPath: string, options: { readonly resume: boolean }) {
    this.path = `${modelPath}.checkpoint`;
    this.#resume = options.resume;
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** The last state saved, or undefined where there is none or a fresh start was asked for. */
  load(): ModelReader | undefined {
    return this.#resume && this.exists ? readModelFile(this.path, 'checkpoint') : undefined;
  }

  /** Replaces the state on disk by what `write` fills in: as a whole or not at all. */
  save(write: (checkpoint: ModelWriter) => void): void {
    const checkpoint = new ModelWriter('checkpoint');
    write(checkpoint);
    writeModelFile(this.path, checkpoint);
  }

  remove(): void {
    removeModelFile(this.path);
  }
}

/** What to throw where a saved state is not of the training that is to go on. */
export function otherTraining({ name }: ModelReader): OptionError {
  return new OptionError(
    (option) =>
      `${name} is of a training with other options, data or seed: train without ${option('resume')}`,
  );
}
