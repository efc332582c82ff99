import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../features/hash-index.ts';

/** What a word that is not in the lexicon has. */
export const UNSEEN = 0;

/**
 * What is known of the words of the training data, by the hashes of their normalised forms: which universal tags
 * each has (its ambiguity class), and which bundle of tags most often. Both are there to be told apart only.
 */
export class Lexicon {
  constructor(
    private readonly words: HashIndex,
    private readonly classes: Int32Array,
    private readonly usual: Int32Array,
  ) {}

  /** Throws `InputError` where the parts are not of one length. */
  static load(model: ModelReader): Lexicon {
    const words = HashIndex.of(model.section('tagger.words', 'int32'));
    const classes = model.section('tagger.classes', 'int32');
    const usual = model.section('tagger.usual', 'int32');
    if (classes.length !== words.size || usual.length !== words.size) {
      throw new InputError('damaged: the parts of the lexicon differ in length', { file: model.name });
    }
    return new Lexicon(words, classes, usual);
  }

  save(model: ModelWriter): void {
    model.section('tagger.words', this.words.hashes());
    model.section('tagger.classes', this.classes);
    model.section('tagger.usual', this.usual);
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
}
