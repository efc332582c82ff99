import { afterAll, beforeAll, vi } from 'vitest';
import { tagger } from '../../annotators/tagger/task.ts';

/**
 * In this file taggers learn in a moment, also where a job has no options for them; how good they are does not matter.
 * `tagger.train` is a mock meanwhile.
 */
export function learnTaggersQuickly(): void {
  const { train } = tagger;
  // A spy rather than an assignment: `vi.restoreAllMocks` in another file also undoes what has been restored before,
  // and would bring back what a spy on an assigned function had found.
  beforeAll(() => {
    vi.spyOn(tagger, 'train').mockImplementation((treebank, options, run) => {
      const ofNetwork = options.units > 0 && { units: 8, networkEpochs: 1 };
      return train(treebank, { ...options, bits: 14, ...ofNetwork }, run);
    });
  });
  afterAll(() => vi.mocked(tagger.train).mockRestore());
}
