import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { BigramExplanation } from '../../../src/explain/matrix.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';

/** How likely each arc of a sentence is, learnt from counts. */
export interface ArcEstimate {
  /** Fills the score matrix of a sentence (graph/decoders/decoder.ts): a tree's score is the sum of its arcs'. */
  score(sentence: EncodedSentence, scores: Float32Array): void;
  /** Of the tokens last scored, by position: 1 where a greedy search should give it one dependent at most. */
  readonly takesOne?: Uint8Array;
  /** What the scores of the arcs into a token are made of; for one arc at a time, and not fast. */
  reasons(sentence: EncodedSentence, d: number): ArcReasons;
  save(file: ModelWriter): void;
}

/** What the scores of the arcs into one token are made of. */
export interface ArcReasons {
  /** What each pattern adds to the score of the arc from a head, where there are patterns. */
  gains?(head: number): number[];
  /** The counts behind it, where the estimate keeps counts. */
  counts?(head: number): NonNullable<BigramExplanation['counts']>[number];
}
