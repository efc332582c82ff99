import type { ColumnName, TagColumn } from '../../../src/encoding/columns.ts';
import type { ArcPart } from '../arcs/arc-parts.ts';
import type { LabelPart } from '../labels/label-parts.ts';

/** One field of a pattern: the column of the head, of the dependent, or of a neighbour of theirs. */
export interface Field {
  readonly of: 'head' | 'dependent';
  readonly column: number;
  readonly offset: number;
}

/** What is counted of an arc; `backoff` is the place of a coarser pattern earlier in the list, −1: none. */
export interface Pattern<P extends string> {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly part: P;
  readonly backoff: number;
}

/** A pattern as written: its fields, the part of the arc, and the name of what it is backed off to. */
type Notation<P extends string> = readonly [name: string, fields: string, part: P, backoff: string];

/**
 * Patterns of arcs, in the notation of the graph parser's templates: `h` head, `d` dependent; `p` coarse tag,
 * `t` fine tag, `f` form, `l` lemma, `m` morphological features; `+1` the token after, `-1` the one before.
 * Every pattern holds all that its backoff holds, so that it determines it.
 */
export const arcPatterns: readonly Notation<ArcPart>[] = [
  ['tags', 'hp dp', 'direction', ''],
  ['distance', 'hp dp', 'distance', 'tags'],
  ['between', 'hp dp', 'between', 'tags'],
  ['crossed', 'hp dp', 'tags', 'tags'],
  ['fine', 'hp ht dp dt', 'direction', 'tags'],
  ['fine-distance', 'hp ht dp dt', 'distance', 'fine'],
  ['fine-between', 'hp ht dp dt', 'between', 'fine'],
  ['fine-crossed', 'hp ht dp dt', 'tags', 'fine'],
  ['features', 'hp hm dp dm', 'direction', 'tags'],
  ['features-between', 'hp hm dp dm', 'between', 'between'],
  ['dependent-form', 'hp ht dp dt df', 'distance', 'fine-distance'],
  ['head-form', 'hp ht hf dp dt', 'distance', 'fine-distance'],
  ['forms', 'hp hf dp df', 'distance', 'distance'],
  ['dependent-lemma', 'hp ht dp dt dl', 'between', 'fine-between'],
  ['head-lemma', 'hp ht hl dp dt', 'between', 'fine-between'],
  ['lemmas', 'hp hl dp dl', 'direction', 'tags'],
  ['inner', 'hp hp+1 dp dp-1', 'between', 'between'],
  ['around-dependent', 'hp dp-1 dp dp+1', 'distance', 'distance'],
  ['around-head', 'hp-1 hp hp+1 dp', 'distance', 'distance'],
  ['around-both', 'hp-1 hp hp+1 dp-1 dp dp+1', 'distance', 'around-dependent'],
];

/** Patterns of labelled arcs: what the label depends on. */
export const labelPatterns: readonly Notation<LabelPart>[] = [
  ['tags', 'hp dp', 'direction', ''],
  ['fine', 'hp ht dp dt', 'direction', 'tags'],
  ['features', 'hp dp dm', 'direction', 'tags'],
  ['both-features', 'hp hm dp dm', 'direction', 'features'],
  ['dependent-form', 'hp ht dp dt df', 'direction', 'fine'],
  ['lemmas', 'hp hl dp dl', 'direction', 'tags'],
  ['dependent-lemma', 'hp dp dl', 'direction', 'tags'],
  ['marker', 'hp dp', 'marker', 'tags'],
  ['marker-features', 'hp dp dm', 'marker', 'marker'],
  ['sibling', 'hp ht dp dt', 'sibling', 'fine'],
  ['distance', 'hp ht dp dt', 'distance', 'fine'],
  ['around-dependent', 'hp dp-1 dp dp+1', 'direction', 'tags'],
  ['around-head', 'hp-1 hp hp+1 dp', 'direction', 'tags'],
];

/** The columns that patterns read. */
export function columnsRead(tags: readonly TagColumn[]): ColumnName[] {
  return ['form', 'lemma', ...tags, 'feats'];
}

/**
 * Patterns over the columns at hand. Fine tags are the second tag column; where it or another column has
 * nothing to tell, its fields fall away, and so do patterns that then are the same as another.
 */
export function readPatterns<P extends string>(
  notation: readonly Notation<P>[],
  columns: readonly ColumnName[],
  tags: readonly TagColumn[],
  filled: (column: ColumnName) => boolean,
): Pattern<P>[] {
  const letters: Record<string, ColumnName | undefined> = {
    p: tags[0],
    t: tags[1],
    f: 'form',
    l: filled('lemma') ? 'lemma' : 'form',
    m: filled('feats') ? 'feats' : undefined,
  };
  const patterns: Pattern<P>[] = [];
  const places = new Map<string, number>();
  for (const [name, text, part, backoff] of notation) {
    const fields = text.split(' ').flatMap((field) => readField(field, letters, columns));
    const content = JSON.stringify([fields, part]);
    const known = places.get(content);
    places.set(name, known ?? patterns.length);
    if (known !== undefined) continue;
    places.set(content, patterns.length);
    patterns.push({ name, fields, part, backoff: places.get(backoff) ?? -1 });
  }
  return patterns;
}

function readField(
  text: string,
  letters: Readonly<Record<string, ColumnName | undefined>>,
  columns: readonly ColumnName[],
): Field[] {
  const name = letters[text[1]];
  if (name === undefined) return [];
  const of = text[0] === 'h' ? 'head' : 'dependent';
  return [{ of, column: columns.indexOf(name), offset: Number(text.slice(2)) }];
}
