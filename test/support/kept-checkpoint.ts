import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { CheckpointStore } from '../../src/training/training-run.ts';
import { modelBuffer } from './model-buffer.ts';

/** A store that keeps the last checkpoint of a training in memory. */
export class KeptCheckpoint implements CheckpointStore {
  kept: SharedArrayBuffer | undefined;

  load(): ModelReader | undefined {
    return this.kept && ModelReader.fromBuffer(this.kept, 'checkpoint');
  }

  save(write: (checkpoint: ModelWriter) => void): void {
    const writer = new ModelWriter('checkpoint');
    write(writer);
    this.kept = modelBuffer(writer);
  }
}
