import { round } from '../svg.ts';
import { type Html, html } from './html.ts';

const width = 130;
const height = 18;
const inset = 6;

/** A value with its confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Small pictures of values with their intervals, all on one scale, one for each row of a table. `zero` draws a
 * line there, and takes it into the scale. The figures stand beside them in the table, so they are not read out.
 */
export function intervalMarks(estimates: readonly Estimate[], { zero }: { zero: boolean }): Html[] {
  const ends = estimates.flatMap(({ low, high }) => [low, high]);
  if (zero) ends.push(0);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const scale = (width - 2 * inset) / (last - first || 1);
  const x = (value: number) => round(inset + (value - first) * scale);
  const middle = height / 2;
  const line = zero ? html`<path class="zero" d="M${x(0)},0V${height}"/>` : undefined;
  return estimates.map(
    ({ value, low, high }) =>
      html`<svg class="interval" aria-hidden="true" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${line}<path class="range" d="M${x(low)},${middle}H${x(high)}M${x(low)},${middle - 4}v8M${x(high)},${middle - 4}v8"/><circle cx="${x(value)}" cy="${middle}" r="4"/></svg>`,
  );
}
