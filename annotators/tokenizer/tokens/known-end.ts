import { isOneCharacter } from '../text/characters.ts';
import type { Units } from '../text/units.ts';
import type { SettledPairs } from './settled-pairs.ts';

/** What is known of all places in texts of a kind. */
export interface Habits {
  /** Tokens may have blanks inside. */
  readonly hasBlanks: boolean;
  readonly settled: SettledPairs;
}

/**
 * Whether a token ends after unit i, which is neither the last nor a blank, where there is nothing to decide;
 * undefined where there is.
 */
export function knownEnd(units: Units, i: number, { hasBlanks, settled }: Habits): boolean | undefined {
  const isBlank = units.isBlank(i + 1);
  if (isBlank && (!hasBlanks || i + 2 >= units.end)) return true;
  if (!isBlank && isOneCharacter(units.codes[i], units.codes[i + 1])) return false;
  return settled.has(units.lowers, units.kinds, i) ? isBlank : undefined;
}
