import { tagColumns } from '../../src/encoding/columns.ts';
import type { NumberingSettings } from '../../src/encoding/numbering.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

/** How the arcs' probabilities are estimated. */
export const estimates = ['interpolated', 'zeman'] as const;

/** How the best tree is found: of all trees, of projective ones, or by Zeman's own search. */
export const bigramDecoders = ['chu-liu-edmonds', 'eisner', 'greedy'] as const;

/** What a trained bigram parser must know of how it was trained: some options, and what the data decided. */
export interface BigramSettings extends NumberingSettings {
  readonly estimate: (typeof estimates)[number];
  readonly decoder: (typeof bigramDecoders)[number];
  /** Zeman's weight of pairs of forms against pairs of tags. */
  readonly lambda: number;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function bigramSettings(fields: HeaderFields): BigramSettings {
  return {
    estimate: fields.choice('estimate', estimates),
    decoder: fields.choice('decoder', bigramDecoders),
    lambda: fields.number('lambda', 0, 1),
    tags: fields.choices('tags', tagColumns),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1),
  };
}
