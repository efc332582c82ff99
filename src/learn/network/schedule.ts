/** How long a network learns that nothing else is said of. */
export interface ScheduleBounds {
  /** Steps in all, about. */
  readonly steps: number;
  readonly leastEpochs: number;
  readonly mostEpochs: number;
}

/** Tokens, at least, that a step learns from; and passes over the training sentences. */
export interface Schedule {
  readonly batch: number;
  readonly epochs: number;
}

export const STEPS_AN_EPOCH = 500;
export const LEAST_BATCH = 50;
export const MOST_BATCH = 400;

/** Fills in what was left open, by how many tokens there are to learn from. */
export function scheduleOf(
  asked: { readonly [Name in keyof Schedule]?: number | undefined },
  tokens: number,
  { steps, leastEpochs, mostEpochs }: ScheduleBounds,
): Schedule {
  const { batch = within(tokens / STEPS_AN_EPOCH, LEAST_BATCH, MOST_BATCH) } = asked;
  const { epochs = within((steps * batch) / tokens, leastEpochs, mostEpochs) } = asked;
  return { batch, epochs };
}

/** The nearest whole number that is not below one bound, nor above another. */
function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(number), least), most);
}
