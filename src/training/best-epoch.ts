import { z } from 'zod';
import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import type { EpochScores, KeptEpoch } from './training-run.ts';

const scoresSchema = z.object({ epoch: z.int().min(1), uas: z.number(), las: z.number(), vectors: z.int() });

/**
 * The epoch that did best on held-out data so far, by LAS, then UAS, of equals the first; and its weights, where these
 * are to be kept.
 */
export class BestEpoch {
  private bestScores: KeptEpoch | undefined;
  private bestWeights: readonly Float32Array[] = [];

  get scores(): KeptEpoch | undefined {
    return this.bestScores;
  }

  /** The same, of an epoch whose weights are kept. */
  get kept(): KeptEpoch | undefined {
    return this.bestWeights.length > 0 ? this.bestScores : undefined;
  }

  /** What was learnt up to that epoch, which there must be. */
  get weights(): readonly Float32Array[] {
    return this.bestWeights;
  }

  /** Takes an epoch where none before did as well, with its weights if they are to be kept. */
  offer(epoch: number, { uas, las }: EpochScores, weights: readonly Float32Array[] = []): void {
    const best = this.bestScores;
    if (best !== undefined && (las < best.las || (las === best.las && uas <= best.uas))) return;
    this.bestScores = { epoch, uas, las };
    this.bestWeights = weights;
  }

  save(file: ModelWriter): void {
    if (this.bestScores === undefined) return;
    file.header.best = { ...this.bestScores, vectors: this.bestWeights.length };
    for (const [v, vector] of this.bestWeights.entries()) file.section(`best.${v}`, vector);
  }

  /** Takes up what was saved, if there was anything. */
  restore(file: ModelReader): void {
    if (!file.fields().has('best')) return;
    const { vectors, ...scores } = file.field('best', scoresSchema);
    this.bestScores = scores;
    this.bestWeights = Array.from({ length: vectors }, (_, v) =>
      file.section(`best.${v}`, 'float32').slice(),
    );
  }
}
