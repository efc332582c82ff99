import { expect, test, vi } from 'vitest';
import { trainBayesPoint } from '../../../combine/bayes-point/trainer.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { graph } from '../../../parsers/graph/paradigm.ts';
import { sentence, treebank } from '../../support/sentences.ts';

vi.mock('../../../combine/bayes-point/member-pool.ts', () => ({
  MemberPool: class {
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
    // Told when the data is read.
    onNotice: () => controller.abort(new DOMException('stopped', 'AbortError')),
  };
  const ensemble = { members: 2, keepMembers: false };
  const training = trainBayesPoint(graph, one, graphOptions.parse({ bits: 10 }), ensemble, run);
  await expect(training).rejects.toThrow('stopped');
});
