import { detached } from '../platform/platform.ts';
import { morphologyColumns, type WordColumn } from '../treebank/columns/names.ts';
import { columnOf, type Sentence } from '../treebank/sentence.ts';
import { lengthened } from '../typed-arrays.ts';
import type { Attribute, AttributeColumn } from './features.ts';
import { attributeOf, attributeValue, isAttributeColumn } from './features.ts';
import { normalizeForm, prefix, shapeOf, stemmer, suffix } from './forms.ts';
import type { GuideTree } from './guides.ts';
import { AFTER, BEFORE, ROOT, UNKNOWN, Vocabulary } from './vocabulary.ts';

const wholeColumns = [
  ...(['form', 'lemma', ...morphologyColumns, 'stem', 'common'] as const),
  ...(['suffix3', 'suffix2', 'prefix3', 'shape'] as const),
] as const;

/** The properties of tokens that parsers can read: columns, parts of forms, morphological attributes. */
export type EncodedColumn = (typeof wholeColumns)[number] | AttributeColumn;

export function isEncodedColumn(name: string): name is EncodedColumn {
  return isAttributeColumn(name) || (wholeColumns as readonly string[]).includes(name);
}

/**
 * A sentence as numbers, column by column. The number of the token at position i is at
 * `columnStart(length, column) + i`. Positions run from −1 (before the sentence) over 0 (the artificial root) to
 * length + 1 (after the sentence), so that templates can read neighbours without checks.
 */
export interface EncodedSentence {
  readonly length: number;
  readonly columns: Int32Array;
  readonly guides?: readonly GuideTree[] | undefined;
  /** Forms, laid out as in `Sentence`, if the encoder keeps them. */
  readonly forms?: readonly string[] | undefined;
}

/** Positions of a column besides the tokens: before the sentence, the root, after the sentence. */
const BOUNDARIES = 3;

/** The number of entries in a column of a sentence. */
export const columnWidth = (length: number): number => length + BOUNDARIES;
/** The index of a column's position 0, the root. */
export const columnStart = (length: number, column: number): number => column * (length + BOUNDARIES) + 1;

/** The value of a column at position i. */
export function valueAt({ length, columns }: EncodedSentence, column: number, i: number): number {
  return columns[columnStart(length, column) + i];
}

/** Counts each value of a column in sentences: `size` counts, indexed by value. */
export function valueCounts(sentences: readonly EncodedSentence[], column: number, size: number): Int32Array {
  const counts = new Int32Array(size);
  for (const sentence of sentences)
    for (let i = 1; i <= sentence.length; i++) counts[valueAt(sentence, column, i)]++;
  return counts;
}

/** The position of a neighbour, clipped to −1…length + 1. */
export function neighbour(length: number, i: number, offset: number): number {
  const position = i + offset;
  return position < -1 ? -1 : position > length ? length + 1 : position;
}

/** How forms and tags are normalised before they are numbered. */
export interface ColumnOptions {
  /** Whether forms are lower-cased and all numerals get the same form. */
  readonly normalize: boolean;
  /** `none`, `lemma`, `first-char` or `prefix:N`. */
  readonly stem: string;
  /** Whether encoded sentences also hold their forms. */
  readonly keepsForms?: boolean | undefined;
  /** Attributes whose values are appended to UPOS to form fine tags, which replace XPOS. */
  readonly fineTag?: readonly string[] | undefined;
}

/** The vocabulary of a column as a model saves it. */
export interface LearntColumn {
  /** In the order of their numbers. */
  readonly strings: readonly string[];
  /** The share of tokens with a value other than `_`. */
  readonly filled: number;
}

/** Encodes sentences as numbers; its vocabularies grow while it learns. */
export class ColumnEncoder {
  names: readonly EncodedColumn[];
  private readonly columns: Column[];
  private readonly forms = new Map<string, string>();
  /** For encoding sentences to be parsed; made again after a change of columns. */
  private groups: readonly ColumnGroup[] | undefined;

  constructor(
    names: readonly EncodedColumn[],
    private options: ColumnOptions,
    learnt?: readonly LearntColumn[],
  ) {
    this.names = names;
    this.columns = names.map((name, c) => new Column(name, options, learnt?.[c]));
  }

  get learnt(): LearntColumn[] {
    return this.columns.map(({ vocabulary, filled }) => ({ strings: vocabulary.strings(), filled }));
  }

  /** The columns of treebanks that a column is computed from. */
  sourcesOf(name: EncodedColumn): EncodedColumn[] {
    if (isAttributeColumn(name)) return ['feats'];
    return name === 'xpos' && this.options.fineTag !== undefined ? ['upos', 'feats'] : [name];
  }

  /** The column of a `Sentence` that a column is read from. */
  fieldOf(column: number): WordColumn {
    return this.columns[column].field;
  }

