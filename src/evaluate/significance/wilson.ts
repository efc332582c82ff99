import type { Interval } from './bootstrap.ts';

/** The quantile of the normal distribution for intervals that hold the true value in 95 of 100 cases. */
const z = 1.959963984540054;

/**
 * Wilson's score interval (Wilson 1927) of a share in percent, of so many that are independent; as they are not where
 * they are words of the same sentences, the true one is wider.
 */
export function wilsonInterval(share: number, total: number): Interval {
  const p = share / 100;
  const spread = (z * z) / total;
  const centre = p + spread / 2;
  const half = z * Math.sqrt((p * (1 - p)) / total + spread / (4 * total));
  return { low: (100 * (centre - half)) / (1 + spread), high: (100 * (centre + half)) / (1 + spread) };
}
