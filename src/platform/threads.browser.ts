import { UsageError } from '../errors.ts';

/** A page trains and parses in one worker of its own, which has no threads of Node. */
export class Piscina {
  constructor() {
    throw new UsageError('a page has no threads for this: expected 1 job, and no Bayes Point Machine');
  }
}

export class BlockingWorker {
  constructor() {
    throw new UsageError('a page cannot run published encoders: expected a model without one');
  }
}

export function answerRequests(): void {}
