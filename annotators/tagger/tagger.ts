import type { Calibration } from '../../src/learn/calibration.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { AnnotatedColumn, MorphologyColumn } from '../../src/treebank/columns/names.ts';
import { morphologyColumns } from '../../src/treebank/columns/names.ts';
import type { ColumnAlternative } from '../../src/treebank/columns/write.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { HashIndex } from '../hash-index.ts';
import { SentenceFeatures, Side } from './features.ts';
import { CERTAIN, NetworkScores, rowBytes } from './network/network-scores.ts';
import { loadNetwork, saveNetwork, type TrainedNetwork } from './network/tag-network.ts';
import { NO_SIDES, TagDecoder, type TaggerParameters } from './tag-decoder.ts';
import { Lexicon, NOT_FIXED, TagSet } from './tag-set.ts';
import { scoreBytes, type TagWeights, uposSize } from './tag-weights.ts';
import { type EncodedWords, entryOf, WordReader } from './words.ts';

export interface TaggerModel extends TaggerParameters {
  readonly columns: readonly MorphologyColumn[];
  readonly weights: TagWeights<Int16Array>;
  /** The margin of scores from which on a choice is final: log-odds of `CERTAIN` over the second best. */
  readonly certain: number;
  /** Tags the words that it is certain of before the two passes. */
  readonly network: TrainedNetwork | undefined;
}

/** Longer sentences are tagged in pieces of this many words, which bounds memory. */
const CHUNK = 4096;
/** The sides whose tags the first pass reads, and the second. */
const FIRST = [Side.after];
const BOTH = [Side.after, Side.before];
/** Maximum number of alternatives of a word. */
const MOST_ALTERNATIVES = 3;
/** Temperature of the softmax, which is overconfident on new text; chosen on UD Hungarian Szeged dev. */
const TEMPERATURE = 2;
/** Limits of what is cached by word: words, and bytes. */
const MOST_CACHED = 1 << 14;
const MOST_BYTES = 1 << 22;

/**
 * Tagger with two passes: from right to left by the text and the tags after each word, then from left to right by the tags
 * before it as well. A network reads the sentence first, decides alone where it is certain, and adds its scores elsewhere.
 */
export class Tagger implements ColumnAnnotator {
  readonly task = 'tagger';
  readonly reads = [];
  readonly writes: readonly MorphologyColumn[];
  calibration?: Calibration | undefined;
  private words!: WordReader;
  private sentence!: SentenceFeatures;
  private decoder!: TagDecoder;
  private readonly network: NetworkScores | undefined;
  private readonly most: number;

  constructor(private readonly model: TaggerModel) {
    const { columns, tags, network, certain } = model;
    this.writes = columns;
    const bytes = scoreBytes(tags.upos.length) + (network === undefined ? 0 : rowBytes(network.units));
    this.most = Math.min(MOST_CACHED, Math.floor(MOST_BYTES / bytes));
    // The cached words, the words of another piece, and the padding words before and after a sentence.
    const words = { different: this.most + CHUNK + 2, together: CHUNK };
    this.network = network && new NetworkScores(network, tags, words, certain);
    this.start();
  }

  private start(): void {
    const { tags, lexicon, features } = this.model;
    this.words = new WordReader(lexicon);
    this.sentence = new SentenceFeatures(features, tags);
    this.network?.clearCache();
    this.decoder = new TagDecoder(this.model, this.sentence, this.network);
  }

  static load(model: ModelReader): Tagger {
    const header = model.fields('tagger');
    const columns = header.choices('columns', morphologyColumns);
    const tags = TagSet.load(model);
    const all = HashIndex.of(model.section('tagger.features', 'int32'));
    const features = { all, text: header.integer('text', 0, all.size) };
    // Throws `InputError` if the model has too few weights.
    const upos = model.section('tagger.upos', 'int16', { length: uposSize(features, tags) });
    const morphology = model.section('tagger.choices', 'int16', { isHashed: true });
    // Two passes read neighbouring weights.
    if (morphology.length < 2) model.refuse('section tagger.choices holds 1 number, expected two at least');
    return new Tagger({
      columns,
      tags,
      lexicon: Lexicon.load(model, tags),
      features,
      weights: { upos, morphology },
      certain: header.integer('certain', 0, Number.MAX_SAFE_INTEGER),
      network: header.has('network') ? loadNetwork(model, tags) : undefined,
    });
  }

  save(model: ModelWriter): void {
    const { columns, tags, lexicon, features, weights, certain, network } = this.model;
    const saved = network && { network: saveNetwork(network, model) };
    model.header.tagger = { columns, text: features.text, certain, ...saved };
    tags.save(model);
    lexicon.save(model);
    model.section('tagger.features', features.all.hashes());
    model.section('tagger.upos', weights.upos);
    model.section('tagger.choices', weights.morphology);
  }

  annotate(
    { forms, length, upos }: Pick<Sentence, 'forms' | 'length' | 'upos'>,
    kept?: ReadonlySet<AnnotatedColumn>,
  ): Annotation {
    const bundles = new Int32Array(length);
    const given = kept?.has('upos') ? this.uposNumbers(upos) : undefined;
    for (let start = 0; start < length; start += CHUNK)
      this.tag(this.read(forms, start), bundles.subarray(start), { given: given?.subarray(start) });
    const all = this.model.tags.bundles;
    const columns = this.writes.map((name) => {
      const column = [''];
      for (let i = 0; i < length; i++) column.push(all[bundles[i]][name]);
      return [name, column];
    });
    return Object.fromEntries(columns);
  }

  confidences(sentence: Pick<Sentence, 'forms' | 'length'>): Float64Array {
    const { confidences } = this.confidentTags(sentence);
    this.calibration?.apply(confidences);
    return confidences;
  }

