import { z } from 'zod';
import { OptionError } from '../../src/errors.ts';
import { encodingOptions, maxLengthOption } from '../../src/training/options.ts';
import { templatesOption } from '../../src/training/templates-option.ts';
import { templateSetNames } from './patterns/chosen-templates.ts';
import type { BigramSection } from './patterns/sections.ts';
import { type BigramSettings, bigramDecoders, estimates } from './settings.ts';

/** The weight of forms against tags in Zeman's parser. */
const ZEMAN_LAMBDA = 0.734375;

/** Training options of the bigram parser: the only place that knows their defaults. */
export const bigramOptions = z.strictObject({
  estimate: z
    .enum(estimates)
    .default('interpolated')
    .describe('many patterns with weights learnt on held-out data, or the DZ parser as it was'),
  decoder: z
    .enum(bigramDecoders)
    .optional()
    .describe('how the best tree is found (default: eisner, with zeman greedy, which is its own search)'),
  lambda: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(`with zeman: the weight of pairs of forms against pairs of tags (default: ${ZEMAN_LAMBDA})`),
  templates: templatesOption(
    templateSetNames,
    ['arcs', 'labels'] satisfies BigramSection[],
    templateSetNames,
  ),
  ...encodingOptions,
  maxLength: maxLengthOption(500),
});

export type BigramOptions = z.infer<typeof bigramOptions>;

/** How arcs are estimated and trees found; throws `OptionError` for options that contradict each other. */
export function searchSettings({
  estimate,
  decoder,
  lambda,
}: BigramOptions): Pick<BigramSettings, 'estimate' | 'decoder' | 'lambda'> {
  if (lambda !== undefined && estimate !== 'zeman') {
    throw new OptionError(
      (option) =>
        `${option('lambda', lambda)} goes with ${option('estimate', 'zeman')}, not with ${estimate}`,
    );
  }
  const standard = estimate === 'zeman' ? 'greedy' : 'eisner';
  return { estimate, decoder: decoder ?? standard, lambda: lambda ?? ZEMAN_LAMBDA };
}
