import { checkFields } from '../checks.ts';
import { OptionError } from '../errors.ts';
import { type Claim, claim, claimantOf, lockOf } from '../files/lock.ts';
import { thisProcess } from '../files/owner.ts';
import { readModelFile, writeModelFile } from '../model/model-file.ts';
import type { ModelReader } from '../model/model-reader.ts';
import { ModelWriter } from '../model/model-writer.ts';
import { existsSync, rmSync } from '../platform/files.ts';

/** The file with the training state of a model: `MODEL.checkpoint`, in the format of models. */
export class CheckpointFile {
  readonly path: string;
  private readonly resume: boolean;

  /** @param options.resume if false, an earlier state is ignored and will be replaced */
  constructor(modelPath: string, options: { readonly resume: boolean }) {
    checkFields('CheckpointFile', options, ['resume']);
    this.path = `${modelPath}.checkpoint`;
    this.resume = options.resume;
  }

  get files(): readonly string[] {
    return [this.path, lockOf(this.path)];
  }

  /** Claims the state for this training; undefined if another training holds it. */
  claim(): Claim | undefined {
    return claim(this.path);
  }

  /** The message for a state that another training holds. */
  get taken(): string {
    const owner = claimantOf(this.path);
    const place = owner === undefined || owner.host === thisProcess().host ? '' : ` on ${owner.host}`;
    const who = owner === undefined ? 'another process' : `process ${owner.pid}${place}`;
    return `is being trained by ${who} (which ${lockOf(this.path)} says)`;
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /** Whether there is a state that `load` returns. */
  get isResumable(): boolean {
    return this.resume && this.exists;
  }

  /** The saved state; undefined if there is none, or for a fresh start. */
  load(): ModelReader | undefined {
    return this.isResumable ? readModelFile(this.path, 'checkpoint') : undefined;
  }

  save(write: (checkpoint: ModelWriter) => void): void {
    const checkpoint = new ModelWriter('checkpoint');
    write(checkpoint);
    writeModelFile(this.path, checkpoint);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** The error for a checkpoint of another training. */
export function otherTraining({ name }: ModelReader): OptionError {
  return new OptionError(
    (option) =>
      `${name} is of a training with other options, data or seed: train without ${option('resume')}`,
  );
}
