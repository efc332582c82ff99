import { z } from 'zod';
import { decoderNames } from '../../src/decode/registry.ts';
import { stemPattern } from '../../src/encoding/forms.ts';
import { OptionError } from '../../src/errors.ts';
import { DEFAULT_LEARNER, learnerNames } from '../../src/learn/linear/learner.ts';
import {
  between,
  encodingOptions,
  keepOption,
  linearOptions,
  maxLengthOption,
  patienceOption,
  pseudoProjectiveOption,
  shuffleOption,
  templatesOption,
  whole,
} from '../../src/training/options.ts';
import { distanceKinds } from './features/distance.ts';
import { standardSets, templateSetNames } from './features/template-sets.ts';
import { graphSections } from './features/templates.ts';

/** Form dropout where forms are sparse: in larger parts, and in rich morphology. */
const SPARSE_FORM_DROPOUT = 0.5;

/** Training options of the graph parser, with all defaults. */
export const graphOptions = z.strictObject({
  epochs: whole(1, 1000).default(10).describe('passes over the training sentences'),
  patience: patienceOption,
  keep: keepOption,
  shards: whole(1, 64)
    .optional()
    .describe(
      'number of shards for iterative parameter mixing: each epoch trains one model per shard, in parallel with several jobs, and averages them (default: 1)',
    ),
  ...linearOptions(learnerNames, DEFAULT_LEARNER),
  miraTrees: whole(1, 20)
    .default(1)
    .describe('with mira and eisner: number of best trees used in each update (k-best MIRA)'),
  decoder: z
    .enum(decoderNames)
    .default('chu-liu-edmonds')
    .describe('algorithm that finds the best tree; eisner finds projective trees only'),
  pseudoProjective: pseudoProjectiveOption,
  order: whole(1, 3)
    .optional()
    .describe(
      'order of the factorization: 1, single arcs; 2, siblings and grandparents; 3, grandsiblings (default: 1)',
    ),
  templates: templatesOption(
    templateSetNames,
    Object.keys(graphSections) as (keyof typeof graphSections)[],
    standardSets,
  ),
  formDropout: between(0, 100)
    .optional()
    .describe(
      `word dropout: in training, replace a form seen m times by the unknown form with probability n / (n + m) (default: 0; ${SPARSE_FORM_DROPOUT} with order 2 or 3, or if m:* in templates stands for any attribute)`,
    ),
  distance: z
    .enum(distanceKinds)
    .default('bucket')
    .describe(
      'arc length in features: bucket (1 to 5, 6–10, more), capped (1, 2, 3, 4 or more), exact, or none (direction only)',
    ),
  ...encodingOptions,
  shuffle: shuffleOption,
  stem: z
    .string()
    .regex(stemPattern, 'expected none, lemma, first-char or prefix:N')
    .default('none')
    .describe('backoff of forms: none, lemma, first-char or prefix:N'),
  bits: whole(10, 28).default(21).describe('2^n weights for arcs, and half as many for labels'),
  maxLength: maxLengthOption(1000),
});

export type GraphOptions = z.infer<typeof graphOptions>;

/** The form dropout to use; `attributes`: what `m:*` in the templates denotes. */
export function formDropoutOf({ formDropout, order = 1 }: GraphOptions, attributes: readonly string[]) {
  return formDropout ?? (order === 1 && attributes.length === 0 ? 0 : SPARSE_FORM_DROPOUT);
}

/** Refuses, with an `OptionError`, options that contradict each other. */
export function checkTogether(options: GraphOptions): void {
  const { miraTrees, learner, decoder, order = 1 } = options;
  const onlyOfArcs: [string, unknown] | undefined =
    miraTrees > 1 ? ['miraTrees', miraTrees] : decoder === 'matrix-power' ? ['decoder', decoder] : undefined;
  if (order > 1 && onlyOfArcs !== undefined) {
    throw new OptionError(
      (option) => `${option(...onlyOfArcs)} goes with ${option('order', 1)}, not with ${order}`,
    );
  }
  if (miraTrees === 1 || (learner === 'mira' && decoder === 'eisner')) return;
  throw new OptionError(
    (option) =>
      `${option('miraTrees', miraTrees)} goes with ${option('learner', 'mira')} and ${option('decoder', 'eisner')}, not with ${learner} and ${decoder}`,
  );
}
