/** One field of a pattern: the column of the head, of the dependent, or of a neighbour of theirs. */
export interface Field {
  readonly of: 'head' | 'dependent';
  readonly column: number;
  readonly offset: number;
}

/** What is counted of an arc; `backoff` is the place of a coarser pattern earlier in the list, −1: none. */
export interface Pattern<P extends string> {
  /** Its template. */
  readonly name: string;
  readonly fields: readonly Field[];
  readonly part: P;
  readonly backoff: number;
}
