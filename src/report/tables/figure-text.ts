import type { ArcKind } from '../../evaluate/comparison/comparison.ts';
import type { Interval } from '../../evaluate/significance/resampling.ts';

export const pText = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(4));

export const signed = (value: string | number): string =>
  `${Number(value) < 0 ? '' : '+'}${figureText(Number(value))}`;

export const intervalText = (interval: Interval | undefined): string | null =>
  interval === undefined ? null : `${figureText(interval.low)} … ${figureText(interval.high)}`;

export const figureText = (value: number): string => value.toFixed(2).replace('-', '−');

/** Label, head tag and side of the head, for example `obl of VERB, left`. */
export function arcText({ label, headTag, head }: ArcKind): string {
  if (head === 'missing') return 'no such word';
  if (head === 'elsewhere') return `${label} of a word elsewhere`;
  return head === 'root' ? `${label} of the root` : `${label} of ${headTag}, ${head}`;
}
