import { afterAll, beforeAll } from 'vitest';
import { tagger } from '../../annotators/tagger/task.ts';

/** In this file taggers learn in a moment, also where a job has no options for them; how good they are does not matter. */
export function learnTaggersQuickly(): void {
  const { train } = tagger;
  const quick: typeof train = (treebank, options, run) => {
    const ofNetwork = options.units > 0 && { units: 8, networkEpochs: 1 };
    return train(treebank, { ...options, bits: 14, ...ofNetwork }, run);
  };
  beforeAll(() => {
    Object.assign(tagger, { train: quick });
  });
  afterAll(() => {
    Object.assign(tagger, { train });
  });
}
