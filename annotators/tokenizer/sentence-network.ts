import { logarithm } from '../../src/learn/exponential.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { Tagger } from '../tagger/tagger.ts';

const PART = 'sentences';
/** Bounds the log-odds of words that had only one tag in training. */
const MOST_CERTAIN = 1 - 1e-6;
/** Added to the log-odds: on held-out parts of English, Czech, French and Hungarian treebanks too few ends were found. */
const BIAS = 0.8;
/** The tags of a token that ends a sentence, and of one that does not. */
export const BoundaryTag = { end: 'END', inside: 'INSIDE' } as const;

/** Decides from whole paragraphs which tokens end a sentence: a tagger with a BiLSTM and two tags. */
export class SentenceNetwork {
  constructor(private readonly tagger: Tagger) {}

  /** The network of a tokenizer's model, if it has one. */
  static load(model: ModelReader): SentenceNetwork | undefined {
    return model.partNames.includes(PART) ? new SentenceNetwork(Tagger.load(model.part(PART))) : undefined;
  }

  save(model: ModelWriter): void {
    this.tagger.save(model.part(PART));
  }

  /** The biased log-odds that a sentence ends with token i, for the tokens 1…n of a paragraph; `forms[0]` is the root's. */
  logOdds(forms: readonly string[]): Float64Array {
    const { tags, confidences } = this.tagger.confidentTags({ forms, length: forms.length - 1 });
    return confidences.map((confidence, i) => {
      const certain = Math.min(confidence, MOST_CERTAIN);
      const odds = logarithm(certain / (1 - certain));
      return BIAS + (tags[i] === BoundaryTag.end ? odds : -odds);
    });
  }
}
