import { z } from 'zod';
import { OptionError } from '../../src/errors.ts';
import { splitNames } from './grammar/splits.ts';
import { MOST_WORDS, type PcfgSettings, searches, tagSources, traceRules } from './settings.ts';

/** What stands in for a beam that was not asked for: left open in the schema, to tell the two cases apart. */
const STANDARD_BEAM = 14;

/** Training options of the constituency parser: the only place that knows their defaults. */
export const pcfgOptions = z.strictObject({
  vertical: z
    .int()
    .min(1)
    .max(3)
    .default(2)
    .describe("labels that a phrase's symbol remembers: its own, its parent's, …"),
  horizontal: z
    .enum(['0', '1', '2', 'inf'])
    .default('1')
    .describe('sisters that an intermediate symbol of a binarised rule remembers'),
  binarize: z
    .enum(['head', 'left', 'right'])
    .default('head')
    .describe(
      'which child of a phrase is innermost when rules are binarised: its head, the first or the last',
    ),
  tagParents: z.boolean().default(true).describe('do not let tags remember what phrases they are in'),
  splits: z
    .array(z.enum(['all', ...splitNames]))
    .default(['all'])
    .describe('phrases and tags to tell apart, by the names of Klein & Manning (2003); empty: none'),
  functions: z.boolean().default(false).describe('keep function tags (NP-SBJ): learn them, and give them'),
  unaries: z
    .enum(['keep', 'top', 'bottom'])
    .default('keep')
    .describe(
      'of phrases with a single child in a row: keep all (of one label in a row always one), the topmost, or the lowest',
    ),
  rare: z
    .int()
    .min(1)
    .max(1000)
    .default(5)
    .describe('words seen this often or less teach what unknown words of their class are'),
  suffix: z
    .int()
    .min(0)
    .max(10)
    .default(3)
    .describe('letters at the end of a word that, with capitals, digits and hyphens, make its class'),
  smoothing: z
    .number()
    .min(0)
    .max(1000)
    .default(0.3)
    .describe("how many times a word's class is counted for its tags, beside the word itself"),
  frequent: z
    .int()
    .min(0)
    .default(100)
    .describe('words seen more often than this have the tags that they were seen with, and no others'),
  search: z
    .enum(searches)
    .default('exact')
    .describe('find the most probable tree for sure, or look at promising phrases only'),
  beam: z
    .number()
    .min(1)
    .max(100)
    .optional()
    .describe(
      `with pruned search: how far below the best of the same words a phrase may be, as natural logarithm (default: ${STANDARD_BEAM})`,
    ),
  tags: z
    .enum(tagSources)
    .default('own')
    .describe(
      "whether the parser tags by itself, or takes the sentences' tags (xpos), which is faster but, with the standard splits, no better",
    ),
  traces: z
    .enum(traceRules)
    .default('ignore')
    .describe('what becomes of moved phrases where dependencies are made of its trees, as in convert'),
  maxLength: z
    .int()
    .min(10)
    .max(MOST_WORDS)
    .default(120)
    .describe(
      'longer sentences, and ones that would take more than 1 GiB, are parsed in chunks, cut after punctuation marks where possible',
    ),
});

export type PcfgOptions = z.infer<typeof pcfgOptions>;

/** What the parser must know of the options; throws `OptionError` for options that contradict each other. */
export function settingsOf(options: PcfgOptions): PcfgSettings {
  const { search, beam = STANDARD_BEAM, tags, traces, maxLength, suffix, smoothing, frequent } = options;
  if (options.beam !== undefined && search !== 'pruned') {
    throw new OptionError(
      (option) => `${option('beam', beam)} goes with ${option('search', 'pruned')}, not with ${search}`,
    );
  }
  return { search, beam, tags, traces, maxLength, suffix, smoothing, frequent };
}
