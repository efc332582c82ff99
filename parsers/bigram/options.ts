import { z } from 'zod';
import type { TagColumn } from '../../src/encoding/columns.ts';
import { encodingOptions, maxLengthOption } from '../../src/encoding/options.ts';
import { UsageError } from '../../src/errors.ts';

/** How the arcs' probabilities are estimated. */
export const estimates = ['interpolated', 'zeman'] as const;

/** The weight of forms against tags in Zeman's parser. */
const ZEMAN_LAMBDA = 0.734375;

/** Training options of the bigram parser: the only place that knows their defaults. */
export const bigramOptions = z.object({
  estimate: z
    .enum(estimates)
    .default('interpolated')
    .describe('many patterns with weights learnt on held-out data, or the DZ parser as it was'),
  decoder: z
    .enum(['chu-liu-edmonds', 'eisner', 'greedy'])
    .optional()
    .describe('how the best tree is found (default: eisner, with zeman greedy, which is its own search)'),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(`with zeman: the weight of pairs of forms against pairs of tags (default: ${ZEMAN_LAMBDA})`),
  ...encodingOptions,
  maxLength: maxLengthOption(500),
});

export type BigramOptions = z.infer<typeof bigramOptions>;

/** The options with what the data decided, as a model's header has them. */
export const bigramSettings = bigramOptions
  .required()
  .omit({ tag: true })
  .extend({ tags: z.array(z.enum(['upos', 'xpos'])).min(1) });
export type BigramSettings = z.infer<typeof bigramSettings>;

/** Fills in what was left open. */
export function settle(
  options: BigramOptions,
  tags: readonly TagColumn[],
  singleRoot: boolean,
): BigramSettings {
  const { tag: _, ...asked } = options;
  return {
    ...asked,
    decoder: asked.decoder ?? (asked.estimate === 'zeman' ? 'greedy' : 'eisner'),
    lambda: asked.lambda ?? ZEMAN_LAMBDA,
    tags: [...tags],
    singleRoot,
  };
}

/** Refuses, with a `UsageError`, options that contradict each other. */
export function checkTogether({ estimate, lambda }: BigramOptions): void {
  if (lambda === undefined || estimate === 'zeman') return;
  throw new UsageError(`--lambda ${lambda} goes with --estimate zeman, not with ${estimate}`);
}
