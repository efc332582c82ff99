import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { type MorphologyColumn, morphologyColumns } from '../../src/treebank/columns/names.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAlternative, ColumnAnnotator } from '../annotator.ts';
import { HashIndex } from '../features/hash-index.ts';
import { Descent, NO_SIDES } from './descent.ts';
import { Evidence } from './evidence.ts';
import type { FeatureNumbers } from './features/feature-numbers.ts';
import { Side } from './features/tag-features.ts';
import { Lexicon, UNSETTLED } from './lexicon.ts';
import { type LearntNetwork, loadNetwork, saveNetwork } from './network/learnt-network.ts';
import { NetworkScores } from './network/network-scores.ts';
import { TagSet } from './tag-set.ts';
import { type TagWeights, uposSize } from './tag-weights.ts';
import { scoreBytes } from './view-scores.ts';
import { entryOf, WordReader, type Words } from './words.ts';

/** All that a tagger has learnt. */
export interface TaggerModel {
  /** The columns that the treebank has something in. */
  readonly columns: readonly MorphologyColumn[];
  readonly tags: TagSet;
  readonly lexicon: Lexicon;
  /** Numbers the features that have weights. */
  readonly features: FeatureNumbers;
  readonly weights: TagWeights<Int16Array>;
  /** What is better than all else by so much is not asked about again: e to the power of `CERTAIN` times as likely. */
  readonly certain: number;
  /** What reads the sentence first, where there is one: it leaves to the passes only what it is not certain of. */
  readonly network: LearntNetwork | undefined;
}

/** Longer sentences are tagged in pieces of so many words: what is kept of a sentence is bounded. */
const CHUNK = 4096;

/** The sides whose tags are known in the first pass, and in the second. */
const FIRST = [Side.after];
const BOTH = [Side.after, Side.before];

/** Universal tags that are told of a word as alternatives. */
const SHOWN = 3;

/**
 * When so many different words have been read they are forgotten: enough for a treebank. Fewer where there are many
 * universal tags, for which each word has scores: of so many bytes in all.
 */
const MOST_REMEMBERED = 1 << 15;
const MOST_BYTES = 1 << 25;

/**
 * Fills the columns of tags, word by word: first from right to left, by the text and the tags after each word, then
 * from left to right by the tags before it, too. A network that has read the sentence decides what it is certain of by
 * itself, and has its say in all else.
 */
export class Tagger implements ColumnAnnotator {
  readonly task = 'tagger';
  readonly reads = [];
  readonly writes: readonly MorphologyColumn[];
  private words!: WordReader;
  private evidence!: Evidence;
  private descent!: Descent;
  private readonly network: NetworkScores | undefined;
  /** When so many different words have been read they are forgotten. */
  private readonly most: number;

  constructor(private readonly model: TaggerModel) {
    const { columns, tags, network, certain } = model;
    this.writes = columns;
    this.most = Math.min(MOST_REMEMBERED, Math.floor(MOST_BYTES / scoreBytes(tags.upos.length)));
    // Those remembered, with the piece of a sentence read beyond them, and two more.
    const words = { different: this.most + CHUNK + 2, together: CHUNK };
    this.network = network && new NetworkScores(network, tags, words, certain);
    this.start();
  }

  /** With nothing remembered of any word. */
  private start(): void {
    const { tags, lexicon, features } = this.model;
    this.words = new WordReader(lexicon);
    this.evidence = new Evidence(features, tags);
    this.network?.forget();
    this.descent = new Descent(this.model, this.evidence, this.network);
  }

