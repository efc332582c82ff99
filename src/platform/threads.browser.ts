import { UsageError } from '../errors.ts';

/** Pages train and parse in a single web worker, without threads. */
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
