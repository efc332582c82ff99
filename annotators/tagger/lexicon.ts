import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../features/hash-index.ts';
import type { TagSet } from './tag-set.ts';

/** What a word that is not in the lexicon has. */
export const UNSEEN = 0;
/** In place of a bundle: what stands around the word decides. */
export const UNSETTLED = -1;

/**
 * What is known of the words of the training data, by the hashes of their normalised forms. For each word:
 * which universal tags it has with which of the language's own (its ambiguity class), and its most frequent
 * bundle of tags; both are numbers that only tell classes apart. For frequent words: the bundle that they
 * always had, or always had beside one universal tag.
 */
export class Lexicon {
  constructor(
    private readonly words: HashIndex,
    private readonly classes: Int32Array,
    private readonly usual: Int32Array,
    private readonly settled: Int32Array,
    /** Of each word the bundle beside each universal tag, or `UNSETTLED`. */
    private readonly beside: Int32Array,
  ) {}

  /** Throws `InputError` where the parts are not of one length, or name bundles that there are not. */
  static load(model: ModelReader, tags: TagSet): Lexicon {
    const words = HashIndex.of(model.section('tagger.words', 'int32'));
    const classes = model.section('tagger.classes', 'int32');
    const usual = model.section('tagger.usual', 'int32');
    const range = { least: UNSETTLED, most: tags.bundles.length - 1 };
    const settled = model.section('tagger.settled', 'int32', range);
    const length = words.size * tags.upos.length;
    const beside = model.section('tagger.beside', 'int32', { ...range, length });
    if ([classes, usual, settled].some(({ length }) => length !== words.size)) {
      throw new InputError('damaged: the parts of the lexicon differ in length', { file: model.name });
    }
    return new Lexicon(words, classes, usual, settled, beside);
  }

  save(model: ModelWriter): void {
    model.section('tagger.words', this.words.hashes());
    model.section('tagger.classes', this.classes);
    model.section('tagger.usual', this.usual);
    model.section('tagger.settled', this.settled);
    model.section('tagger.beside', this.beside);
  }

  /** The number of a word by its hash, or `NONE`. */
  find(hash: number): number {
    return this.words.numberOf(hash);
  }

  /** A number for all the pairs of tags of a word. */
  classOf(word: number): number {
    return word === NONE ? UNSEEN : this.classes[word];
  }

  /** A number for the most frequent tags of a word. */
  usualOf(word: number): number {
    return word === NONE ? UNSEEN : this.usual[word];
  }

  /** The bundle of a word that always has the same, or `UNSETTLED`. */
  settledOf(word: number): number {
    return word === NONE ? UNSETTLED : this.settled[word];
  }

  /** The bundle of a word that always has the same beside this universal tag, of so many; or `UNSETTLED`. */
  settledBeside(word: number, upos: number, size: number): number {
    return word === NONE ? UNSETTLED : this.beside[word * size + upos];
  }
}
