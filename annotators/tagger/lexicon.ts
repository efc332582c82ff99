import { InputError } from '../../src/errors.ts';
import type { ModelReader, ModelWriter } from '../../src/model/model.ts';
import { HashIndex, NONE } from '../hash-index.ts';
import type { TagSet } from './tag-set.ts';

/** The ambiguity class and usual bundle of a word that is not in the lexicon. */
export const UNSEEN = 0;
/** In place of a bundle: the context decides. */
export const NOT_FIXED = -1;

/**
 * The words of the training data, by the hashes of their normalised forms. For each word: its ambiguity class (the pairs of
 * UPOS and XPOS that it has) and its most frequent bundle, as numbers that only tell classes apart; for frequent words, the
 * fixed bundle that they always have, or always have with a given UPOS.
 */
export class Lexicon {
  constructor(
    private readonly words: HashIndex,
    private readonly classes: Int32Array,
    private readonly usual: Int32Array,
    /** The fixed bundle of each word, or `NOT_FIXED`. */
    private readonly fixed: Int32Array,
    /** The same with each universal tag: words × tags. */
    private readonly fixedOfUpos: Int32Array,
  ) {}

  /** Throws `InputError` if the arrays differ in length, or name bundles that do not exist. */
  static load(model: ModelReader, tags: TagSet): Lexicon {
    const words = HashIndex.of(model.section('tagger.words', 'int32'));
    const classes = model.section('tagger.classes', 'int32');
    const usual = model.section('tagger.usual', 'int32');
    const range = { least: NOT_FIXED, most: tags.bundles.length - 1 };
    const fixed = model.section('tagger.settled', 'int32', range);
    const length = words.size * tags.upos.length;
    const fixedOfUpos = model.section('tagger.beside', 'int32', { ...range, length });
    if ([classes, usual, fixed].some(({ length }) => length !== words.size)) {
      throw new InputError('damaged: the parts of the lexicon differ in length', { file: model.name });
    }
    return new Lexicon(words, classes, usual, fixed, fixedOfUpos);
  }

  save(model: ModelWriter): void {
    model.section('tagger.words', this.words.hashes());
    model.section('tagger.classes', this.classes);
    model.section('tagger.usual', this.usual);
    model.section('tagger.settled', this.fixed);
    model.section('tagger.beside', this.fixedOfUpos);
  }

  /** The number of a word by its hash, or `NONE`. */
  find(hash: number): number {
    return this.words.numberOf(hash);
  }

  classOf(word: number): number {
    return word === NONE ? UNSEEN : this.classes[word];
  }

  usualOf(word: number): number {
    return word === NONE ? UNSEEN : this.usual[word];
  }

  fixedBundle(word: number): number {
    return word === NONE ? NOT_FIXED : this.fixed[word];
  }

  /** The fixed bundle of a word with this universal tag, one of `size`; or `NOT_FIXED`. */
  fixedBundleOfUpos(word: number, upos: number, size: number): number {
    return word === NONE ? NOT_FIXED : this.fixedOfUpos[word * size + upos];
  }
}
