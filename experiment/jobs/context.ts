import type { CellCache } from '../run/cell-cache.ts';

/** What a job's process gives it. */
export interface JobContext {
  readonly cache: CellCache;
  /** Processor cores that training may use; scores do not depend on it. */
  readonly cores: number;
  /** Told now and then which share of the training is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}
