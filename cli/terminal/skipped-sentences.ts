import type { InputError } from '../../src/errors.ts';
import { plural, warn } from './output.ts';

/** How many malformed sentences are described one by one. */
const DESCRIBED = 5;

/** Counts the sentences that `--skip-invalid` leaves out, each once however often a file is read. */
export class SkippedSentences {
  private readonly messages = new Set<string>();

  get count(): number {
    return this.messages.size;
  }

  readonly add = (error: InputError): void => {
    if (this.messages.has(error.message)) return;
    this.messages.add(error.message);
    if (this.count <= DESCRIBED) warn(`left out: ${error.message}`);
  };

  /** Says how many there were, if any. */
  summarize(): void {
    if (this.count > 0) warn(`${plural(this.count, 'malformed sentence')} left out`);
  }
}
