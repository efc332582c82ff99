import { afterAll, beforeAll, vi } from 'vitest';
import { tagger } from '../../annotators/tagger/task.ts';

/**
 * Makes the training of taggers in a test file fast, even in jobs without options for it; their quality does not
 * matter. Meanwhile `tagger.train` is a mock.
 */
export function learnTaggersQuickly(): void {
  const { train } = tagger;
  // This is a spy rather than an assignment, since `vi.restoreAllMocks` in another file also undoes earlier restores
  // and would bring back the function that a spy on an assigned function had replaced.
  beforeAll(() => {
    vi.spyOn(tagger, 'train').mockImplementation((treebank, options, run) => {
      const ofNetwork = options.units > 0 && { units: 8, networkEpochs: 1 };
      return train(treebank, { ...options, bits: 14, ...ofNetwork }, run);
    });
  });
  afterAll(() => vi.mocked(tagger.train).mockRestore());
}
