import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { transitionOptions } from '../../../../parsers/transition/options.ts';
import { transition } from '../../../../parsers/transition/paradigm.ts';
import { AttachmentCounts } from '../../../../src/evaluate/attachment/attachment-counts.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import type { TrainingRun } from '../../../../src/training/training-run.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { isProjective, roots } from '../../../../src/treebank/tree.ts';
import { ArcHybrid } from '../../../support/arc-hybrid.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';
import { randomHeads } from '../../../support/random-trees.ts';
import { sampleSentences } from '../../../support/sample-sentences.ts';
import { sentence, treebank } from '../../../support/sentences.ts';
import { tested } from '../../../support/transition-systems.ts';

vi.mock('../../../../parsers/transition/systems/registry.ts', async (original) => {
  const registry = await original<typeof import('../../../../parsers/transition/systems/registry.ts')>();
  const systems = { ...registry.stackSystems, 'arc-hybrid': (one: boolean) => new ArcHybrid(one) };
  return { ...registry, stackSystems: systems, stackSystemNames: Object.keys(systems) };
});

function trained(sentences: readonly Sentence[], asked: object, run?: Partial<TrainingRun>) {
  const options = transitionOptions.parse({ system: 'arc-hybrid', bits: 14, ...asked });
  return transition.train(treebank('sample', ...sentences), options, { seed: 7, jobs: 1, ...run });
}

test('arc-hybrid, the system that these tests add, builds every projective tree', () => {
  fc.assert(
    fc.property(randomHeads(1, 9), (heads) => {
      fc.pre(isProjective(heads) && roots(heads).length === 1);
      const labels = heads.map((_, d) => d);
      expect(tested(new ArcHybrid(true)).rebuild({ heads, labels })).toMatchObject({ heads, labels });
    }),
  );
});

describe('a system that is added to the table of systems', () => {
  test.each([
    { beam: 1, epochs: 15, direction: 'right-to-left' },
    { beam: 4, epochs: 15 },
    { learner: 'svm' },
  ])('can be trained, saved, loaded and used for parsing without any other change (%j)', async (asked) => {
    const sentences = (await sampleSentences('train', 16)).filter(({ heads }) => isProjective(heads));
    const parser = await trained(sentences, asked);
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = transition.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    const counts = new AttachmentCounts();
    for (const one of sentences) {
      const { heads, labels } = loaded.parse(one);
      counts.add(one.heads, one.labels, heads, labels, one.length);
    }
    expect(counts.las).toBeGreaterThan(95);
  });

  test('is trained on projective trees if it declares that it builds no others', async () => {
    const notices: string[] = [];
    const crossed = sentence('a b c d', '3 4 0 3', { upos: 'A B C D', labels: 'w x y z' });
    await trained([crossed], { epochs: 1 }, { onNotice: (notice) => notices.push(notice) });
    expect(notices).toContain('1 sentence made projective for training by moving 1 arc up');
  });

  test('has no dynamic oracle if it declares none', async () => {
    const training = trained([sentence('a', '0')], { beam: 1, oracle: 'dynamic' });
    await expect(training).rejects.toThrow(/dynamic goes with .*system arc-eager\b/);
  });
});
