import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';

/** How likely each arc of a sentence is, learnt from counts. */
export interface ArcEstimate {
  /** Fills the score matrix of a sentence (graph/decoders/decoder.ts): a tree's score is the sum of its arcs'. */
  score(sentence: EncodedSentence, scores: Float32Array): void;
  /** Of the tokens last scored, by position: 1 where a greedy search should give it one dependent at most. */
  readonly takesOne?: Uint8Array;
  save(file: ModelWriter): void;
}
