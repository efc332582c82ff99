import { describe, expect, test, vi } from 'vitest';
import { type TrainParserOptions, trainParser } from '../../combine/train-parser.ts';
import { graphOptions } from '../../parsers/graph/options.ts';
import { linear } from '../../parsers/graph/paradigm.ts';
import type { Parser } from '../../parsers/parser.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { OptionError } from '../../src/errors.ts';
import { AttachmentCounts } from '../../src/evaluate/attachment/attachment-counts.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { EpochScores, TrainingEnd } from '../../src/training/training-run.ts';
import { KeptCheckpoint } from '../support/kept-checkpoint.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleSentences } from '../support/sample-sentences.ts';
import { treebank } from '../support/sentences.ts';

const EPOCHS = 6;
/** Numbers of sentences: few, so that more epochs do not always help. */
const [TRAIN, DEV] = [16, 8];
const kinds = [
  ['graph', {}],
  ['transition', { beam: 2 }],
  ['transition', { beam: 1, oracle: 'dynamic' }],
] as const;

interface Training {
  readonly bytes: Buffer;
  readonly end: TrainingEnd | undefined;
  readonly devOfEpochs: readonly EpochScores[];
  readonly scores: EpochScores | undefined;
}

async function trained(
  paradigm: string,
  options: object,
  hasDev = true,
  { devOfEpochs = [], ...run }: TrainParserOptions & { readonly devOfEpochs?: EpochScores[] } = {},
): Promise<Training> {
  const dev = treebank('dev', ...(await sampleSentences('dev', DEV)));
  const { parser, about } = await trainParser(
    await findParadigm(paradigm),
    treebank('train', ...(await sampleSentences('train', TRAIN))),
    {
      ...run,
      options: { ...(paradigm !== 'network' && { bits: 12, learner: 'perceptron' }), ...options },
      ...(hasDev && { dev }),
      onProgress: (progress) => progress.isOver && progress.dev && devOfEpochs.push(progress.dev),
    },
  );
  return { bytes: bytesOf(parser), devOfEpochs, scores: about.scores, end: about.end };
}

function bytesOf(parser: Parser): Buffer {
  const writer = new ModelWriter();
  parser.save(writer);
  return Buffer.from(modelBuffer(writer));
}

describe.each(kinds)('the epoch whose model a training of %s %j keeps', (paradigm, options) => {
  test('is the last one with keep last, and also without held-out data', async () => {
    const { bytes } = await trained(paradigm, { ...options, epochs: EPOCHS, keep: 'last' });
    expect((await trained(paradigm, { ...options, epochs: EPOCHS }, false)).bytes.equals(bytes)).toBe(true);
  });

  test('is the best one on held-out data with keep best, as if training had ended there', async () => {
    const { bytes, devOfEpochs, scores } = await trained(paradigm, {
      ...{ ...options, epochs: EPOCHS, keep: 'best' },
    });
    expect(devOfEpochs).toHaveLength(EPOCHS);
    const best = devOfEpochs.reduce((most, { las }) => Math.max(most, las), 0);
    const epoch = 1 + devOfEpochs.findIndex(({ las }) => las === best);
    expect(scores).toMatchObject({ las: best });
    const short = await trained(paradigm, { ...options, epochs: epoch });
    expect(short.bytes.equals(bytes)).toBe(true);
  });

  test('cannot be the best one without held-out data', async () => {
    const training = trained(paradigm, { ...options, keep: 'best' }, false);
    await expect(training).rejects.toThrow(OptionError);
    await expect(training).rejects.toThrow('keep best goes with dev');
  });
});

describe.each(kinds)('a training of %s %j with patience', (paradigm, options) => {
  const untilConverged = { ...options, epochs: 40, patience: 2 };

  test('gives the model of a fixed number of epochs, and reports that number and why it ended', async () => {
    const { bytes, devOfEpochs, end, scores } = await trained(paradigm, untilConverged);
    expect(end?.epochs).toBe(devOfEpochs.length);
    expect(end?.epochs).toBeLessThan(40);
    expect(['held-out', 'separated']).toContain(end?.reason);
    expect(scores).toEqual(devOfEpochs.at(-1));
    const fixed = await trained(paradigm, { ...options, epochs: end?.epochs });
    expect(fixed.bytes.equals(bytes)).toBe(true);
    expect(fixed.end).toBeUndefined();
    expect((await trained(paradigm, untilConverged)).bytes.equals(bytes)).toBe(true);
  });

  test('needs held-out data', async () => {
    await expect(trained(paradigm, untilConverged, false)).rejects.toThrow('patience 2 goes with dev');
  });
});

