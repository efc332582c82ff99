/** A sentence with the trees of several models; entry d − 1 of each list belongs to token d. */
export interface ComparedSentence {
  readonly id?: string | undefined;
  /** The original text, if known, else the forms joined by spaces. */
  readonly text: string;
  readonly forms: readonly string[];
  readonly trees: readonly ComparedTree[];
  readonly vote?: VotedTree | undefined;
}

/** A tree as lists with one entry per token. */
export interface TreeLists {
  /** The number of each token's head, 0 for the root. */
  readonly heads: readonly number[];
  readonly labels: readonly string[];
  /** The model's confidence in each head, 0 to 1, if asked for. */
  readonly confidences?: readonly number[] | undefined;
  readonly conllu: string;
}

export interface ComparedTree extends TreeLists {
  readonly model: string;
  readonly upos: readonly string[];
  readonly xpos: readonly string[];
  /** Remarks on the parse; absent: none. */
  readonly notices?: readonly string[] | undefined;
}

export interface VotedTree extends TreeLists {
  /** By token, the arcs that the models vote for, most votes first. */
  readonly ballots: readonly (readonly VotedArc[])[];
}

/** An arc with the models that vote for it. */
export interface VotedArc {
  readonly head: number;
  readonly label: string;
  readonly models: readonly string[];
}
