import { z } from 'zod';
import { InputError, OptionError } from '../../src/errors.ts';
import { between, whole } from '../../src/training/options.ts';
import { traceTreatments } from '../../src/treebank/phrases/traces.ts';
import { MOST_WORDS, type PcfgSettings, searches, tagSources } from './pcfg-parser.ts';
import { splitNames } from './syntax-tree.ts';

/** Default of `beam`. It is not in the schema, so that an explicit beam can be refused with exact search. */
const STANDARD_BEAM = 14;

/** Default Markov orders; lower with EM, whose substates learn the context. */
const STANDARD_ORDERS = {
  unsplit: { vertical: 2, horizontal: '1' },
  split: { vertical: 1, horizontal: '0' },
} as const;

const STANDARD_SPLITTING = { merge: 0.5, grammars: 1, smoothRules: 0.1, smoothWords: 0.3 } as const;

const share = between(0, 1).optional();

const asked = z.strictObject({
  vertical: whole(1, 3)
    .optional()
    .describe(
      'order of vertical markovization: number of labels in a symbol, its own and its ancestors’ (default: 2, with split-merge 1)',
    ),
  horizontal: z
    .enum(['0', '1', '2', 'inf'])
    .optional()
    .describe(
      'order of horizontal markovization: number of sisters in an intermediate symbol (default: 1, with split-merge 0)',
    ),
  binarize: z
    .enum(['head', 'left', 'right'])
    .default('head')
    .describe('innermost child of binarised rules: the head, the first or the last'),
  tagParents: z
    .boolean()
    .default(true)
    .describe('with vertical 2 or 3: leave ancestors out of the symbols of tags'),
  splits: z
    .array(z.enum(['all', ...splitNames]))
    .default(['all'])
    .describe('annotations that split symbols, named as in Klein & Manning (2003); empty: none'),
  functions: z
    .boolean()
    .default(false)
    .describe('keep function tags (NP-SBJ), in training and in the output'),
  unaries: z
    .enum(['keep', 'top', 'bottom'])
    .default('keep')
    .describe(
      'chains of phrases with a single child: keep all (repeats of a label become one), the topmost, or the lowest',
    ),
  rare: whole(1, 1000)
    .default(5)
    .describe('words seen at most this often represent unknown words of their class'),
  suffix: whole(0, 10)
    .default(3)
    .describe(
      'longest suffix, in letters, that defines word classes together with capitals, digits and hyphens',
    ),
  smoothing: between(0, 1000)
    .default(0.3)
    .describe("weight of a word's class in the probabilities of its tags, as a count"),
  frequent: z
    .int()
    .min(0)
    .default(100)
    .describe('words seen more often than this have only the tags that they were seen with'),
  search: z
    .enum(searches)
    .default('exact')
    .describe('exact search for the most probable tree, or beam search over promising phrases'),
  beam: between(1, 100)
    .optional()
    .describe(
      `with pruned search: beam width, as a difference of log probabilities of phrases over the same words (default: ${STANDARD_BEAM})`,
    ),
  tags: z
    .enum(tagSources)
    .default('own')
    .describe(
      "tag words itself, or take the sentences' tags (xpos), which is faster but, with the standard splits, no better; rare, suffix, smoothing and frequent then concern only tags never seen in training",
    ),
  traces: z
    .enum(traceTreatments)
    .default('ignore')
    .describe('treatment of moved phrases in the conversion to dependencies, as in convert'),
  splitMerge: whole(0, 6)
    .optional()
    .describe(
      'cycles of split–merge EM: every symbol is split in two, and the splits that help least are merged (default: 0)',
    ),
  grammars: whole(1, 16)
    .optional()
    .describe(
      `with split-merge: number of grammars, one per seed, whose product parses (default: ${STANDARD_SPLITTING.grammars})`,
    ),
  merge: share.describe(
    `with split-merge: share of splits that are merged again (default: ${STANDARD_SPLITTING.merge})`,
  ),
  smoothRules: share.describe(
    `with split-merge: smoothing of a symbol's substates towards their mean, for rules (default: ${STANDARD_SPLITTING.smoothRules})`,
  ),
  smoothWords: share.describe(
    `with split-merge: smoothing of a tag's substates towards their mean, for words (default: ${STANDARD_SPLITTING.smoothWords})`,
  ),
  maxLength: whole(10, MOST_WORDS)
    .default(120)
    .describe(
      'longer sentences, and ones that would take more than 1 GiB, are parsed in chunks, cut after punctuation marks where possible',
    ),
});

export const pcfgOptions = asked.transform(({ vertical, horizontal, ...rest }) => {
  const standard = (rest.splitMerge ?? 0) > 0 ? STANDARD_ORDERS.split : STANDARD_ORDERS.unsplit;
  // In the order of the schema, which is the order in a model's header.
  return { vertical: vertical ?? standard.vertical, horizontal: horizontal ?? standard.horizontal, ...rest };
});

export type PcfgOptions = z.infer<typeof pcfgOptions>;

export type SplitMergeOptions = PcfgOptions &
  Readonly<Record<'splitMerge' | keyof typeof STANDARD_SPLITTING, number>>;

/** Returns split–merge options with defaults, if split–merge is on; throws `OptionError` for options that contradict it. */
export function splitMergeOptions(options: PcfgOptions): SplitMergeOptions | undefined {
  const { splitMerge = 0 } = options;
  const names = Object.keys(STANDARD_SPLITTING) as (keyof typeof STANDARD_SPLITTING)[];
  const given = names.filter((name) => options[name] !== undefined);
  if (splitMerge === 0 && given.length > 0) {
    const [name] = given;
    throw new OptionError((option) => `${option(name, options[name])} goes with ${option('splitMerge')}`);
  }
  if (splitMerge > 0 && options.search === 'pruned') {
    throw new OptionError(
      (option) => `${option('search', 'pruned')} and ${option('splitMerge', splitMerge)}: one or the other`,
    );
  }
  if (splitMerge === 0) return undefined;
  const asked = Object.fromEntries(given.map((name) => [name, options[name]]));
  return { ...options, splitMerge, ...STANDARD_SPLITTING, ...asked };
}

/** Returns the settings of a parser; throws `OptionError` for options that contradict each other. */
export function settingsOf(options: PcfgOptions): PcfgSettings {
  const { search, beam = STANDARD_BEAM, tags, traces, maxLength, suffix, smoothing, frequent } = options;
  if (options.beam !== undefined && search !== 'pruned') {
    throw new OptionError(
      (option) => `${option('beam', beam)} goes with ${option('search', 'pruned')}, not with ${search}`,
    );
  }
  if (!options.tagParents && options.vertical === 1)
    throw new OptionError(
      (option) => `${option('tagParents', false)} goes with ${option('vertical', 2)} or 3`,
    );
  return { search, beam, tags, traces, maxLength, suffix, smoothing, frequent };
}

/** The error for a treebank without phrases. */
export function notBracketed(file: string): InputError {
  const expected = 'expected bracketed trees, as in the Penn Treebank';
  return new InputError(`has dependencies but no phrases to learn from: ${expected}`, { file });
}
