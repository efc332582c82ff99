import { z } from 'zod';
import { fullTransitionOptions, standardCosts } from './options.ts';
import { type StackSystemName, stackSystems } from './systems/registry.ts';

const systemNames = Object.keys(stackSystems) as [StackSystemName, ...StackSystemName[]];

/** What every parser with stack and buffer has: options, and what the data decided. */
const common = fullTransitionOptions
  .pick({ direction: true, beam: true, normalize: true, bits: true, maxLength: true })
  .extend({
    system: z.enum(systemNames),
    tags: z.array(z.enum(['upos', 'xpos'])).min(1),
    /** Whether the training data have morphological features. */
    feats: z.boolean(),
    singleRoot: z.boolean(),
  });

const perceptronSettings = common.extend({
  learner: z.literal('averaged-perceptron'),
  ...fullTransitionOptions.pick({ oracle: true, update: true, epochs: true, shuffle: true }).shape,
});

const svmSettings = common.extend({
  learner: z.literal('svm'),
  cost: z.number().default(standardCosts.linear),
});

/** The settings of a parser with stack and buffer: those that apply to how it was learnt, and no others. */
export const transitionSettings = z.discriminatedUnion('learner', [perceptronSettings, svmSettings]);

export type TransitionSettings = z.infer<typeof transitionSettings>;
export type PerceptronSettings = z.infer<typeof perceptronSettings>;
export type SvmSettings = z.infer<typeof svmSettings>;