  vocabulary(column: number): Vocabulary {
    return this.columns[column].vocabulary;
  }

  /** The share of training tokens with a value other than `_`. */
  filledShare(column: number): number {
    return this.columns[column].filled;
  }

  /** Whether a column exists and has at least two different values. */
  isFilled(name: EncodedColumn): boolean {
    const c = this.names.indexOf(name);
    return c !== -1 && this.vocabulary(c).strings().length > 1;
  }

  /**
   * Keeps the `most` most frequent strings of a column (of equally frequent ones, those seen first); all others become
   * UNKNOWN, also in `sentences`, which must be all training sentences and are changed in place.
   */
  keepMostFrequent(name: EncodedColumn, most: number, sentences: readonly EncodedSentence[]): void {
    const c = this.names.indexOf(name);
    if (c === -1) return;
    this.groups = undefined;
    const column = this.columns[c];
    const counts = valueCounts(sentences, c, column.vocabulary.size);
    const countOf = (string: string) => counts[column.vocabulary.idOf(string)];
    // Sorting is stable: of equally frequent strings the first seen comes first.
    const byFrequency = column.vocabulary.strings().sort((a, b) => countOf(b) - countOf(a));
    const renumbered = column.keep(byFrequency.slice(0, most));
    for (const { length, columns } of sentences) {
      const start = columnStart(length, c);
      for (let i = 1; i <= length; i++) columns[start + i] = renumbered[columns[start + i]];
    }
  }

  /** Makes values of columns unknown that occur at most `most` times in `sentences`, which must be all training sentences. */
  dropRare(names: readonly EncodedColumn[], most: number, sentences: readonly EncodedSentence[]): void {
    for (const name of names) {
      const column = this.names.indexOf(name);
      const counts = valueCounts(sentences, column, this.vocabulary(column).size);
      this.keepMostFrequent(name, counts.filter((count) => count > most).length, sentences);
    }
  }

  /** Whether training sentences have a string in this column. */
  has(name: EncodedColumn, string: string): boolean {
    return this.columns[this.names.indexOf(name)].look(string) !== UNKNOWN;
  }

  /** The different forms in training sentences, if the encoder keeps them. */
  keptForms(): Iterable<string> {
    return this.forms.keys();
  }

  /** Counts each FEATS string in training sentences. */
  featsIn(sentences: readonly EncodedSentence[]): Map<string, number> {
    const { vocabulary } = this.columns[this.names.indexOf('feats')];
    const counts = valueCounts(sentences, this.names.indexOf('feats'), vocabulary.size);
    return new Map(vocabulary.strings().map((feats) => [feats, counts[vocabulary.idOf(feats)]]));
  }

  /** Adds a column for each attribute; returns all training sentences with the new columns. */
  addAttributes<S extends EncodedSentence>(attributes: readonly Attribute[], sentences: readonly S[]): S[] {
    this.groups = undefined;
    const feats = this.names.indexOf('feats');
    const { vocabulary, filled } = this.columns[feats];
    const before = this.names.length;
    const numbers = attributes.map(({ name, bare }) => {
      const values = new Set(
        vocabulary.strings().map((one) => attributeValue(one, name, (f) => bare.has(f))),
      );
      const learnt = { strings: ['_', ...[...values].filter((value) => value !== '_')], filled };
      const column = new Column(`feats:${name}`, this.options, learnt);
      this.names = [...this.names, `feats:${name}`];
      this.columns.push(column);
      const byFeats = Int32Array.from({ length: vocabulary.size }, (_, number) => number);
      for (const string of vocabulary.strings()) byFeats[vocabulary.idOf(string)] = column.look(string);
      return byFeats;
    });
    return sentences.map((sentence) => {
      const { length } = sentence;
      const columns = new Int32Array(this.columns.length * columnWidth(length));
      columns.set(sentence.columns);
      const from = columnStart(length, feats) - 1;
      numbers.forEach((byFeats, a) => {
        const to = columnStart(length, before + a) - 1;
        for (let i = 0; i < columnWidth(length); i++) columns[to + i] = byFeats[columns[from + i]];
      });
      return { ...sentence, columns };
    });
  }

  /** Replaces XPOS by UPOS with the values of these attributes, also in `sentences`, all training sentences. */
  useFineTags(fineTag: readonly string[], sentences: readonly EncodedSentence[]): void {
    this.groups = undefined;
    this.options = { ...this.options, fineTag };
    const [upos, xpos, feats] = (['upos', 'xpos', 'feats'] as const).map((name) => this.names.indexOf(name));
    const column = new Column('xpos', this.options);
    this.columns[xpos] = column;
    const values = new ValueNames(this);
    for (const { length, columns } of sentences) {
      for (let i = 1; i <= length; i++) {
        const [tag, own] = [upos, feats].map((c) => values.of(c, columns[columnStart(length, c) + i]));
        columns[columnStart(length, xpos) + i] = column.learn(tagWithFeatures(tag, own));
      }
    }
  }

