import { describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { OptionError } from '../../src/errors.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { EpochScores } from '../../src/training/training-run.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleSentences } from '../support/sample-sentences.ts';
import { treebank } from '../support/sentences.ts';

const EPOCHS = 6;
const kinds = [
  ['graph', {}],
  ['transition', { beam: 2 }],
  ['transition', { beam: 1, oracle: 'dynamic' }],
] as const;

interface Training {
  readonly bytes: Buffer;
  readonly devOfEpochs: readonly EpochScores[];
  readonly scores: EpochScores | undefined;
}

/** On a few sentences, so that more epochs do not always help. */
async function trained(paradigm: string, options: object, hasDev = true): Promise<Training> {
  const devOfEpochs: EpochScores[] = [];
  const dev = treebank('dev', ...(await sampleSentences('dev', 12)));
  const { parser, about } = await trainParser(
    paradigm,
    treebank('train', ...(await sampleSentences('train', 25))),
    {
      options: { bits: 14, learner: 'perceptron', ...options },
      ...(hasDev && { dev }),
      onProgress: (progress) => progress.isOver && progress.dev && devOfEpochs.push(progress.dev),
    },
  );
  const writer = new ModelWriter();
  parser.save(writer);
  return { bytes: Buffer.from(modelBuffer(writer)), devOfEpochs, scores: about.scores };
}

describe.each(kinds)('the epoch that a training of %s %j keeps', (paradigm, options) => {
  test('is the last, whatever the held-out data say; without such, the same', async () => {
    const { bytes } = await trained(paradigm, { ...options, epochs: EPOCHS, keep: 'last' });
    expect((await trained(paradigm, { ...options, epochs: EPOCHS }, false)).bytes.equals(bytes)).toBe(true);
  });

  test('is the best on held-out data where that is asked for: the model of a training that ended there', async () => {
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

  test('cannot be the best where there are no held-out data', async () => {
    const training = trained(paradigm, { ...options, keep: 'best' }, false);
    await expect(training).rejects.toThrow(OptionError);
    await expect(training).rejects.toThrow('keep best goes with dev');
  });
});

test('a Bayes point has no best epoch', async () => {
  const training = trained('graph', { learner: 'bayes-point', members: 2, keep: 'best' });
  await expect(training).rejects.toThrow('keep best does not go with learner bayes-point');
});

test('a support vector machine has no epochs to keep one of', async () => {
  const training = trained('transition', { learner: 'svm', keep: 'best' });
  await expect(training).rejects.toThrow('keep best does not go with learner svm');
  expect((await findParadigm('yamada-matsumoto')).options.safeParse({ keep: 'best' }).success).toBe(false);
});
