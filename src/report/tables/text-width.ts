import { InputError } from '../../errors.ts';

/** Also the vowels and finals of decomposed Korean. */
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff]$/u;
const wide =
  /^(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;

/** Returns a text's width in terminal cells: combining marks 0, East Asian wide and emoji 2, else 1 (roughly UAX #11). */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character >= ' ' && character <= '~') width++;
    else if (!invisible.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}

export const widest = (texts: readonly string[]): number =>
  texts.reduce((width, text) => Math.max(width, displayWidth(text)), 0);

/** Maximum characters of a drawing in text; a chain of 5,000 tokens takes half of them. */
const MOST_CELLS = 100_000_000;

/** @throws InputError for a drawing that is too large */
export function checkCells(cells: number): void {
  if (cells > MOST_CELLS)
    throw new InputError(`a drawing of more than ${MOST_CELLS / 1e6} million characters, too large for text`);
}

/** Minimum width of a column in cells. */
const LEAST = 4;

/** Narrows the widest columns until all fit into `available` cells, or only columns of the minimum width are left. */
export function shrink(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  for (let excess = totalWidth(widths) - available; excess > 0; excess--) {
    const widestColumn = widths.indexOf(Math.max(...widths));
    if (widths[widestColumn] <= LEAST) break;
    widths[widestColumn]--;
  }
  return widths;
}

/** Total width of columns that are two cells apart. */
export const totalWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + 2, -2);

/** Shortens a text to a width in cells; `mark` (one cell) replaces what is left out. */
export function truncate(text: string, width: number, mark = '…'): string {
  if (displayWidth(text) <= width) return text;
  let shortened = '';
  let cells = 1;
  for (const character of text) {
    cells += displayWidth(character);
    if (cells > width) break;
    shortened += character;
  }
  return shortened + mark;
}

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));
