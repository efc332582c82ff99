import type { EncodedColumn, EncodedSentence } from '../../src/encoding/columns.ts';
import { columnStart, neighbour } from '../../src/encoding/columns.ts';
import type { Meanings, TemplateField } from '../../src/encoding/templates/notation.ts';
import { canonical, columnsOfValue, listed, Notation } from '../../src/encoding/templates/notation.ts';
import type { TemplateSection, TemplateSections } from '../../src/encoding/templates/template-file.ts';
import { UsageError } from '../../src/errors.ts';
import { finish, mix } from '../../src/learn/hashing.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';

/**
 * Features of an arc besides its words; each includes the arc's direction.
 * - `direction`: left or right;
 * - `distance`: in MSTParser's buckets 1, 2, 3, 4, 5, 6–10, more;
 * - `between`: adjacent, near or far; and the numbers (0, 1, more) of tokens between the two with the head's tag,
 *   with the dependent's tag, and of punctuation;
 * - `crossed`: the set of tags between the two.
 */
export type ArcFeature = 'direction' | 'distance' | 'between' | 'crossed';

/**
 * Features of an arc in a tree, for labels; each includes the arc's direction.
 * - `direction`: left or right;
 * - `distance`: adjacent, near or far;
 * - `marker`: the form of the dependent's first dependent on the left (a preposition, a conjunction);
 * - `sibling`: the tag of the head's next dependent towards the head.
 */
export type LabelFeature = 'direction' | 'distance' | 'marker' | 'sibling';

/** Values of arc features for the arcs into one token. */
export interface FeatureValues<F extends string> {
  /** of[feature][h]: the value for the arc from h. */
  readonly of: Readonly<Record<F, Int32Array>>;
  /** Computes the values for the arcs into token d. */
  prepare(sentence: EncodedSentence, d: number): void;
}

/** The columns that arc features read. */
export interface FeatureColumns {
  /** Numbers of the columns of the coarse tag and the form. */
  readonly tag: number;
  readonly form: number;
  readonly tagCount: number;
  /** By form: 1 for punctuation. */
  readonly punctuation: Uint8Array;
}

type Field = { readonly of: 'head' | 'dependent'; readonly column: number; readonly offset: number };

/** A compiled template: fields of both words and one feature of the arc, counted together. */
export interface Pattern<F extends string> {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly feature: F;
  /** Index of the coarser pattern to back off to, which comes earlier; −1: none. */
  readonly backoff: number;
}

/** The encoded columns over which templates are compiled. */
export interface PatternColumns {
  readonly names: readonly EncodedColumn[];
  readonly tags: readonly TagColumn[];
  isFilled(column: EncodedColumn): boolean;
}

/**
 * The notation of templates: fields of head and dependent, at most one arc feature, and after `<` the coarser
 * template to back off to where counts are small, as in `hp dp distance < hp dp`. A template contains its backoff,
 * so that one key determines the other.
 */
class PatternNotation<F extends string> implements TemplateSection {
  private readonly notation: Notation;

  /** @param words the arc features besides direction, which is always included */
  constructor(private readonly words: Meanings) {
    this.notation = new Notation({
      nodes: { h: 'the head of the arc', d: 'its dependent' },
      columns: ['f', 'l', 'm', 'p', 'x'],
      words,
    });
  }

  get legend(): string[] {
    return this.notation.legend({
      '<': 'followed by an earlier template, to which estimates back off where counts are small',
    });
  }

  check(template: string, earlier: readonly string[]): void {
    const { fields, feature, backoff } = this.read(template);
    if (backoff === undefined) return;
    if (!earlier.map(withoutBackoff).includes(backoff))
      throw new UsageError(`template “${template}”: “${backoff}” is not an earlier template`);
    const coarser = this.read(backoff);
    const content = fields.map(asText);
    const isCoarser = coarser.fields.map(asText).every((field) => content.includes(field));
    if (!isCoarser || ![feature, 'direction'].includes(coarser.feature))
      throw new UsageError(`template “${template}”: “${backoff}” is not part of it`);
  }

  /** Compiles templates. Drops fields of empty columns (empty lemmas become forms) and repeated patterns. */
  patterns(templates: readonly string[], columns: PatternColumns): Pattern<F>[] {
    const patterns: Pattern<F>[] = [];
    const places = new Map<string, number>();
    for (const template of templates) {
      const { fields: written, feature, backoff } = this.read(template);
      const name = withoutBackoff(template);
      const fields = written.flatMap((field) => fieldOver(columns, field));
      const content = JSON.stringify([fields, feature]);
      const known = places.get(content);
      places.set(name, known ?? patterns.length);
      if (known !== undefined) continue;
      places.set(content, patterns.length);
      patterns.push({ name, fields, feature, backoff: backoff === undefined ? -1 : places.get(backoff)! });
    }
    return patterns;
  }

