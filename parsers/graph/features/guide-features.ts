import { columnStart, columnWidth, type EncodedSentence } from '../../../src/encoding/columns.ts';
import { type GuideTree, guideViews } from '../../../src/encoding/guides.ts';
import {
  columnsOfValue,
  isColumnValue,
  Notation,
  turnsOf,
} from '../../../src/encoding/templates/notation.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import { HashedFields, type PlacedField } from './part-features.ts';

/** Columns that a guide adds to a sentence: the label that it predicts, and the tag of the head that it predicts. */
const GUIDE_COLUMNS = ['guideLabel', 'guideHeadTag'] as const;

const notation = new Notation({
  nodes: { h: 'the head of the arc', d: 'its dependent' },
  columns: ['f', 'p', 'x', 't'],
  values: { g: 'the label in the guide’s tree', a: 'the tag of the head in the guide’s tree' },
});
const guideValues: Readonly<Record<string, (typeof GUIDE_COLUMNS)[number]>> = {
  g: 'guideLabel',
  a: 'guideHeadTag',
};

/** Templates; each is combined with the relation of the arc to a guide's tree (`relationToTree`). */
const templates = [
  ...['dp', 'dg', 'df', 'dg df', 'hp dp', 'hp dp dg', 'ht dt', 'hf dp dg', 'hf df'],
  ...['hg dg', 'hp dp hg dg', 'hp dp da'],
];

export interface GuideTemplate {
  readonly head: readonly PlacedField[];
  readonly dependent: readonly PlacedField[];
}

export function guideTemplatesOver(tags: readonly TagColumn[]): GuideTemplate[] {
  return templates.flatMap((template) => {
    const fields = notation.read(template);
    return turnsOf(fields, tags).map((turn) => {
      const of = (wanted: string) =>
        fields
          .filter(({ node }) => node === wanted)
          .map(({ value, offset }) => ({
            column: isColumnValue(value) ? columnsOfValue(value, tags, turn)[0] : guideValues[value],
            offset,
          }));
      return { head: of('h'), dependent: of('d') };
    });
  });
}

/**
 * Features of arcs from the trees of other parsers, the guides (Martins, Das, Smith & Xing 2008, D08-1017, table 1): the
 * relation of an arc to each guide's tree, combined with fields of its two tokens, among them the label and the tag of the
 * head in that tree. All guides together form one more view, whose features show whether they agree.
 */
export class GuideFeatures {
  readonly views: readonly GuideView[];

  /** @param shift low bits of a hash reserved for the caller */
  constructor(
    guides: number,
    templates: readonly GuideTemplate[],
    columns: readonly string[],
    private readonly shift: number,
  ) {
    const view = (_: unknown, number: number) => new GuideView(templates, columns, number);
    this.views = Array.from({ length: guides > 1 ? guides + 1 : 1 }, view);
  }

  get count(): number {
    return this.views.reduce((sum, { count }) => sum + count, 0);
  }

  prepare(sentence: EncodedSentence): void {
    for (const [v, view] of guideViews(sentence.guides!).entries()) this.views[v].prepare(sentence, view);
  }

  score(weights: Int16Array, scores: Float32Array): void {
    for (const view of this.views) view.score(weights, scores, this.shift);
  }

  /** Writes the hashes of an arc into `target` from `at`; returns their end. */
  list(h: number, d: number, target: Int32Array, at: number): number {
    let end = at;
    for (const view of this.views) end = view.list(h, d, this.shift, target, end);
    return end;
  }
}

/** The features from one guide, or from all guides together. */
class GuideView {
  readonly count: number;
  private readonly heads: HashedFields;
  private readonly dependents: HashedFields;
  private readonly tagColumn: number;
  private guides: readonly GuideTree[] = [];
  private n = 0;
  private columns = new Int32Array(0);

  constructor(templates: readonly GuideTemplate[], columns: readonly string[], number: number) {
    const all = [...columns, ...GUIDE_COLUMNS];
    const part = (role: 'head' | 'dependent') =>
      new HashedFields(
        templates.map((template, t) => ({
          fields: template[role],
          seed: mix(mix(finish(t + 1), number + 0x600d), role === 'head' ? 1 : 2),
        })),
        all,
      );
    this.count = templates.length;
    this.heads = part('head');
    this.dependents = part('dependent');
    this.tagColumn = guideTagColumn(columns);
  }

  prepare({ length, columns }: EncodedSentence, guides: readonly GuideTree[]): void {
    this.guides = guides;
    this.n = length;
    const size = columns.length + GUIDE_COLUMNS.length * columnWidth(length);
    if (this.columns.length < size) this.columns = new Int32Array(2 * size);
    this.columns.set(columns);
    const labels = columns.length + 1;
    const tags = labels + columnWidth(length);
    const ofTags = columnStart(length, this.tagColumn);
    this.columns.fill(0, columns.length, size);
    for (const { heads, labels: given } of guides) {
      for (let d = 1; d <= length; d++) {
        this.columns[labels + d] = mix(this.columns[labels + d], given[d] + 1);
        this.columns[tags + d] = mix(this.columns[tags + d], columns[ofTags + heads[d]]);
      }
    }
    this.heads.hash(length, this.columns);
    this.dependents.hash(length, this.columns);
  }

  score(weights: Int16Array, scores: Float32Array, shift: number): void {
    const { n, count } = this;
    const { hashes: ofHeads } = this.heads;
    const { hashes: ofDependents } = this.dependents;
    const mask = weights.length - 1;
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) {
        if (d === h) continue;
        const number = this.relation(h, d) << shift;
        let sum = 0;
        for (let t = 0, i = h * count, j = d * count; t < count; t++)
          sum = (sum + weights[(ofHeads[i++] ^ ofDependents[j++] ^ number) & mask]) | 0;
        scores[h * (n + 1) + d] += sum;
      }
    }
  }

  list(h: number, d: number, shift: number, target: Int32Array, at: number): number {
    const { count } = this;
    const number = this.relation(h, d) << shift;
    for (let t = 0; t < count; t++)
      target[at + t] = this.heads.hashes[h * count + t] ^ this.dependents.hashes[d * count + t] ^ number;
    return at + count;
  }

  /** The relation of an arc to each tree of the view, and its direction, as one number. */
  private relation(h: number, d: number): number {
    const { guides } = this;
    let number = h < d ? 1 : 0;
    for (let g = 0; g < guides.length; g++) number = 9 * number + relationToTree(guides[g].heads, h, d);
    return number;
  }
}

/** The column of the tags that guide features read: UPOS, or XPOS without it. */
export function guideTagColumn(columns: readonly string[]): number {
  return columns.indexOf('upos') === -1 ? columns.indexOf('xpos') : columns.indexOf('upos');
}

/** Names of the relations of `relationToTree`: where the guide's tree attaches the dependent. */
export const relationNames = [
  'same arc in its tree',
  'reversed in its tree',
  'in its tree below the root',
  'in its tree below a dependent of the head',
  'in its tree below the head’s head',
  'in its tree below a word on the other side',
  'in its tree below a nearer word',
  'in its tree below a word farther away',
] as const;

/** The relation of the arc h → d to a tree, as a number from 0 to 7. */
export function relationToTree(heads: Int32Array, h: number, d: number): number {
  const head = heads[d];
  if (head === h) return 0;
  if (heads[h] === d) return 1;
  if (head === 0) return 2;
  if (heads[head] === h) return 3;
  if (heads[h] === head) return 4;
  // The two heads are on different sides of d, or one is farther away.
  if (head < d !== h < d) return 5;
  return Math.abs(head - d) < Math.abs(h - d) ? 6 : 7;
}
