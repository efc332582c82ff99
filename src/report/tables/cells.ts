import { InputError } from '../../errors.ts';

/** Characters in the largest drawing that is made as text; a chain of 5,000 tokens takes half of them. */
export const MOST_CELLS = 100_000_000;

/** Refuses a drawing of so many characters before the memory is full of them. */
export function checkCells(cells: number): void {
  if (cells > MOST_CELLS) {
    throw new InputError(`a drawing of more than ${MOST_CELLS / 1e6} million characters, too large for text`);
  }
}
