/** A sentence with the trees of several models; entry d − 1 of each list belongs to token d. */
export interface ComparedSentence {
  readonly id?: string | undefined;
  /** As typed, where that is known; else the forms joined by spaces. */
  readonly text: string;
  readonly forms: readonly string[];
  readonly trees: readonly ComparedTree[];
  readonly vote?: VotedTree | undefined;
}

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
}

export interface VotedTree extends TreeLists {
  readonly ballots: readonly (readonly VotedArc[])[];
}

export interface VotedArc {
  readonly head: number;
  readonly label: string;
  readonly models: readonly string[];
}
