/** The class of the strongest attraction. */
export const STRONGEST = 15;
/** The class of no attraction, −1/2 to +1/2 bits; class 0 is for pairs that are rare in the text. */
const NEUTRAL = 4;

/**
 * The class of the attraction between two neighbours in raw text: their pointwise mutual information in bits (Church &
 * Hanks 1990, J90-1003), discounted where counts are low (Pantel & Lin 2002, KDD, §3). The nearest whole number plus
 * `NEUTRAL`, from 1 to 15.
 *
 * @param pair how often they are neighbours
 * @param one, other how often each occurs
 * @param all number of pairs in the text
 */
export function attractionClass(pair: number, one: number, other: number, all: number): number {
  const least = Math.min(one, other);
  const discount = (pair / (pair + 1)) * (least / (least + 1));
  const bits = discount * Math.log2((pair * all) / (one * other));
  return Math.min(Math.max(1, NEUTRAL + Math.round(bits)), STRONGEST);
}