test.each([
  ['graph', { keep: 'best' }],
  ['graph', { shards: 2 }],
  ['transition', { beam: 2, patience: 3 }],
  ['network', { units: 8, layers: 1 }],
] as const)(
  'a training of %s %j stopped while scoring held-out data resumes to the same model and scores',
  async (paradigm, some) => {
    const options = { ...some, epochs: 4 };
    const whole = await trained(paradigm, options);
    const checkpoints = new KeptCheckpoint();
    const stop = new AbortController();
    const { add } = AttachmentCounts.prototype;
    let sentences = 0;
    const scored = vi.spyOn(AttachmentCounts.prototype, 'add').mockImplementation(function (
      this: AttachmentCounts,
      ...trees
    ) {
      sentences++;
      // By now the held-out sentences are being scored after the second epoch.
      if (sentences === DEV + 4) stop.abort();
      add.apply(this, trees);
    });
    const devOfEpochs: EpochScores[] = [];
    const stopped = trained(paradigm, options, true, { checkpoints, devOfEpochs, signal: stop.signal });
    await expect(stopped).rejects.toThrow('abort');
    expect(checkpoints.load()!.header.training).toMatchObject({ epoch: 2, done: TRAIN });
    expect(devOfEpochs).toHaveLength(1);
    scored.mockRestore();
    const resumed = await trained(paradigm, options, true, { checkpoints });
    expect(resumed).toEqual({ ...whole, devOfEpochs: whole.devOfEpochs.slice(1) });
  },
);

test('the best epoch of a training that runs out of patience is the last one with a better score', async () => {
  const { end, devOfEpochs, scores } = await trained('graph', { epochs: 40, patience: 2, keep: 'best' });
  const best = devOfEpochs.reduce((most, { las }) => Math.max(most, las), 0);
  expect(scores).toMatchObject({ las: best });
  if (end?.reason === 'held-out')
    expect(devOfEpochs.findIndex(({ las }) => las === best)).toBe(end.epochs - 3);
});

test('a perceptron with patience ends after an epoch without a mistake', async () => {
  const sentences = treebank('few', ...(await sampleSentences('train', 4)));
  const asked = { options: { bits: 14, learner: 'perceptron', epochs: 90, patience: 90 }, dev: sentences };
  const { about } = await trainParser('graph', sentences, asked);
  expect(about.end?.reason).toBe('separated');
  expect(about.end?.epochs).toBeLessThan(90);
});

test('each member of a Bayes point with patience ends its training by its own scores', async () => {
  const train = treebank('train', ...(await sampleSentences('train', TRAIN)));
  const dev = treebank('dev', ...(await sampleSentences('dev', DEV)));
  const options = graphOptions.parse({ bits: 14, learner: 'averaged-perceptron', epochs: 40, patience: 1 });
  const shared = await linear.share(train, options, { seed: 1, jobs: 1, dev });
  for (const seed of [1, 2]) {
    const { parser, about } = await trainParser('graph', train, { options, seed, dev });
    expect(about.end?.epochs).toBeLessThan(40);
    const member = await linear.trainMember(shared, { seed, jobs: 1 });
    expect(bytesOf(linear.fromWeights(shared, member.weights)).equals(bytesOf(parser))).toBe(true);
    expect(member.dev).toEqual(about.scores);
  }
  await expect(linear.share(train, options, { seed: 1, jobs: 1 })).rejects.toThrow(
    'patience 1 goes with dev',
  );
});

test('a Bayes point refuses keep best', async () => {
  const training = trained('graph', { learner: 'bayes-point', members: 2, keep: 'best' });
  await expect(training).rejects.toThrow('keep best does not go with learner bayes-point');
});

test('a support vector machine refuses keep best and patience', async () => {
  const training = trained('transition', { learner: 'svm', keep: 'best' });
  await expect(training).rejects.toThrow('keep best does not go with learner svm');
  await expect(trained('transition', { learner: 'svm', patience: 2 })).rejects.toThrow(
    'patience 2 does not go with learner svm',
  );
  expect((await findParadigm('yamada-matsumoto')).options.safeParse({ keep: 'best' }).success).toBe(false);
});
