/** Names of options, apart from the code behind them, so that the command line can list them without loading it. */

export const methodNames = ['superparser', 'reparse-cle', 'reparse-eisner'] as const;
export type MethodName = (typeof methodNames)[number];

/** Weightings of votes; all but `equal` are learned (see `learnWeighting`), `agreement` without gold trees. */
export const weightingNames = ['equal', 'agreement', 'uas', 'las', 'tag', 'learnt'] as const;
export type WeightingName = (typeof weightingNames)[number];

/** Kinds of input: running text, one sentence per line, one token per line, or a treebank in any format. */
export const inputKinds = ['text', 'lines', 'tokens', 'conllu'] as const;
export type InputKind = (typeof inputKinds)[number];

export const keepNames = ['tags', 'lemmas'] as const;
export type KeepName = (typeof keepNames)[number];
