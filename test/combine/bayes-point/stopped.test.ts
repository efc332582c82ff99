import { expect, test, vi } from 'vitest';
import { trainBayesPoint } from '../../../combine/bayes-point.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { linear } from '../../../parsers/graph/paradigm.ts';
import { sentence, treebank } from '../../support/sentences.ts';

vi.mock('../../../src/threads/worker-pool.ts', () => ({
  TaskPool: class {
    constructor() {
      throw new Error('training has begun');
    }
  },
}));

test('a Bayes Point Machine that is stopped while its data is read does not begin to train', async () => {
  const controller = new AbortController();
  const one = treebank('sample', sentence('a b', '0 1', { upos: 'N V' }));
  const run = {
    seed: 1,
    jobs: 1,
    signal: controller.signal,
    // Called while the data is read.
    onNotice: () => controller.abort(new DOMException('stopped', 'AbortError')),
  };
  const options = graphOptions.parse({ bits: 10, learner: 'bayes-point', members: 2 });
  const training = trainBayesPoint({ name: 'graph', linear }, one, options, run, () => undefined);
  await expect(training).rejects.toThrow('stopped');
});
