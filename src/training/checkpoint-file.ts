import { existsSync, rmSync } from 'node:fs';
import { OptionError } from '../errors.ts';
import { type Claim, claim, claimantOf, lockOf } from '../files/lock.ts';
import { thisProcess } from '../files/owner.ts';
import { readModelFile, writeModelFile } from '../model/model-file.ts';
import type { ModelReader } from '../model/model-reader.ts';
import { ModelWriter } from '../model/model-writer.ts';

/** Training state beside the model it will become: `MODEL.checkpoint`, in the model's own format. */
export class CheckpointFile {
  readonly path: string;
  private readonly resume: boolean;

  /** With `resume` false an earlier state is not looked at, and replaced by the first that is saved. */
  constructor(modelPath: string, options: { readonly resume: boolean }) {
    this.path = `${modelPath}.checkpoint`;
    this.resume = options.resume;
  }

  /** The files that a training leaves while it lasts. */
  get files(): readonly string[] {
    return [this.path, lockOf(this.path)];
  }

  /** Keeps other training runs away from the state as long as this one lasts; undefined where another does so. */
  claim(): Claim | undefined {
    return claim(this.path);
  }

  /** What there is to say where another training has claimed the state. */
  get taken(): string {
    const owner = claimantOf(this.path);
    const place = owner === undefined || owner.host === thisProcess().host ? '' : ` on ${owner.host}`;
    const who = owner === undefined ? 'another process' : `process ${owner.pid}${place}`;
    return `is being trained by ${who} (which ${lockOf(this.path)} says)`;
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** The last state saved, or undefined where there is none or a fresh start was asked for. */
  load(): ModelReader | undefined {
    return this.resume && this.exists ? readModelFile(this.path, 'checkpoint') : undefined;
  }

  /** Replaces the state on disk by what `write` fills in: as a whole or not at all. */
  save(write: (checkpoint: ModelWriter) => void): void {
    const checkpoint = new ModelWriter('checkpoint');
    write(checkpoint);
    writeModelFile(this.path, checkpoint);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** What to throw where a saved state is not of the training that is to go on. */
export function otherTraining({ name }: ModelReader): OptionError {
  return new OptionError(
    (option) =>
      `${name} is of a training with other options, data or seed: train without ${option('resume')}`,
  );
}
