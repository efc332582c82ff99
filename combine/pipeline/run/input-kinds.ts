/** What an input is: text, cut into lines or tokens or not at all, or sentences in any format of treebanks. */
export const inputKinds = ['text', 'lines', 'tokens', 'conllu'] as const;
export type InputKind = (typeof inputKinds)[number];
