import { detached } from './platform/platform.ts';

/** The number of a string in `numbers`, from 0 on; a new string gets the next number. */
export function numberIn(numbers: Map<string, number>, string: string): number {
  const known = numbers.get(string);
  if (known !== undefined) return known;
  numbers.set(detached(string), numbers.size);
  return numbers.size - 1;
}
