import type { Random } from '../../random.ts';
import type { Floats, NetworkMemory } from '../memory.ts';

/** Probability with which a field of a token is replaced by the unknown value in training. */
export const VALUE_DROPOUT = 0.1;

/** Word dropout: α / (α + n) for a form seen n times in training (Kiperwasser & Goldberg 2016, §5). */
export const formDropout = (count: number): number => 0.25 / (0.25 + count);

/** Dropout in training, with one mask for all rows of a sentence (Srivastava et al. 2014; Gal & Ghahramani 2016). */
export class Dropout {
  private readonly mask: Floats;

  /** @param share dropout probability; the outputs kept are scaled by 1 / (1 − share) */
  constructor(
    private readonly memory: NetworkMemory,
    private readonly length: number,
    private readonly share: number,
  ) {
    this.mask = memory.take(length);
  }

  draw(random: Random): void {
    const kept = 1 / (1 - this.share);
    const { values } = this.mask;
    for (let i = 0; i < values.length; i++) values[i] = random.uniform() < this.share ? 0 : kept;
  }

  apply(rows: Floats, count: number): void {
    this.memory.kernels.multiplyRows(rows.at, this.mask.at, count, this.length);
  }
}
