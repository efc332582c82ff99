/** What a vote may be asked for by name; apart from what does it, for who has only to name it. */

export const methodNames = ['superparser', 'reparse-cle', 'reparse-eisner'] as const;
export type MethodName = (typeof methodNames)[number];

/** How members' votes may be weighed; all but `equal` is learnt (see `learnWeighting`). */
export const weightingNames = ['equal', 'uas', 'las', 'tag', 'learnt'] as const;
export type WeightingName = (typeof weightingNames)[number];
