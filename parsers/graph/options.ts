import { z } from 'zod';
import { decoders } from '../../src/decode/registry.ts';
import type { TagColumn } from '../../src/encoding/columns.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/encoding/options.ts';
import { stemPattern } from '../../src/encoding/stem.ts';
import { UsageError } from '../../src/errors.ts';
import { DEFAULT_LEARNER, type LearnerName, learners } from '../../src/learn/linear/learner.ts';
import { distanceKinds } from './features/distance.ts';
import { type TemplateSetName, templateSets } from './features/templates.ts';

const learnerNames = Object.keys(learners) as [LearnerName, ...LearnerName[]];
const decoderNames = Object.keys(decoders) as [string, ...string[]];
const setNames = Object.keys(templateSets) as [TemplateSetName, ...TemplateSetName[]];

/** Training options of the graph parser: the only place that knows their defaults. */
export const graphOptions = z.object({
  epochs: z.int().min(1).max(1000).default(10).describe('passes over the training sentences'),
  learner: z.enum(learnerNames).default(DEFAULT_LEARNER).describe('how weights are learnt'),
  miraTrees: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe('with mira and eisner: how many of the best trees each step learns from (k-best MIRA)'),
  decoder: z
    .enum(decoderNames)
    .default('chu-liu-edmonds')
    .describe('how the best tree is found; eisner gives projective trees only'),
  templates: z
    .array(z.enum(setNames))
    .min(1)
    .default(['mcdonald', 'bohnet', 'context', 'morphology'])
    .describe('sets of feature templates; morphology is left out where the file has no features'),
  distance: z
    .enum(distanceKinds)
    .default('bucket')
    .describe('how the length of an arc enters its features: in seven buckets, as it is, or direction only'),
  ...encodingOptions,
  shuffle: shuffleOption,
  stem: z
    .string()
    .regex(stemPattern, 'expected none, lemma, first-char or prefix:N')
    .default('none')
    .describe('what forms are backed off to: none, lemma, first-char or prefix:N'),
  bits: z
    .int()
    .min(10)
    .max(28)
    .default(21)
    .describe('there are 2^n weights for arcs, and half as many for labels'),
  maxLength: maxLengthOption(1000),
});

export type GraphOptions = z.infer<typeof graphOptions>;

/** The options with what the data decided. */
export interface GraphSettings extends Omit<GraphOptions, 'tag' | 'singleRoot'> {
  readonly tags: readonly TagColumn[];
  readonly singleRoot: boolean;
}

/** Refuses, with a `UsageError`, options that contradict each other. */
export function checkTogether({ miraTrees, learner, decoder }: GraphOptions): void {
  if (miraTrees === 1 || (learner === 'mira' && decoder === 'eisner')) return;
  throw new UsageError(
    `--mira-trees ${miraTrees} goes with --learner mira and --decoder eisner, not with ${learner} and ${decoder}`,
  );
}
