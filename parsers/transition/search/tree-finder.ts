import { findHeadsInChunks } from '../../../src/encoding/chunks.ts';
import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { type Search, searchFor } from './search.ts';

/** Finds the tree of a sentence of any length by the search that a model asks for. */
export class TreeFinder {
  private readonly search: Search;
  private readonly maxLength: number;

  constructor(
    model: TransitionModel,
    private readonly weights: TransitionWeights,
  ) {
    this.search = searchFor(model);
    this.maxLength = model.settings.maxLength;
  }

  /** Writes heads, and labels as numbers, into arrays of length + 1 entries or more. */
  find(sentence: EncodedSentence, heads: Int32Array, labels: Int32Array): void {
    const findChunk = (chunk: EncodedSentence, found: Int32Array, before: number) => {
      const tree = this.search.best(chunk, this.weights);
      for (let d = 1; d <= chunk.length; d++) {
        found[d] = tree.head(d);
        labels[before + d] = tree.label(d);
      }
    };
    heads[0] = -1;
    if (sentence.length <= this.maxLength) findChunk(sentence, heads, 0);
    else findHeadsInChunks(sentence, this.maxLength, heads, findChunk);
  }
}
