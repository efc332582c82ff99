import type { Interval } from '../../evaluate/significance/bootstrap.ts';
import { displayWidth } from './display-width.ts';

/** How figures and long texts are written in tables for readers. */

export function pText(p: number): string {
  return p < 0.0001 ? '<0.0001' : p.toFixed(4);
}

export function signed(value: string | number): string {
  return `${Number(value) < 0 ? '' : '+'}${figureText(Number(value))}`;
}

export function intervalText(interval: Interval | undefined): string | null {
  return interval === undefined ? null : `${figureText(interval.low)} … ${figureText(interval.high)}`;
}

/** With two decimals. */
export function figureText(value: number): string {
  return value.toFixed(2).replace('-', '−');
}

/** The text, with `…` for what does not fit into so many cells of a terminal. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let short = '';
  for (const character of text) {
    if (displayWidth(short + character) >= width) break;
    short += character;
  }
  return `${short}…`;
}
