import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../features/hash-index.ts';

/** What a word that is not in the lexicon has. */
export const UNSEEN = 0;
/** In place of a bundle: what stands around the word decides. */
export const UNSETTLED = -1;

/**
 * What is known of the words of the training data, by the hashes of their normalised forms: which universal tags
 * each has (its ambiguity class), and which bundle of tags most often, both to be told apart only; and of frequent
 * words that always had the same bundle, which.
 */
export class Lexicon {
  constructor(
    private readonly words: HashIndex,
    private readonly classes: Int32Array,
    private readonly usual: Int32Array,
    private readonly settled: Int32Array,
  ) {}

  /** Throws `InputError` where the parts are not of one length, or there are not so many bundles. */
  static load(model: ModelReader, bundles: number): Lexicon {
    const words = HashIndex.of(model.section('tagger.words', 'int32'));
    const classes = model.section('tagger.classes', 'int32');
    const usual = model.section('tagger.usual', 'int32');
    const settled = model.section('tagger.settled', 'int32');
    if ([classes, usual, settled].some(({ length }) => length !== words.size)) {
      throw new InputError('damaged: the parts of the lexicon differ in length', { file: model.name });
    }
    if (settled.some((bundle) => bundle < UNSETTLED || bundle >= bundles)) {
      throw new InputError('damaged: section tagger.settled names tags that there are not', {
        file: model.name,
      });
    }
    return new Lexicon(words, classes, usual, settled);
  }

  save(model: ModelWriter): void {
    model.section('tagger.words', this.words.hashes());
    model.section('tagger.classes', this.classes);
    model.section('tagger.usual', this.usual);
    model.section('tagger.settled', this.settled);
  }

  /** A number for all the universal tags of a word. */
  classOf(hash: number): number {
    const word = this.words.numberOf(hash);
    return word === NONE ? UNSEEN : this.classes[word];
  }

  /** A number for the most frequent tags of a word. */
  usualOf(hash: number): number {
    const word = this.words.numberOf(hash);
    return word === NONE ? UNSEEN : this.usual[word];
  }

  /** The bundle of a word that always has the same, or `UNSETTLED`. */
  settledOf(hash: number): number {
    const word = this.words.numberOf(hash);
    return word === NONE ? UNSETTLED : this.settled[word];
  }
}