  private read(template: string) {
    const [fine, backoff] = template.split(/<(.*)/s);
    const all = this.notation.read(fine);
    const features = all.filter(({ node }) => node === '');
    if (features.length > 1)
      throw new UsageError(`template “${template}”: more than one of ${listed(Object.keys(this.words))}`);
    return {
      fields: all.filter(({ node }) => node !== ''),
      feature: (features[0]?.value ?? 'direction') as F,
      backoff: backoff === undefined ? undefined : canonical(backoff),
    };
  }
}

const withoutBackoff = (template: string): string => canonical(template.replace(/<.*/s, ''));
const asText = ({ node, value, offset }: TemplateField): string => `${node}${value}${offset}`;

/** Resolves a field to a number of a column; returns none if the column is empty. */
function fieldOver(columns: PatternColumns, { node, value, offset }: TemplateField): Field[] {
  const { names, tags, isFilled } = columns;
  const [named] = columnsOfValue(value, tags, tags[0]);
  const column = named === 'lemma' && !isFilled(named) ? 'form' : named;
  if (column === undefined || !names.includes(column) || (column === 'feats' && !isFilled(column))) return [];
  return [{ of: node === 'h' ? 'head' : 'dependent', column: names.indexOf(column), offset }];
}

export const arcNotation = new PatternNotation<ArcFeature>({
  distance: 'distance of the two: 1, 2, 3, 4, 5, 6 to 10, more',
  between: 'near or far, and numbers of tokens in between with their tags, and of punctuation',
  crossed: 'set of the tags in between',
});

export const labelNotation = new PatternNotation<LabelFeature>({
  distance: 'neighbours, near or far',
  marker: 'the form of the first dependent to the left of the dependent',
  sibling: 'the tag of the next dependent of the same head',
});

export type BigramSection = 'arcs' | 'labels';
export const bigramSections: TemplateSections<BigramSection> = { arcs: arcNotation, labels: labelNotation };

/** The columns that sentences are encoded with. */
export function encodedColumns(tags: readonly TagColumn[]): EncodedColumn[] {
  return ['form', 'lemma', ...tags, 'feats'];
}

/** Hash keys of patterns, filled with the words and features of arcs. */
export class PatternKeys<F extends string> {
  private features: FeatureValues<F>;
  private size = 0;
  /** At k * size + i: the hash of pattern k's fields of token i as head, and as dependent. */
  private heads = new Int32Array(0);
  private dependents = new Int32Array(0);
  private sentence: EncodedSentence = { length: 0, columns: new Int32Array(0) };

  constructor(
    readonly patterns: readonly Pattern<F>[],
    private readonly makeValues: (most: number) => FeatureValues<F>,
  ) {
    this.features = makeValues(0);
  }

  prepare(sentence: EncodedSentence): void {
    const { patterns } = this;
    const { length } = sentence;
    this.sentence = sentence;
    if (length >= this.size) {
      this.size = 2 * length + 1;
      this.features = this.makeValues(this.size);
      this.heads = new Int32Array(patterns.length * this.size);
      this.dependents = new Int32Array(patterns.length * this.size);
    }
    for (let k = 0; k < patterns.length; k++) {
      const ofHead = patterns[k].fields.filter(({ of }) => of === 'head');
      const ofDependent = patterns[k].fields.filter(({ of }) => of === 'dependent');
      for (let i = 0; i <= length; i++) {
        this.heads[k * this.size + i] = hashFields(sentence, i, ofHead, 2 * k + 1);
        this.dependents[k * this.size + i] = hashFields(sentence, i, ofDependent, 2 * k + 2);
      }
    }
  }

  /** Computes the features of the arcs into d: to be called before `write` and `key`. */
  enter(d: number): void {
    this.features.prepare(this.sentence, d);
  }

  /** Writes the keys of pattern k for the arcs into d from all heads; keys[d] is meaningless. */
  write(k: number, d: number, keys: Int32Array): void {
    const { heads, size } = this;
    const { length } = this.sentence;
    const values = this.features.of[this.patterns[k].feature];
    const first = k * size;
    const dependent = this.dependents[first + d];
    for (let h = 0; h <= length; h++) {
      // 0 marks empty rows of the tables: it must not be a key.
      keys[h] = finish(mix(heads[first + h] + dependent, values[h])) || 1;
    }
  }

  key(k: number, h: number, d: number): number {
    const first = k * this.size;
    const words = this.heads[first + h] + this.dependents[first + d];
    return finish(mix(words, this.features.of[this.patterns[k].feature][h])) || 1;
  }
}

/** Hashes fields of token i; positions beyond the sentence have boundary marks. */
function hashFields({ length, columns }: EncodedSentence, i: number, fields: readonly Field[], seed: number) {
  let hash = mix(seed, fields.length);
  for (const { column, offset } of fields)
    hash = mix(hash, columns[columnStart(length, column) + neighbour(length, i, offset)]);
  return finish(hash);
}
