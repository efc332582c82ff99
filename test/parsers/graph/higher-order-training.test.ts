import { describe, expect, test } from 'vitest';
import { arcTemplatesOf } from '../../../parsers/graph/features/templates.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { graph } from '../../../parsers/graph/paradigm.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';

async function trained(sentences: readonly Sentence[], options: object, run: Partial<TrainingRun> = {}) {
  const all = graphOptions.parse({ epochs: 2, bits: 12, ...options });
  return graph.train(treebank('sample', ...sentences), all, { seed: 7, jobs: 1, ...run });
}

async function modelBytes(options: object, run: Partial<TrainingRun> = {}): Promise<Buffer> {
  const writer = new ModelWriter();
  (await trained(await sampleSentences('train', 12), options, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

describe.each([
  { order: 2, decoder: 'eisner' },
  { order: 3, decoder: 'eisner' },
  { order: 2, decoder: 'chu-liu-edmonds' },
  { order: 3, decoder: 'chu-liu-edmonds', learner: 'averaged-perceptron' },
])('training the graph parser with %o', (options) => {
  test('the same seed gives the same model, byte for byte; another seed gives another', async () => {
    const bytes = await modelBytes(options);
    expect((await modelBytes(options)).equals(bytes)).toBe(true);
    expect((await modelBytes(options, { seed: 8 })).equals(bytes)).toBe(false);
  });

  test('every parse is a tree with one root, and the same after the parser was saved and loaded', async () => {
    const parser = await trained(await sampleSentences('train', 15), options);
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = graph.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const one of await sampleSentences('test', 10)) {
      const parse = parser.parse(one);
      expect(isTree(parse.heads)).toBe(true);
      expect(roots(parse.heads)).toHaveLength(1);
      if (options.decoder === 'eisner') expect(isProjective(parse.heads)).toBe(true);
      expect(loaded.parse(one)).toEqual(parse);
    }
  });
});

test('a training stopped in any epoch resumes there and gives the same model', async () => {
  const options = { order: 2, epochs: 2 };
  const whole = await modelBytes(options);
  for (const stop of [2, 4, 5]) {
    let kept: ModelWriter | undefined;
    const controller = new AbortController();
    const store = {
      load: () => (kept === undefined ? undefined : ModelReader.fromBuffer(modelBuffer(kept), 'checkpoint')),
      save: (write: (file: ModelWriter) => void) => {
        kept = new ModelWriter();
        write(kept);
      },
    };
    const stopped = modelBytes(options, {
      checkpoints: store,
      signal: controller.signal,
      onProgress: ({ epoch, isOver }) => {
        if (epoch === stop && isOver) controller.abort();
      },
    });
    await expect(stopped).rejects.toThrow();
    expect((await modelBytes(options, { checkpoints: store })).equals(whole)).toBe(true);
  }
});

test('orders 2 and 3 learn heads that depend on the head’s head, which order 1 cannot', async () => {
  // Below v the words x form a chain; below w the first x is the head of the others.
  const some = [
    sentence('v x x x', '0 1 2 3', { upos: 'V X X X' }),
    sentence('w x x x', '0 1 2 2', { upos: 'W X X X' }),
  ];
  const plain = { templates: ['bigram'], distance: 'none', decoder: 'eisner', epochs: 20 };
  const isRight = async (order: number) => {
    const parser = await trained(some, { ...plain, order });
    return some.map((one) => parser.parse(one).heads.join() === one.heads.join());
  };
  expect(await isRight(1)).toContain(false);
  expect(await isRight(2)).toEqual([true, true]);
  expect(await isRight(3)).toEqual([true, true]);
});

test('labels that depend on a sibling are learnt from features of the tree, not from the arc alone', async () => {
  // The same noun before the same verb: with an object it is an agent, without one a theme.
  const some = [
    sentence('n v m', '2 0 2', { upos: 'N V M', labels: 'agent root object' }),
    sentence('n v k', '2 0 2', { upos: 'N V K', labels: 'theme root rest' }),
  ];
  const templates = [{ arcs: ['hp dp'], labels: ['hp dp'] }];
  const isRight = async (options: object) => {
    const parser = await trained(some, { decoder: 'eisner', epochs: 20, ...options });
    return some.map((one) => parser.parse(one).labels.join() === one.labels.join());
  };
  expect(await isRight({ order: 2, templates })).toContain(false);
  expect(await isRight({ order: 2, templates: [{ arcs: ['hp dp'] }] })).toEqual([true, true]);
  expect(await isRight({ order: 1, templates: [{ labels: ['hp dp op'] }] })).toEqual([true, true]);
});

test('templates of labels read only the arc for order 1 and more of the tree for order 2, unless given', async () => {
  const some = await sampleSentences('train', 5);
  const labelsOf = async (options: object) => {
    const writer = new ModelWriter();
    (await trained(some, options)).save(writer);
    const { settings } = writer.header.graph as { settings: { templates: { labels: string[] } } };
    return settings.templates.labels;
  };
  expect(arcTemplatesOf(await labelsOf({}))).toEqual(await labelsOf({}));
  expect(await labelsOf({ order: 2 })).toEqual(expect.arrayContaining(['hp dp cp', 'hp dp op']));
  const templates = [{ arcs: ['hp dp'], labels: ['hp dp'] }];
  expect(await labelsOf({ order: 2, templates })).toEqual(['hp dp']);
});

test('a parse may have several roots if the training trees do', async () => {
  const two = sentence('a b', '0 0', { upos: 'X X', labels: 'root root' });
  for (const decoder of ['eisner', 'chu-liu-edmonds']) {
    const parser = await trained([two, two], { order: 3, decoder, epochs: 5 });
    expect([...parser.parse(two).heads]).toEqual([-1, 0, 0]);
  }
});

test('crossing arcs are learnt and found with a non-projective decoder', async () => {
  const columns = { upos: 'A B C D', labels: 'w x y z' };
  const crossed = sentence('a b c d', '3 4 0 3', columns);
  const parser = await trained([crossed, crossed], { order: 2, epochs: 5 });
  expect([...parser.parse(crossed).heads]).toEqual([-1, 3, 4, 0, 3]);
});

test('templates of larger parts can be given, but are refused if the order does not use these parts', async () => {
  const some = await sampleSentences('train', 5);
  const templates = [{ arcs: ['hp dp'], siblings: ['hp sp dp'] }];
  const writer = new ModelWriter();
  (await trained(some, { order: 2, templates })).save(writer);
  expect(writer.header.graph).toMatchObject({ settings: { templates: { siblings: ['hp sp dp'] } } });
  await expect(trained(some, { templates })).rejects.toThrow(
    'templates of siblings go with order 2, not with 1',
  );
  const third = [{ arcs: ['hp dp'], grandsiblings: ['gp hp sp dp'] }];
  await expect(trained(some, { order: 2, templates: third })).rejects.toThrow(
    'templates of grandsiblings go with order 3, not with 2',
  );
});

test('larger parts are scored by morphology if arcs are and the treebank has any', async () => {
  const one = sentence('a b', '2 0', { upos: 'X Y', feats: 'Case=Nom Number=Sing', labels: 'x root' });
  const bare = sentence('a b', '2 0', { upos: 'X Y', labels: 'x root' });
  const siblingsOf = async (some: Sentence, templates?: string[]) => {
    const writer = new ModelWriter();
    (await trained([some], { order: 2, ...(templates && { templates }) })).save(writer);
    const { settings } = writer.header.graph as { settings: { templates: { siblings: string[] } } };
    return settings.templates.siblings;
  };
  expect(await siblingsOf(one)).toContain('hm sm dm');
  expect(await siblingsOf(one, ['bigram', 'morphology'])).toContain('hm sm dm');
  expect(await siblingsOf(one, ['bigram'])).not.toContain('hm sm dm');
  expect(await siblingsOf(bare)).not.toContain('hm sm dm');
});

test('options that are only for order 1 are refused with higher orders', async () => {
  const some = await sampleSentences('train', 1);
  await expect(trained(some, { order: 2, miraTrees: 5, learner: 'mira', decoder: 'eisner' })).rejects.toThrow(
    'miraTrees 5 goes with order 1, not with 2',
  );
  await expect(trained(some, { order: 3, decoder: 'matrix-power' })).rejects.toThrow(
    'decoder matrix-power goes with order 1, not with 3',
  );
});

test('the default is order 1', async () => {
  expect((await modelBytes({ order: 1 })).equals(await modelBytes({}))).toBe(true);
});