  /** Encodes a training sentence: new strings get new numbers in `open` columns (default: all), else they are UNKNOWN. */
  learn(sentence: Sentence, open: readonly EncodedColumn[] = this.names): EncodedSentence {
    this.groups = undefined;
    const encoded = this.withBoundaries(sentence);
    const { length, columns, forms } = encoded;
    for (let c = 0; c < this.columns.length; c++) {
      const column = this.columns[c];
      const strings = this.stringsOf(sentence, this.names[c], column.field);
      const isOpen = open.includes(this.names[c]);
      const start = columnStart(length, c);
      for (let i = 1; i <= length; i++)
        columns[start + i] = isOpen ? column.learn(strings[i]) : column.look(strings[i]);
    }
    if (forms === undefined) return encoded;
    return { ...encoded, forms: forms.map((form, i) => (i === 0 ? form : this.interned(form))) };
  }

  /** Encodes a sentence to be parsed: strings not seen in training become UNKNOWN. */
  encode(sentence: Sentence): EncodedSentence {
    const encoded = this.withBoundaries(sentence);
    this.groups ??= this.columnGroups();
    for (const group of this.groups) {
      const { name, column } = group.columns[0];
      group.fill(this.stringsOf(sentence, name, column.field), encoded);
    }
    return encoded;
  }

  private columnGroups(): ColumnGroup[] {
    const columns = this.columns.map((column, place) => ({ column, place, name: this.names[place] }));
    const sourceOf = ({ column, name }: GroupedColumn) =>
      name === 'xpos' && this.options.fineTag !== undefined ? 'fine tag' : column.field;
    const sources = [...new Set(columns.map(sourceOf))];
    return sources.map((source) => new ColumnGroup(columns.filter((column) => sourceOf(column) === source)));
  }

  /** An encoded sentence with the values of the root and the boundaries, but without tokens. */
  private withBoundaries({ length, forms }: Sentence): EncodedSentence {
    const columns = new Int32Array(this.columns.length * columnWidth(length));
    for (let c = 0; c < this.columns.length; c++) {
      const start = columnStart(length, c);
      columns[start - 1] = BEFORE;
      columns[start] = ROOT;
      columns[start + length + 1] = AFTER;
    }
    return this.options.keepsForms ? { length, columns, forms } : { length, columns };
  }

  private stringsOf(sentence: Sentence, name: EncodedColumn, field: WordColumn): readonly string[] {
    if (name !== 'xpos' || this.options.fineTag === undefined) return columnOf(sentence, field);
    return sentence.upos.map((tag, i) => tagWithFeatures(tag, sentence.feats[i]));
  }

  /** Returns one string object for all equal strings. */
  private interned(form: string): string {
    const known = this.forms.get(form);
    if (known !== undefined) return known;
    const own = detached(form);
    this.forms.set(own, own);
    return own;
  }
}

/** Joins the two columns that fine tags are read from; neither has tabs. */
const tagWithFeatures = (tag: string, feats: string): string => `${tag}\t${feats}`;

/** Maximum number of raw strings that a column caches: enough for a treebank, and a bound for endless text. */
const MOST_CACHED = 2 ** 18;

/** A column's vocabulary, and the function from the strings of a treebank to the strings in it. */
class Column {
  readonly field: WordColumn;
  vocabulary: Vocabulary;
  private readonly normalize: (string: string) => string;
  /** The numbers of raw strings: looking one up is cheaper than normalising it. */
  private readonly cache = new Map<string, number>();
  private readonly filledBefore: number;
  private tokens = 0;
  private filledTokens = 0;

  constructor(
    name: EncodedColumn,
    options: ColumnOptions,
    learnt: LearntColumn = { strings: [], filled: 0 },
  ) {
    this.vocabulary = Vocabulary.from(learnt.strings);
    this.filledBefore = learnt.filled;
    const form = options.normalize ? normalizeForm : (string: string) => string;
    const stem = stemmer(options.stem);
    const ofForms: Readonly<Partial<Record<EncodedColumn, (string: string) => string>>> = {
      form,
      common: form,
      stem: (string) => stem(form(string)),
      suffix3: (string) => suffix(form(string), 3),
      suffix2: (string) => suffix(form(string), 2),
      prefix3: (string) => prefix(form(string), 3),
      shape: shapeOf,
    };
    if (isAttributeColumn(name)) this.normalize = this.readerOf(attributeOf(name));
    else if (name === 'xpos' && options.fineTag !== undefined) this.normalize = fineTagger(options.fineTag);
    else this.normalize = ofForms[name] ?? ((string) => string);
    const isLemma = name === 'lemma' || (name === 'stem' && options.stem === 'lemma');
    if (isAttributeColumn(name)) this.field = 'feats';
    else this.field = isLemma ? 'lemmas' : name in ofForms ? 'forms' : (name as WordColumn);
  }

