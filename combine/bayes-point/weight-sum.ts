import { z } from 'zod';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { otherTraining } from '../../src/training/checkpoint-file.ts';

const headerSchema = z.object({ fingerprint: z.string(), members: z.int(), vectors: z.int() });

/** The weights of several members, added up. */
export class WeightSum {
  members = 0;
  private sums: Float64Array[] = [];

  /** `fingerprint` names the data, options and seed: a sum that was saved is of use to no other training. */
  constructor(private readonly fingerprint: string) {}

  add(weights: readonly Float32Array[]): void {
    if (this.members === 0) this.sums = weights.map((vector) => new Float64Array(vector.length));
    this.members++;
    for (const [v, vector] of weights.entries()) {
      const sum = this.sums[v];
      for (let i = 0; i < vector.length; i++) sum[i] += vector[i];
    }
  }

  mean(): Float32Array[] {
    return this.sums.map((sum) => {
      const mean = new Float32Array(sum.length);
      for (let i = 0; i < sum.length; i++) mean[i] = sum[i] / this.members;
      return mean;
    });
  }

  save(file: ModelWriter): void {
    file.header.bayesPoint = {
      fingerprint: this.fingerprint,
      members: this.members,
      vectors: this.sums.length,
    };
    for (const [v, sum] of this.sums.entries()) file.section(`sum.${v}`, sum);
  }

  /** Takes up what was saved; throws `UsageError` where it belongs to another training. */
  restore(file: ModelReader): void {
    if (!file.has('sum.0')) throw otherTraining(file);
    const header = file.field('bayesPoint', headerSchema);
    if (header.fingerprint !== this.fingerprint) throw otherTraining(file);
    this.members = header.members;
    this.sums = Array.from({ length: header.vectors }, (_, v) => file.section(`sum.${v}`, 'float64').slice());
  }
}
