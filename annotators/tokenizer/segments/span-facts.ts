/** How often a string of atoms was a token, or a token ended between two atoms, as classes (`spanFacts`). */
export interface SpanFacts {
  /** The class of a hash; `isHit`: whether this occurrence, which training leaves out, was a token or a token end. */
  of(hash: number, isHit: boolean): number;
}

const MOST = 5;
/** Classes of shares between never and always. */
const SHARES = 7;
/** Classes of shares with never, always and unseen. */
const CLASSES = SHARES + 3;

/** The class of a string seen `all` times, `tokens` times as a token; 0 if unseen, or seen once and not as a token. */
export function spanFacts(tokens: number, all: number): number {
  if (all <= 0 || (all === 1 && tokens === 0)) return 0;
  return countClass(tokens) * CLASSES + shareClass(tokens, all);
}

/** The class of the share of occurrences that were tokens; 0 if unseen. */
export const shareOf = (facts: number): number => facts % CLASSES;

function shareClass(tokens: number, all: number): number {
  if (tokens <= 0) return 1;
  return tokens >= all ? CLASSES - 1 : 2 + Math.floor((SHARES * tokens) / all);
}

/** 0, 1, 2, 3, 4–7, more. */
function countClass(count: number): number {
  if (count < 4) return count;
  return count < 8 ? 4 : MOST;
}
