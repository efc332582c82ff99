/** What a vote may be asked for by name; apart from what does it, for who has only to name it. */

export const methodNames = ['superparser', 'reparse-cle', 'reparse-eisner'] as const;
export type MethodName = (typeof methodNames)[number];

/** How members' votes may be weighed; all but `equal` are learnt (see `learnWeighting`), `agreement` without right trees. */
export const weightingNames = ['equal', 'agreement', 'uas', 'las', 'tag', 'learnt'] as const;
export type WeightingName = (typeof weightingNames)[number];