  /** The universal tags of words 1…n, and the confidence from 0 to 1 in all tags of each word, not calibrated. */
  confidentTags({ forms, length }: Pick<Sentence, 'forms' | 'length'>) {
    const confidences = new Float64Array(length + 1).fill(1);
    const tags = [''];
    const below = new Float64Array(length).fill(1);
    for (let start = 0; start < length; start += CHUNK) {
      const words = this.read(forms, start);
      const { decoder } = this;
      decoder.temperature = (TEMPERATURE * this.model.certain) / CERTAIN;
      const onChosen = (i: number) => {
        below[start + i] = decoder.probabilityBelow ?? below[start + i];
        confidences[start + i + 1] = decoder.uposProbability * below[start + i];
      };
      const bundles = new Int32Array(words.length);
      this.tag(words, bundles, { onChosen });
      decoder.temperature = undefined;
      for (const bundle of bundles) tags.push(this.model.tags.bundles[bundle].upos);
    }
    return { tags, confidences };
  }

  alternatives({ forms, length }: Pick<Sentence, 'forms' | 'length'>): ColumnAlternative[][] {
    const found: ColumnAlternative[][] = [[], ...Array.from({ length }, () => [])];
    for (let start = 0; start < length; start += CHUNK) {
      const words = this.read(forms, start);
      const bundles = new Int32Array(words.length);
      const onChosen: OnChosen = (i, sides) => {
        found[start + i + 1] = this.alternativesOf(words, i, sides, bundles[i]);
      };
      this.tag(words, bundles, { onChosen });
    }
    return found;
  }

  /** The best universal tags of a word, given the tags on these sides, each with its best bundle. */
  private alternativesOf(words: EncodedWords, i: number, sides: readonly Side[], chosen: number) {
    const scored = this.decoder.scoredUpos(i, sides).slice(0, MOST_ALTERNATIVES);
    return scored.map(({ upos, score }, place) => {
      const number = place === 0 ? chosen : this.decoder.bundleOfUpos(upos, words, i, sides).bundle;
      const bundle = this.model.tags.bundles[number];
      return { score, columns: Object.fromEntries(this.writes.map((name) => [name, bundle[name]])) };
    });
  }

  private read(forms: readonly string[], start: number): EncodedWords {
    if (this.words.size > this.most) this.start();
    return this.words.read(forms.slice(start, start + CHUNK + 1));
  }

  /** The numbers of the universal tags of tokens 1…n; `NOT_FIXED` for none and for unseen ones. */
  private uposNumbers(upos: readonly string[]): Int32Array {
    const { tags } = this.model;
    return Int32Array.from(upos.slice(1), (tag) => (tag === '_' ? NOT_FIXED : tags.upos.indexOf(tag)));
  }

  private tag(words: EncodedWords, bundles: Int32Array, { given, onChosen }: Tagging): void {
    const { length } = words;
    const { certain } = this.model;
    // Whether the second pass decides again, and whether it does so even if the universal tag stays the same.
    const isUndecided = new Uint8Array(length);
    const isUndecidedBelow = new Uint8Array(length);
    this.sentence.reset(length);
    this.decoder.reset(length);
    this.network?.read(words);
    for (let i = length - 1; i >= 0; i--) {
      const upos = given?.[i] ?? NOT_FIXED;
      bundles[i] = this.fixedBundle(words, i, upos);
      if (bundles[i] !== NOT_FIXED || this.isCertain(words, i, bundles, upos, onChosen)) continue;
      this.decoder.addTextFeatures(words, i);
      this.decoder.addTagFeatures(words, i, bundles, Side.after);
      const { bundle, uposMargin, marginBelow } = this.decoder.bundle(words, i, FIRST, upos);
      bundles[i] = bundle;
      isUndecidedBelow[i] = marginBelow < certain ? 1 : 0;
      isUndecided[i] = isUndecidedBelow[i] || uposMargin < certain ? 1 : 0;
      onChosen?.(i, FIRST);
    }
    for (let i = 0; i < length; i++) {
      if (isUndecided[i] === 0) continue;
      this.decoder.addTagFeatures(words, i, bundles, Side.before);
      const known = isUndecidedBelow[i] ? NOT_FIXED : bundles[i];
      bundles[i] = this.decoder.bundle(words, i, BOTH, given?.[i] ?? NOT_FIXED, known).bundle;
      onChosen?.(i, BOTH);
    }
  }

  /** The bundle that the lexicon fixes for word i, if it has the given universal tag; else `NOT_FIXED`. */
  private fixedBundle(words: EncodedWords, i: number, upos: number): number {
    const { lexicon, tags } = this.model;
    const fixed = lexicon.fixedBundle(entryOf(words, i));
    return upos === NOT_FIXED || tags.uposOfBundle[fixed] === upos ? fixed : NOT_FIXED;
  }

  /** Whether the network is certain of word i; if so, its bundle is filled in. */
  private isCertain(
    words: EncodedWords,
    i: number,
    bundles: Int32Array,
    upos: number,
    onChosen?: OnChosen,
  ): boolean {
    if (this.network === undefined) return false;
    const { bundle, uposMargin, marginBelow } = this.decoder.bundle(words, i, NO_SIDES, upos);
    bundles[i] = bundle;
    if (Math.min(uposMargin, marginBelow) < this.network.certain) return false;
    onChosen?.(i, NO_SIDES);
    return true;
  }
}

/** Called for each word that the lexicon does not fix, with the sides whose tags were known. */
type OnChosen = (i: number, sides: readonly Side[]) => void;

interface Tagging {
  /** Numbers of universal tags that are known, and `NOT_FIXED` for words without. */
  readonly given?: Int32Array | undefined;
  readonly onChosen?: OnChosen | undefined;
}
