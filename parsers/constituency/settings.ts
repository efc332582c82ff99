import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { LexiconSettings } from './lexicon/lexicon.ts';

export const searches = ['exact', 'pruned'] as const;
/** Whose tags the words have: the parser's own, or those given in the sentence. */
export const tagSources = ['own', 'given'] as const;
/** What becomes of moved phrases where dependencies are made of a tree. */
export const traceRules = ['ignore', 'resolve'] as const;

/** The longest sentences that can be asked to be parsed as a whole: time grows with the cube of the length. */
export const MOST_WORDS = 1000;

/** What a trained constituency parser must know of how it was trained. */
export interface PcfgSettings extends LexiconSettings {
  readonly search: (typeof searches)[number];
  /** With pruned search: how far below the best of the same words a phrase may be, as natural logarithm. */
  readonly beam: number;
  readonly tags: (typeof tagSources)[number];
  readonly traces: (typeof traceRules)[number];
  /** Longer sentences are parsed in chunks. */
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function pcfgSettings(fields: HeaderFields): PcfgSettings {
  return {
    search: fields.choice('search', searches),
    beam: fields.number('beam', 1, 100),
    tags: fields.choice('tags', tagSources),
    traces: fields.choice('traces', traceRules),
    maxLength: fields.integer('maxLength', 10, MOST_WORDS),
    suffix: fields.integer('suffix', 0, 10),
    smoothing: fields.number('smoothing', 0, 1000),
    frequent: fields.integer('frequent', 0),
  };
}
