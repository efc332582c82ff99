import { InputError } from '../../src/errors.ts';
import { joinStrings, splitStrings } from '../../src/model/layout.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../hash-index.ts';

/** A combined tag: UPOS, XPOS and FEATS. */
type Bundle = { readonly upos: string; readonly xpos: string; readonly feats: string };
const MOST = 1 << 20;

/**
 * The bundles of a treebank as a tree: below each UPOS its pairs (of UPOS and XPOS), below each pair its bundles.
 * A word is tagged by going down the tree. All are numbered in the order of their first appearance.
 */
export class TagSet {
  readonly bundles: Bundle[] = [];
  readonly upos: string[] = [];
  readonly pairsOf: number[][] = [];
  readonly bundlesOf: number[][] = [];
  readonly uposOfBundle: number[] = [];
  readonly pairOfBundle: number[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly uposNumbers = new Map<string, number>();
  private readonly pairs = new Map<string, number>();

  /** Throws `InputError` if the model does not hold bundles of three fields each. */
  static load(model: ModelReader): TagSet {
    const set = new TagSet();
    const lines = splitStrings(model.section('tagger.tags', 'uint8'));
    for (const line of lines) {
      const [upos, xpos, feats, ...more] = line.split('\t');
      const isWhole = upos && xpos && feats && more.length === 0;
      const number = isWhole ? set.add({ upos, xpos, feats }) : -1;
      if (number !== set.bundles.length - 1) break;
    }
    if (lines.length === 0 || set.bundles.length !== lines.length || set.numbers.size !== lines.length)
      model.refuse('damaged: section tagger.tags is empty, or holds an invalid or repeated tag');
    return set;
  }

  save(model: ModelWriter): void {
    model.section('tagger.tags', joinStrings(this.bundles.map(keyOf)));
  }

  /** The number of a bundle; the next free one if it is new. */
  add(bundle: Bundle): number {
    const key = keyOf(bundle);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.bundles.length;
    if (number === MOST) throw new InputError(`more than ${MOST} different tags`);
    const upos = this.uposOf(bundle.upos);
    const pair = this.pairOf(upos, bundle.xpos);
    this.numbers.set(key, number);
    this.bundles.push(bundle);
    this.uposOfBundle.push(upos);
    this.pairOfBundle.push(pair);
    this.bundlesOf[pair].push(number);
    return number;
  }

  private uposOf(name: string): number {
    const known = this.uposNumbers.get(name);
    if (known !== undefined) return known;
    this.uposNumbers.set(name, this.upos.length);
    this.pairsOf.push([]);
    return this.upos.push(name) - 1;
  }

  private pairOf(upos: number, xpos: string): number {
    const key = `${upos}\t${xpos}`;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    const pair = this.bundlesOf.push([]) - 1;
    this.pairs.set(key, pair);
    this.pairsOf[upos].push(pair);
    return pair;
  }
}

const keyOf = ({ upos, xpos, feats }: Bundle): string => `${upos}\t${xpos}\t${feats}`;

/**
 * The pairs of a UPOS, or the bundles of a pair. A feature (`Number=Plur`) that several of them have, but not all, has an
 * output of its own, so that its weights are shared (Müller et al. 2013, section 3.1).
 */
export interface Choices {
  readonly members: readonly number[];
  /** For each shared feature, the indices of the members that have it. */
  readonly sharing: readonly Int32Array[];
  /** The first output: the outputs of the members, then of the shared features, follow each other. */
  readonly first: number;
  readonly count: number;
}

/** The choices at all steps below the universal tags. */
export class TagChoices {
  readonly pairs: readonly Choices[];
  readonly bundles: readonly Choices[];
  size = 0;
  most = 0;

  constructor(tags: TagSet) {
    const featuresOf = tags.bundles.map(({ feats }) => feats.split('|'));
    const featuresOfPair = tags.bundlesOf.map((bundles) =>
      common(bundles.map((bundle) => featuresOf[bundle])),
    );
    this.pairs = tags.pairsOf.map((pairs) => this.choicesOf(pairs, featuresOfPair));
    this.bundles = tags.bundlesOf.map((bundles) => this.choicesOf(bundles, featuresOf));
  }

  private choicesOf(members: readonly number[], featuresOf: readonly (readonly string[])[]): Choices {
    const places = new Map<string, number[]>();
    for (const [place, member] of members.entries()) {
      for (const feature of featuresOf[member])
        (places.get(feature) ?? places.set(feature, []).get(feature)!).push(place);
    }
    const sharing = [...places.values()]
      .filter(({ length }) => length > 1 && length < members.length)
      .map((owners) => Int32Array.from(owners));
    const first = this.size;
    const count = members.length + sharing.length;
    this.size += count;
    this.most = Math.max(this.most, count);
    return { members, sharing, first, count };
  }
}

/** Adds the scores of shared features, which follow the members' scores, to the members that have them. */
export function addShared(scores: Float64Array, members: number, sharing: Choices['sharing']): void {
  for (let p = 0; p < sharing.length; p++)
    for (let s = 0; s < sharing[p].length; s++) scores[sharing[p][s]] += scores[members + p];
}

/** Sets the gradient of each shared feature: the sum over the members that have it. */
export function sumShared(gradients: Float64Array, { members, sharing }: Choices): void {
  for (let p = 0; p < sharing.length; p++) {
    let sum = 0;
    for (let s = 0; s < sharing[p].length; s++) sum += gradients[sharing[p][s]];
    gradients[members.length + p] = sum;
  }
}

const common = ([first, ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((feature) => others.every((features) => features.includes(feature)));

/** The ambiguity class and usual bundle of a word that is not in the lexicon. */
export const UNSEEN = 0;
/** No fixed bundle: the context decides. */
export const NOT_FIXED = -1;

/**
 * The words of the training data, by the hashes of their normalised forms. Each word has an ambiguity class (a hash of its
 * pairs of UPOS and XPOS) and its usual bundle; frequent words may have a fixed bundle, in general or with a given UPOS.
 */
export class Lexicon {
  constructor(
    private readonly words: HashIndex,
    private readonly classes: Int32Array,
    private readonly usual: Int32Array,
    /** The fixed bundle of each word, or `NOT_FIXED`. */
    private readonly fixed: Int32Array,
    /** The fixed bundle of each word with each universal tag, or `NOT_FIXED`: words × tags. */
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
    if ([classes, usual, fixed].some(({ length }) => length !== words.size))
      model.refuse('damaged: the parts of the lexicon differ in length');
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
