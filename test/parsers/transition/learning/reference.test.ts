import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTrainingData } from '../../../../parsers/transition/learning/training-data.ts';
import { onlineSettings, transitionOptions } from '../../../../parsers/transition/options.ts';
import { linear } from '../../../../parsers/transition/paradigm.ts';
import type { StackSystemName } from '../../../../parsers/transition/systems/registry.ts';
import type { LearnerName } from '../../../../src/learn/linear/learner.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import type { Sentence } from '../../../../src/treebank/sentence.ts';
import { smallSentences } from '../../../support/encoded.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';
import { ReferenceTransitionLearner } from '../../../support/reference-transition.ts';
import { sampleSentences } from '../../../support/sample-sentences.ts';
import { treebank } from '../../../support/sentences.ts';

interface Options {
  readonly system: StackSystemName;
  readonly beam: number;
  readonly learner?: LearnerName;
  readonly oracle?: 'static' | 'dynamic';
  readonly update?: 'early' | 'max-violation';
  readonly epochs?: number;
  readonly shuffle?: boolean;
  readonly bits?: number;
}

/** The weights that the parser learns, and those of the reference. */
async function learnt(sentences: readonly Sentence[], asked: Options, seed: number) {
  const options = transitionOptions.parse({ bits: 10, epochs: 2, formDropout: 0, ...asked });
  const run = { seed, jobs: 1 };
  const small = treebank('small', ...sentences);
  const writer = new ModelWriter();
  (await linear.train(small, options, run)).save(writer);
  const model = ModelReader.fromBuffer(modelBuffer(writer), 'model');
  const data = await readTrainingData(small, options, onlineSettings(options), run);
  return {
    learnt: {
      actions: [...model.section('actions', 'int16')],
      labels: [...model.section('labels', 'int16')],
    },
    reference: new ReferenceTransitionLearner(data, seed).train(),
  };
}

/** Treebanks of a few sentences; in half of them every sentence has one root. */
const smallTreebanks = fc
  .tuple(fc.array(smallSentences(1, 6), { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([sentences, oneRoot]) =>
    oneRoot ? sentences.map((one) => ({ ...one, heads: withOneRoot(one.heads) })) : sentences,
  );

function withOneRoot(heads: Int32Array): Int32Array {
  return heads.map((h, d) => (d > 1 && h === 0 ? 1 : h));
}

const trainings: readonly Options[] = [
  { system: 'arc-eager', beam: 1 },
  { system: 'arc-eager', beam: 1, oracle: 'dynamic', epochs: 6 },
  { system: 'arc-standard', beam: 1 },
  { system: 'arc-swap', beam: 1, shuffle: false },
  { system: 'arc-eager', beam: 3, update: 'max-violation' },
  { system: 'arc-eager', beam: 2, update: 'early' },
  { system: 'arc-standard', beam: 2, update: 'max-violation' },
  { system: 'arc-swap', beam: 3, update: 'early' },
  { system: 'arc-swap', beam: 3, update: 'max-violation' },
  { system: 'arc-eager', beam: 1, learner: 'perceptron' },
  { system: 'arc-eager', beam: 3, learner: 'perceptron' },
  { system: 'arc-swap', beam: 1, learner: 'mira' },
  { system: 'arc-eager', beam: 1, learner: 'mira', oracle: 'dynamic', epochs: 6 },
  { system: 'arc-eager', beam: 3, learner: 'mira', update: 'max-violation' },
  { system: 'arc-standard', beam: 2, learner: 'mira', update: 'early' },
  { system: 'arc-swap', beam: 3, learner: 'mira', update: 'max-violation' },
];
const named = trainings.map((options) => [Object.values(options).join(', '), options] as const);

describe.each(named)('online training (%s)', (_, options) => {
  test('gives the weights of a reference implementation on small random treebanks', async () => {
    await fc.assert(
      fc.asyncProperty(smallTreebanks, fc.integer(), async (sentences, seed) => {
        const { learnt: weights, reference } = await learnt(sentences, options, seed);
        expect(weights).toEqual(reference);
      }),
      { numRuns: 15 },
    );
  });

  test('gives the weights of a reference implementation on sentences of the sample', async () => {
    const sentences = (await sampleSentences('train', 60)).filter(({ length }) => length <= 12).slice(0, 10);
    const { learnt: weights, reference } = await learnt(sentences, { epochs: 3, bits: 13, ...options }, 11);
    expect(weights).toEqual(reference);
    expect(weights.actions.some((weight) => weight !== 0)).toBe(true);
    expect(weights.labels.some((weight) => weight !== 0)).toBe(true);
  });
});
