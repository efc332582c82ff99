import type { Random } from '../../random.ts';
import type { Floats, NetworkMemory } from '../memory.ts';

/**
 * Hides some of a layer's outputs while it learns, the same in all rows of a sentence (Srivastava et al. 2014; Gal &
 * Ghahramani 2016).
 */
export class Dropout {
  private readonly mask: Floats;

  /** @param share how many are hidden; the others are made larger by as much */
  constructor(
    private readonly memory: NetworkMemory,
    private readonly length: number,
    private readonly share: number,
  ) {
    this.mask = memory.take(length);
  }

  /** Chooses anew what is hidden. */
  draw(random: Random): void {
    const kept = 1 / (1 - this.share);
    const { values } = this.mask;
    for (let i = 0; i < values.length; i++) values[i] = random.share() < this.share ? 0 : kept;
  }

  /** Hides it in rows, be they outputs or their slopes. */
  apply(rows: Floats, count: number): void {
    this.memory.kernels.multiplyRows(rows.at, this.mask.at, count, this.length);
  }
}
