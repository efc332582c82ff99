import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { HashIndex } from '../features/hash-index.ts';
import { Descent } from './descent.ts';
import { Direction } from './direction.ts';
import { Lexicon, UNSETTLED } from './lexicon.ts';
import { TagSet } from './tag-set.ts';
import type { TagWeights } from './tag-weights.ts';
import { reversed, settledOf, WordReader, type Words } from './words.ts';

/** The columns of tags, in the order in which they are found. */
export const tagColumns = ['upos', 'xpos', 'feats'] as const;
export type TagColumn = (typeof tagColumns)[number];

/** The order in which the words of a sentence are tagged. */
export const directionNames = ['forward', 'backward'] as const;
export type DirectionName = (typeof directionNames)[number];

/** All that a tagger has learnt. */
export interface TaggerModel {
  /** The columns that the treebank has something in. */
  readonly columns: readonly TagColumn[];
  readonly tags: TagSet;
  readonly lexicon: Lexicon;
  /** Numbers the features that have weights. */
  readonly features: Readonly<Record<DirectionName, HashIndex>>;
  readonly weights: Readonly<Record<DirectionName, TagWeights<Int16Array>>>;
}

/** Longer sentences are tagged in pieces of so many words: what is kept of a sentence is bounded. */
const CHUNK = 4096;

/**
 * Fills the columns of tags, word by word: first from right to left, then from left to right by the scores of both,
 * so that both the tags before a word and those after it have a say.
 */
export class LinearTagger implements ColumnAnnotator {
  readonly task = 'tagger';
  readonly reads = [];
  readonly writes: readonly TagColumn[];
  readonly #words: WordReader;
  readonly #forward: Direction;
  readonly #backward: Direction;
  /** Both directions together, and the backward one alone. */
  readonly #together: Descent;
  readonly #alone: Descent;

  constructor(private readonly model: TaggerModel) {
    this.writes = model.columns;
    this.#words = new WordReader(model.lexicon);
    const { tags, features, weights } = model;
    this.#forward = new Direction(features.forward, tags, weights.forward);
    this.#backward = new Direction(features.backward, tags, weights.backward);
    this.#together = new Descent(tags, [this.#forward, this.#backward]);
    this.#alone = new Descent(tags, [this.#backward]);
  }

  static load(model: ModelReader): LinearTagger {
    const columns = model.fields('tagger').choices('columns', tagColumns);
    const tags = TagSet.load(model);
    const load = (name: DirectionName) => {
      const features = HashIndex.of(model.section(`tagger.${name}.features`, 'int32'));
      return { features, weights: loadWeights(model, name, features.size * tags.upos.length) };
    };
    const [forward, backward] = directionNames.map(load);
    const features = { forward: forward.features, backward: backward.features };
    const weights = { forward: forward.weights, backward: backward.weights };
    return new LinearTagger({
      columns,
      tags,
      lexicon: Lexicon.load(model, tags.bundles.length),
      features,
      weights,
    });
  }

  save(model: ModelWriter): void {
    const { columns, tags, lexicon, features, weights } = this.model;
    model.header.tagger = { columns };
    tags.save(model);
    lexicon.save(model);
    for (const name of directionNames) {
      model.section(`tagger.${name}.features`, features[name].hashes());
      model.section(`tagger.${name}.upos`, weights[name].upos);
      model.section(`tagger.${name}.morphology`, weights[name].morphology);
    }
  }

  annotate({ forms, length }: Pick<Sentence, 'forms' | 'length'>): Annotation {
    const bundles = new Int32Array(length);
    for (let start = 0; start < length; start += CHUNK) {
      const words = this.#words.read(forms.slice(start, start + CHUNK + 1));
      this.#tag(words, bundles.subarray(start));
    }
    const all = this.model.tags.bundles;
    const columns = this.writes.map((name) => {
      const column = [''];
      for (let i = 0; i < length; i++) column.push(all[bundles[i]][name]);
      return [name, column];
    });
    return Object.fromEntries(columns);
  }

  /** Finds the bundles of a sentence's words. */
  #tag(words: Words, bundles: Int32Array): void {
    const { length } = words;
    const turned = reversed(words);
    this.#forward.open(length);
    this.#backward.open(length);
    for (let i = 0; i < length; i++) {
      bundles[i] = settledOf(turned, i);
      if (bundles[i] !== UNSETTLED) continue;
      this.#backward.look(turned, i, bundles);
      this.#backward.scoreUpos(i);
      bundles[i] = this.#alone.bundle(i, i);
    }
    for (let i = 0; i < length; i++) {
      bundles[i] = settledOf(words, i);
      if (bundles[i] !== UNSETTLED) continue;
      this.#forward.look(words, i, bundles);
      this.#forward.scoreUpos(i);
      bundles[i] = this.#together.bundle(i, length - 1 - i);
    }
  }
}

/** Throws `InputError` where there are fewer weights than can be asked for. */
function loadWeights(model: ModelReader, direction: DirectionName, uposSize: number): TagWeights<Int16Array> {
  const refuse = (name: string, length: number, expected: string): never => {
    throw new InputError(`section ${name} has ${length} numbers, expected ${expected}`, { file: model.name });
  };
  const [uposName, morphologyName] = [`tagger.${direction}.upos`, `tagger.${direction}.morphology`];
  const upos = model.section(uposName, 'int16');
  if (upos.length !== uposSize) refuse(uposName, upos.length, `${uposSize}`);
  const morphology = model.section(morphologyName, 'int16');
  if (!Number.isInteger(Math.log2(morphology.length))) {
    refuse(morphologyName, morphology.length, 'a power of two');
  }
  return { upos, morphology };
}
