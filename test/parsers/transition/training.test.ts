import { describe, expect, test } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import type { ParserImplementation } from '../../../parsers/parser.ts';
import { templateSets } from '../../../parsers/transition/features/template-sets.ts';
import { transitionOptions } from '../../../parsers/transition/options.ts';
import { transition } from '../../../parsers/transition/paradigm.ts';
import { stackSystems } from '../../../parsers/transition/systems/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { AttachmentCounts } from '../../../src/evaluate/attachment/attachment-counts.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { EpochScores, TrainingProgress, TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';

type Options = Record<string, unknown>;

async function trained(sentences: readonly Sentence[], options: Options, run?: Partial<TrainingRun>) {
  const isSvm = options.learner === 'svm';
  const { epochs = isSvm ? undefined : 2 } = options;
  const given = transitionOptions.parse({ bits: 14, ...options, epochs });
  return transition.train(treebank('sample', ...sentences), given, { seed: 7, jobs: 1, ...run });
}

function saved(parser: ParserImplementation): ModelWriter {
  const writer = new ModelWriter();
  parser.save(writer);
  return writer;
}

async function modelBytes(options: Options, run?: Partial<TrainingRun>): Promise<Buffer> {
  return Buffer.from(modelBuffer(saved(await trained(await sampleSentences('train', 6), options, run))));
}

/** One of each kind of training. */
const trainings: readonly Options[] = [
  { system: 'arc-standard', beam: 4 },
  { system: 'arc-eager', beam: 4 },
  { system: 'arc-eager', beam: 4, update: 'early', direction: 'right-to-left' },
  { system: 'arc-swap', beam: 4 },
  { system: 'arc-swap', learner: 'svm' },
  { system: 'arc-eager', learner: 'svm' },
  { system: 'arc-standard', beam: 1 },
  { system: 'arc-eager', beam: 1, oracle: 'dynamic' },
  { system: 'arc-eager', beam: 1, learner: 'perceptron' },
  { system: 'arc-swap', beam: 4, learner: 'mira' },
];
const named = trainings.map((options) => [Object.values(options).join(', '), options] as const);

describe.each(named)('a transition parser (%s)', (_, options) => {
  test('is the same, byte for byte, for the same seed', async () => {
    const bytes = await modelBytes(options);
    expect((await modelBytes(options)).equals(bytes)).toBe(true);
    expect((await modelBytes(options, { seed: 8 })).equals(bytes)).toBe(false);
  });

  test('gives trees with one root, also for a single token, and the same after saving and loading', async () => {
    const parser = await trained(await sampleSentences('train', 6), options);
    const loaded = transition.load(ModelReader.fromBuffer(modelBuffer(saved(parser)), 'model'));
    for (const one of [...(await sampleSentences('test', 10)), sentence('b', '0')]) {
      const tree = parser.parse(one);
      expect(isTree(tree.heads)).toBe(true);
      expect(roots(tree.heads)).toHaveLength(1);
      expect(tree.labels.slice(1).every((label) => label !== '')).toBe(true);
      if (options.system !== 'arc-swap') expect(isProjective(tree.heads)).toBe(true);
      expect(loaded.parse(one)).toEqual(tree);
    }
  });

  test('parses its training sentences almost without errors', async () => {
    const sentences = (await sampleSentences('train', 9)).filter(({ heads }) => isProjective(heads));
    // With early updates, the first epochs learn little from the ends of sentences.
    const epochs = options.update === 'early' ? 40 : 15;
    const parser = await trained(
      sentences,
      options.learner === 'svm' ? options : { ...options, epochs, formDropout: 0 },
    );
    const counts = new AttachmentCounts();
    for (const one of sentences) {
      const { heads, labels } = parser.parse(one);
      counts.add(one.heads, one.labels, heads, labels, one.length);
    }
    expect(counts.las).toBeGreaterThan(95);
  });
});

/** Options with which training takes so long that only a signal ends it within the test. */
function endless({ learner }: Options): Options {
  return learner === 'svm' ? {} : { epochs: 1000 };
}

describe('training a transition parser', () => {
  test('saves in the model the settings that parsing needs, and no others', async () => {
    const settingsOf = async (options: Options) => {
      const { header } = saved(await trained(await sampleSentences('train', 5), options));
      return (header.transition as { settings: object }).settings;
    };
    const common = { direction: 'left-to-right', normalize: true, stem: 'none', bits: 14, maxLength: 1000 };
    const decided = { tags: ['upos', 'xpos'], singleRoot: true };
    const templatesOf = (system: keyof typeof stackSystems) => {
      const { standard, coarse } = templateSets(stackSystems[system](true));
      return [...standard, ...coarse];
    };
    expect(await settingsOf({ learner: 'svm', system: 'arc-swap' })).toEqual({
      ...{ system: 'arc-swap', beam: 0, templates: templatesOf('arc-swap'), ...common, ...decided },
    });
    expect(await settingsOf({ beam: 4, epochs: 3 })).toEqual({
      ...{ system: 'arc-eager', beam: 4, templates: templatesOf('arc-eager'), ...common, ...decided },
    });
  });

  test('makes trees projective if the system builds no others, with a notice', async () => {
    const notices: string[] = [];
    const onNotice = (notice: string) => notices.push(notice);
    const crossed = sentence('a b c d', '3 4 0 3', { upos: 'A B C D', labels: 'w x y z' });
    await trained([crossed], { system: 'arc-eager' }, { onNotice });
    expect(notices).toContain('1 sentence made projective for training by moving 1 arc up');
    notices.length = 0;
    const parser = await trained([crossed], { system: 'arc-swap', epochs: 20 }, { onNotice });
    expect(notices.join()).not.toContain('projective');
    expect([...parser.parse(crossed).heads]).toEqual([-1, 3, 4, 0, 3]);
  });

  test.each(['arc-standard', 'arc-eager', 'arc-swap'])(
    'allows several roots in a parse if the training trees have them (%s)',
    async (system) => {
      const two = sentence('a b', '0 0', { upos: 'X X', labels: 'root root' });
      const parser = await trained([two, two], { system, epochs: 5 });
      expect([...parser.parse(two).heads]).toEqual([-1, 0, 0]);
    },
  );

  test('on a treebank without labels gives parses without labels', async () => {
    const bare = sentence('a b c', '2 0 2', { upos: 'X Y Z' });
    for (const learner of ['svm', 'averaged-perceptron']) {
      const parser = await trained([bare], { learner });
      expect(parser.parse(bare)).toMatchObject({ heads: bare.heads, labels: ['', '_', '_', '_'] });
    }
  });

  test('a sentence longer than maxLength is parsed in chunks, with a notice', async () => {
    const parser = await trained(await sampleSentences('train', 40), { epochs: 1, beam: 1, maxLength: 12 });
    const long = (await sampleSentences('dev', 20)).find(({ length }) => length > 16)!;
    const { heads, labels, notices } = parser.parse(long);
    expect(notices).toEqual([`${long.length} tokens, parsed in chunks of 12`]);
    expect(isTree(heads)).toBe(true);
    expect(roots(heads)).toHaveLength(1);
    expect(labels).toHaveLength(long.length + 1);
    expect(labels.slice(1).every((label) => label !== undefined && label !== '')).toBe(true);
  });

  test.each([{ epochs: 2 }, { epochs: 2, beam: 1, direction: 'right-to-left' }, { learner: 'svm' }] as const)(
    'scores held-out data as the trained parser parses them, also long sentences in chunks (%j)',
    async (options) => {
      const dev = await sampleSentences('dev', 12);
      let scores: EpochScores | undefined;
      const onProgress = (progress: TrainingProgress) => {
        scores = progress.dev ?? scores;
      };
      const train = treebank('sample', ...(await sampleSentences('train', 40)));
      const { parser } = await trainParser('transition', train, {
        options: { ...options, bits: 16, maxLength: 12 },
        dev: treebank('dev', ...dev),
        onProgress,
      });
      const counts = new AttachmentCounts();
      for (const one of dev) {
        const { heads, labels } = parser.parse(one);
        counts.add(one.heads, one.labels, heads, labels, one.length);
      }
      expect(scores).toEqual({ uas: counts.uas, las: counts.las });
    },
  );

  test('is possible with a single token, and the parser then also parses longer sentences', async () => {
    const one = sentence('a', '0', { labels: 'root' });
    for (const options of trainings) {
      const parser = await trained([one], options);
      expect(parser.parse(one)).toMatchObject({ heads: one.heads, labels: ['', 'root'] });
      expect(isTree(parser.parse(sentence('b c d', '0 1 1')).heads)).toBe(true);
    }
  });

  test('works with many labels, even with few weights', async () => {
    const words = Array.from({ length: 70 }, (_, i) => `w${i}`);
    const flat = words.map((_, i) => (i === 0 ? 0 : 1)).join(' ');
    const labels = words.map((_, i) => `l${i}`).join(' ');
    const many = sentence(words.join(' '), flat, { upos: words.join(' '), labels });
    for (const options of trainings) {
      const parser = await trained([many], { ...options, bits: 10 });
      expect(isTree(parser.parse(many).heads)).toBe(true);
    }
  });

  test('hides rare forms by default, but not with formDropout 0', async () => {
    const bytes = await modelBytes({ beam: 2 });
    expect((await modelBytes({ beam: 2, formDropout: 1 })).equals(bytes)).toBe(true);
    expect((await modelBytes({ beam: 2, formDropout: 0 })).equals(bytes)).toBe(false);
  });

  test('stops on a signal, in every kind of training', async () => {
    const sentences = await sampleSentences('train', 40);
    for (const options of trainings) {
      const controller = new AbortController();
      const run = { signal: controller.signal, onProgress: () => controller.abort() };
      const training = trained(sentences, { ...options, ...endless(options) }, run);
      await expect(training).rejects.toThrow(controller.signal.reason);
    }
  });

  test('stops on a signal even before support vector machines are trained', async () => {
    const told: unknown[] = [];
    const run = { signal: AbortSignal.abort(), onProgress: (progress: unknown) => told.push(progress) };
    const training = trained(await sampleSentences('train', 40), { learner: 'svm' }, run);
    await expect(training).rejects.toThrow(run.signal.reason);
    expect(told).toEqual([]);
  });

  test.each([
    [{ learner: 'svm', beam: 4 }, 'beam 4 does not go with learner svm'],
    [{ learner: 'svm', oracle: 'dynamic' }, 'oracle dynamic does not go with learner svm'],
    [{ learner: 'svm', update: 'early' }, 'update early does not go with learner svm'],
    [{ learner: 'svm', epochs: 10 }, 'epochs 10 does not go with learner svm'],
    [{ learner: 'svm', shuffle: false }, 'shuffle false does not go with learner svm'],
    [{ learner: 'svm', formDropout: 1 }, 'formDropout 1 does not go with learner svm'],
    [{ learner: 'svm', members: 3 }, 'members goes with learner bayes-point, not with svm'],
    [
      { learner: 'mira', memberLearner: 'mira' },
      'memberLearner goes with learner bayes-point, not with mira',
    ],
    [{ keepMembers: true }, 'keepMembers goes with learner bayes-point, not with averaged-perceptron'],
    [{ learner: 'mira', cost: 0.1 }, 'cost 0.1 goes with learner svm'],
    [
      { system: 'arc-swap', oracle: 'dynamic', beam: 1 },
      'oracle dynamic goes with system arc-eager and beam 1',
    ],
    [{ system: 'arc-eager', oracle: 'dynamic' }, 'oracle dynamic goes with system arc-eager and beam 1'],
    [{ beam: 1, update: 'max-violation' }, 'update max-violation goes with beam of more than 1'],
  ])('refuses options that contradict each other: %j', async (options, message) => {
    const sentences = treebank('sample', ...(await sampleSentences('train', 1)));
    const training = transition.train(sentences, transitionOptions.parse(options), { seed: 7, jobs: 1 });
    await expect(training).rejects.toThrow(UsageError);
    await expect(training).rejects.toThrow(message);
  });
});