  /** The function from FEATS to an attribute's value; for a combination of values unseen in training (`Acc,Dat`), the first. */
  private readerOf(attribute: string): (feats: string) => string {
    const isKnown = (value: string) => this.vocabulary.idOf(value) !== UNKNOWN;
    return (feats) => {
      const value = attributeValue(feats, attribute, isKnown);
      return isKnown(value) || !value.includes(',') ? value : (value.split(',').find(isKnown) ?? value);
    };
  }

  get filled(): number {
    return this.tokens === 0 ? this.filledBefore : this.filledTokens / this.tokens;
  }

  learn(string: string): number {
    this.tokens++;
    if (string !== '_') this.filledTokens++;
    return this.cache.get(string) ?? this.cached(string, this.vocabulary.add(this.normalize(string)));
  }

  look(string: string): number {
    const number = this.cache.get(string);
    if (number !== undefined) return number;
    const looked = this.vocabulary.idOf(this.normalize(string));
    return looked === UNKNOWN ? UNKNOWN : this.cached(string, looked);
  }

  /** Drops all other strings; returns the new number for every old one, UNKNOWN for the dropped. */
  keep(strings: readonly string[]): Int32Array {
    const before = this.vocabulary;
    this.vocabulary = Vocabulary.from(strings);
    this.cache.clear();
    const renumbered = new Int32Array(before.size);
    for (const string of strings) renumbered[before.idOf(string)] = this.vocabulary.idOf(string);
    return renumbered;
  }

  private cached(string: string, number: number): number {
    // Unboundedly many raw strings have known numbers: all numerals are one form, many forms share a stem.
    if (this.cache.size === MOST_CACHED) this.cache.clear();
    this.cache.set(detached(string), number);
    return number;
  }
}

/** Maximum number of strings that a group caches. */
const MOST_LOOKED_UP = 1 << 14;

type GroupedColumn = { readonly column: Column; readonly place: number; readonly name: EncodedColumn };

/** Columns computed from the same strings, such as suffixes and shapes of forms: a string is looked up once for all. */
class ColumnGroup {
  private readonly rows = new Map<string, number>();
  /** strings × columns. */
  private numbers = new Int32Array(1 << 10);

  constructor(readonly columns: readonly GroupedColumn[]) {}

  /** Writes the numbers of tokens 1…n into its columns of an encoded sentence. */
  fill(strings: readonly string[], { length, columns: target }: EncodedSentence): void {
    const { columns } = this;
    for (let i = 1; i <= length; i++) {
      const row = this.rows.get(strings[i]) ?? this.look(strings[i]);
      for (let c = 0; c < columns.length; c++)
        target[columnStart(length, columns[c].place) + i] = this.numbers[row + c];
    }
  }

  private look(string: string): number {
    if (this.rows.size === MOST_LOOKED_UP) this.rows.clear();
    const { columns } = this;
    const row = this.rows.size * columns.length;
    if (row + columns.length > this.numbers.length)
      this.numbers = lengthened(this.numbers, 2 * this.numbers.length + columns.length);
    for (let c = 0; c < columns.length; c++) this.numbers[row + c] = columns[c].column.look(string);
    this.rows.set(detached(string), row);
    return row;
  }
}

const reserved: readonly string[] = Object.assign([], {
  [UNKNOWN]: '⟨unknown⟩',
  [ROOT]: '⟨root⟩',
  [BEFORE]: '⟨before⟩',
  [AFTER]: '⟨after⟩',
});

/** Returns the function from tag and features to a fine tag: the tag with the values of attributes, `NOUN-Acc-_`. */
function fineTagger(attributes: readonly string[]): (string: string) => string {
  return (string) => {
    const [tag, feats] = string.split('\t');
    return [tag, ...attributes.map((name) => attributeValue(feats, name, () => false))].join('-');
  };
}

/** Converts the numbers of encoded sentences back to strings, for explanations. */
export class ValueNames {
  private readonly strings: (readonly string[])[] = [];

  constructor(private readonly encoder: ColumnEncoder) {}

  /** The string with number `value` in a column. */
  of(column: number, value: number): string {
    this.strings[column] ??= [...reserved, ...this.encoder.vocabulary(column).strings()];
    return this.strings[column][value];
  }

  /** The string that templates read in a column at an offset from a position. */
  valueNear(sentence: EncodedSentence, column: number, position: number, offset: number): string {
    return this.of(column, valueAt(sentence, column, neighbour(sentence.length, position, offset)));
  }
}
