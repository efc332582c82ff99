import { giveWay } from '../../threads/turns.ts';

/** Many rounds of random draws in slices: after each, it yields how many rounds are done. */
export type Slices<T> = Generator<number, T, void>;

/** Sentences drawn in a slice: some hundredths of a second for most comparisons. */
const DRAWS = 1_000_000;

/** Rounds in a slice, where each draws so many sentences. */
export function sliceOf(sentences: number): number {
  return Math.ceil(DRAWS / Math.max(1, sentences));
}

/** Does all the slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Does a slice at a time, so that others have their turn: who shows the progress, and who wants to stop it. */
export async function finishInTurns<T>(
  slices: Slices<T>,
  onSlice: (roundsDone: number) => void = () => undefined,
): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    onSlice(value);
    await giveWay();
  }
}
