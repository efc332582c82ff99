import { z } from 'zod';
import type { Parameters } from '../../../src/learn/network/parameters.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';

const positionSchema = z.object({ steps: z.int().min(0), waiting: z.array(z.int().min(0)) });

/** Everything that the training of a tagger's network changes. */
export class NetworkState {
  /** Steps of learning so far. */
  steps = 0;
  /** The numbers of the sentences that wait for the next. */
  waiting: number[] = [];

  constructor(private readonly parameters: Parameters) {}

  save(file: ModelWriter): void {
    const { steps, waiting } = this;
    file.header.network = { steps, waiting };
    for (const [name, values] of this.parameters.state()) file.section(`network.${name}`, values);
  }

  restore(file: ModelReader): void {
    Object.assign(this, file.field('network', positionSchema));
    for (const [name, values] of this.parameters.state()) {
      values.set(file.section(`network.${name}`, 'float32', { length: values.length }));
    }
  }
}
