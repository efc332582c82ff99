/** A sentence with the trees of several models, as the service gives it: entry d − 1 of each list is of token d. */
export interface ComparedSentence {
  readonly id?: string | undefined;
  readonly forms: readonly string[];
  readonly trees: readonly ComparedTree[];
  /** What the models' vote makes of these trees. */
  readonly vote?: VotedTree | undefined;
}

export interface TreeLists {
  /** The number of each token's head, 0 for the root. */
  readonly heads: readonly number[];
  readonly labels: readonly string[];
  /** How sure the model is of each token's head, from 0 to 1; where that was asked for. */
  readonly confidences?: readonly number[] | undefined;
  /** The sentence with this tree. */
  readonly conllu: string;
}

export interface ComparedTree extends TreeLists {
  readonly model: string;
  readonly upos: readonly string[];
  readonly xpos: readonly string[];
}

export interface VotedTree extends TreeLists {
  /** For each token all answers, those of most models first. */
  readonly ballots: readonly (readonly VotedArc[])[];
}

/** An answer that some models give for a token. */
export interface VotedArc {
  readonly head: number;
  readonly label: string;
  readonly models: readonly string[];
}
