import type { TrainingProgress } from '../../src/training/training-run.ts';

/** The progress of one part of a model that has several. */
export interface PartProgress {
  /**
   * Of a pipeline `tokenizer`, `tagger`, `lemmatizer`, `folds`, `parser` (`parser-1`, … where several are to vote), or
   * `scores`; of a stacked parser `guide-1`, …
   */
  readonly part: string;
  /** How much of it is done, from 0 to 1. Told of all annotators and folds at the beginning, with 0. */
  readonly share: number;
  /** It is done. */
  readonly isOver?: boolean | undefined;
  /** It was done before, and has been kept. */
  readonly isKept?: boolean | undefined;
  /** How far the training of the parser is, where it is one. */
  readonly training?: TrainingProgress | undefined;
}