  static load(model: ModelReader): Tagger {
    const header = model.fields('tagger');
    const columns = header.choices('columns', morphologyColumns);
    const tags = TagSet.load(model);
    const all = HashIndex.of(model.section('tagger.features', 'int32'));
    const features = { all, text: header.integer('text', 0, all.size) };
    return new Tagger({
      columns,
      tags,
      lexicon: Lexicon.load(model, tags),
      features,
      weights: loadWeights(model, uposSize(features, tags)),
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

  annotate({ forms, length }: Pick<Sentence, 'forms' | 'length'>): Annotation {
    const bundles = new Int32Array(length);
    for (let start = 0; start < length; start += CHUNK)
      this.tag(this.read(forms, start), bundles.subarray(start));
    const all = this.model.tags.bundles;
    const columns = this.writes.map((name) => {
      const column = [''];
      for (let i = 0; i < length; i++) column.push(all[bundles[i]][name]);
      return [name, column];
    });
    return Object.fromEntries(columns);
  }

  alternatives({ forms, length }: Pick<Sentence, 'forms' | 'length'>): ColumnAlternative[][] {
    const found: ColumnAlternative[][] = [[], ...Array.from({ length }, () => [])];
    for (let start = 0; start < length; start += CHUNK) {
      const words = this.read(forms, start);
      const bundles = new Int32Array(words.length);
      this.tag(words, bundles, (i, sides) => {
        found[start + i + 1] = this.alternativesOf(words, i, sides, bundles[i]);
      });
    }
    return found;
  }

  /** The best universal tags of a word whose tags on these sides have been looked at, each with the tags below it. */
  private alternativesOf(
    words: Words,
    i: number,
    sides: readonly Side[],
    chosen: number,
  ): ColumnAlternative[] {
    const scored = this.descent.scoredUpos(i, sides).slice(0, SHOWN);
    return scored.map(({ upos, score }, place) => {
      const number = place === 0 ? chosen : this.descent.bundleBeside(upos, words, i, sides);
      const bundle = this.model.tags.bundles[number];
      return { score, columns: Object.fromEntries(this.writes.map((name) => [name, bundle[name]])) };
    });
  }

  /** The words of a piece of a sentence. */
  private read(forms: readonly string[], start: number): Words {
    if (this.words.size > this.most) this.start();
    return this.words.read(forms.slice(start, start + CHUNK + 1));
  }

  /** Finds the bundles of a sentence's words; tells of each that is not settled by which sides it was chosen. */
  private tag(words: Words, bundles: Int32Array, onChosen?: OnChosen): void {
    const { length } = words;
    const { lexicon, certain } = this.model;
    const isOpen = new Uint8Array(length);
    const isOpenBelow = new Uint8Array(length);
    this.evidence.open(length);
    this.descent.open(length);
    this.network?.read(words);
    for (let i = length - 1; i >= 0; i--) {
      bundles[i] = lexicon.settledOf(entryOf(words, i));
      if (bundles[i] !== UNSETTLED || this.isCertain(words, i, bundles, onChosen)) continue;
      this.descent.lookAtText(words, i);
      this.descent.lookAtTags(words, i, bundles, Side.after);
      bundles[i] = this.descent.bundle(words, i, FIRST);
      isOpenBelow[i] = this.descent.marginBelow < certain ? 1 : 0;
      isOpen[i] = isOpenBelow[i] || this.descent.margin < certain ? 1 : 0;
      onChosen?.(i, FIRST);
    }
    for (let i = 0; i < length; i++) {
      if (isOpen[i] === 0) continue;
      this.descent.lookAtTags(words, i, bundles, Side.before);
      bundles[i] = this.descent.bundle(words, i, BOTH, isOpenBelow[i] ? UNSETTLED : bundles[i]);
      onChosen?.(i, BOTH);
    }
  }

  /** Whether the network knows word i by itself; if so, its bundle is found. */
  private isCertain(words: Words, i: number, bundles: Int32Array, onChosen?: OnChosen): boolean {
    if (this.network === undefined) return false;
    const { certain } = this.model;
    bundles[i] = this.descent.bundle(words, i, NO_SIDES);
    if (Math.min(this.descent.margin, this.descent.marginBelow) < certain) return false;
    onChosen?.(i, NO_SIDES);
    return true;
  }
}

/** Told of each word that is not settled by which sides it was chosen. */
type OnChosen = (i: number, sides: readonly Side[]) => void;

/** Throws `InputError` where there are fewer weights than can be asked for. */
function loadWeights(model: ModelReader, size: number): TagWeights<Int16Array> {
  const upos = model.section('tagger.upos', 'int16', { length: size });
  const morphology = model.section('tagger.choices', 'int16', { isHashed: true });
  // They are asked for in pairs.
  if (morphology.length < 2) model.refuse('section tagger.choices holds 1 number, expected two at least');
  return { upos, morphology };
}
