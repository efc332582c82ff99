import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { HashIndex } from '../features/hash-index.ts';
import { Decoder } from './decoder.ts';
import { Lexicon } from './lexicon.ts';
import { TagSet } from './tag-set.ts';
import type { TagWeights } from './tag-weights.ts';
import { WordReader } from './words.ts';

/** The columns of tags, in the order in which they are found. */
export const tagColumns = ['upos', 'xpos', 'feats'] as const;
export type TagColumn = (typeof tagColumns)[number];

/** All that a tagger has learnt. */
export interface TaggerModel {
  /** The columns that the treebank has something in. */
  readonly columns: readonly TagColumn[];
  readonly tags: TagSet;
  readonly lexicon: Lexicon;
  /** Numbers the features that have weights. */
  readonly features: HashIndex;
  readonly weights: TagWeights;
}

/** Fills the columns of tags, word by word from left to right. */
export class LinearTagger implements ColumnAnnotator {
  readonly task = 'tagger';
  readonly reads = [];
  readonly writes: readonly TagColumn[];
  readonly #words: WordReader;
  readonly #decoder: Decoder;
  #bundles = new Int32Array(256);

  constructor(private readonly model: TaggerModel) {
    this.writes = model.columns;
    this.#words = new WordReader(model.lexicon);
    this.#decoder = new Decoder(model.features, model.tags, model.weights);
  }

  static load(model: ModelReader): LinearTagger {
    const columns = model.fields('tagger').choices('columns', tagColumns);
    const tags = TagSet.load(model);
    const features = HashIndex.of(model.section('tagger.features', 'int32'));
    const weights = loadWeights(model, features.size * tags.upos.length);
    return new LinearTagger({ columns, tags, lexicon: Lexicon.load(model), features, weights });
  }

  save(model: ModelWriter): void {
    const { columns, tags, lexicon, features, weights } = this.model;
    model.header.tagger = { columns };
    tags.save(model);
    lexicon.save(model);
    model.section('tagger.features', features.hashes());
    model.section('tagger.upos', weights.upos);
    model.section('tagger.morphology', weights.morphology);
  }

  annotate({ forms, length }: Pick<Sentence, 'forms' | 'length'>): Annotation {
    if (length > this.#bundles.length) this.#bundles = new Int32Array(2 * length);
    const bundles = this.#bundles;
    this.#decoder.tag(this.#words.read(forms), bundles);
    const all = this.model.tags.bundles;
    const columns = this.writes.map((name) => {
      const column = [''];
      for (let i = 0; i < length; i++) column.push(all[bundles[i]][name]);
      return [name, column];
    });
    return Object.fromEntries(columns);
  }
}

/** Throws `InputError` where there are fewer weights than can be asked for. */
function loadWeights(model: ModelReader, uposSize: number): TagWeights {
  const refuse = (name: string, length: number, expected: string): never => {
    throw new InputError(`section ${name} has ${length} numbers, expected ${expected}`, { file: model.name });
  };
  const upos = model.section('tagger.upos', 'int16');
  if (upos.length !== uposSize) refuse('tagger.upos', upos.length, `${uposSize}`);
  const morphology = model.section('tagger.morphology', 'int16');
  if (!Number.isInteger(Math.log2(morphology.length))) {
    refuse('tagger.morphology', morphology.length, 'a power of two');
  }
  return { upos, morphology };
}
