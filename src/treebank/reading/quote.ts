import { escaped } from '../../visible.ts';

/** Longest quotation in a message, in characters: a cell of a damaged file may be a megabyte. */
const LONGEST = 40;

/**
 * A piece of input for a message: in quotation marks, cut where too long, with what cannot be seen written as
 * `\t` or `\u{…}`.
 */
export function quote(text: string): string {
  // A character may be two units long: it is not cut in half.
  const characters = [...text.slice(0, 2 * (LONGEST + 1))];
  const start = characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
  return `“${start.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped)}”`;
}
