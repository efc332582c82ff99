import { wholePower } from '../../learn/exponential.ts';
import type { Random } from '../../learn/random.ts';

/** Draws the candidates of a sampled softmax (Jean et al. 2015) by count^0.75; a batch shares them, along with its own words. */
export class CandidateSampler {
  /** The inverse of each word's probability of being a candidate: its weight in the sum of the softmax. */
  readonly factors: Float32Array;
  private readonly cumulative: Float64Array;
  /** Number of draws, with replacement, for the expected number of different words. */
  private readonly draws: number;

  /** @param negatives expected number of different words drawn, at most half of all; `tokens`: per batch */
  constructor(counts: Int32Array, negatives: number, tokens: number) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const powers = Float64Array.from(counts, (count) => Math.sqrt(count) * Math.sqrt(Math.sqrt(count)));
    const sum = powers.reduce((all, power) => all + power, 0);
    this.cumulative = new Float64Array(counts.length);
    let before = 0;
    for (const [word, power] of powers.entries()) {
      before += power / sum;
      this.cumulative[word] = before;
    }
    const expected = Math.min(negatives, counts.length / 2);
    this.draws = drawsFor(powers, sum, expected);
    this.factors = Float32Array.from(powers, (power, word) => {
      const isMissed = wholePower(1 - power / sum, this.draws) * wholePower(1 - counts[word] / total, tokens);
      return 1 / Math.max(1 - isMissed, 1e-9);
    });
  }

  /** Maximum number of different candidates drawn. */
  get most(): number {
    return this.draws;
  }

  /** Calls `take` with every draw; a word may be drawn more than once. */
  draw(random: Random, take: (word: number) => void): void {
    const { cumulative } = this;
    for (let i = 0; i < this.draws; i++) {
      const share = random.uniform() * cumulative[cumulative.length - 1];
      let [low, high] = [0, cumulative.length - 1];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (cumulative[middle] > share) high = middle;
        else low = middle + 1;
      }
      take(low);
    }
  }
}

/** The number of draws after which the expected number of different words is reached. */
function drawsFor(powers: Float64Array, sum: number, expected: number): number {
  const seen = (draws: number) =>
    powers.reduce((all, power) => all + 1 - wholePower(1 - power / sum, draws), 0);
  let [low, high] = [1, 2];
  while (seen(high) < expected && high < 64 * powers.length) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (seen(middle) >= expected) high = middle;
    else low = middle + 1;
  }
  return low;
}
