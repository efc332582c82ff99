import type { ColumnName, TagColumn } from '../../../src/encoding/columns.ts';
import type { ArcPart } from '../arcs/arc-parts.ts';
import type { LabelPart } from '../labels/label-parts.ts';
import { PatternNotation } from './pattern-notation.ts';

/** How templates of arcs are written; their words are explained in arc-parts.ts. */
export const arcNotation = new PatternNotation<ArcPart>({
  distance: 'how far the two are apart: 1, 2, 3, 4, 5, 6 to 10, more',
  between: 'near or far, and how many tokens between have their tags or are punctuation',
  crossed: 'which tags stand between',
});

/** How templates of labels are written; their words are explained in label-parts.ts. */
export const labelNotation = new PatternNotation<LabelPart>({
  distance: 'neighbours, near or far',
  marker: 'the form of the first dependent to the left of the dependent',
  sibling: 'the tag of the next dependent of the same head',
});

/** What is counted of arcs : from tags on, each with more of the words, or of what stands between. */
export const arcPatterns: readonly string[] = [
  'hp dp',
  'hp dp distance < hp dp',
  'hp dp between < hp dp',
  'hp dp crossed < hp dp',
  'hp hx dp dx < hp dp',
  'hp hx dp dx distance < hp hx dp dx',
  'hp hx dp dx between < hp hx dp dx',
  'hp hx dp dx crossed < hp hx dp dx',
  'hp hm dp dm < hp dp',
  'hp hm dp dm between < hp dp between',
  'hp hx dp dx df distance < hp hx dp dx distance',
  'hp hx hf dp dx distance < hp hx dp dx distance',
  'hp hf dp df distance < hp dp distance',
  'hp hx dp dx dl between < hp hx dp dx between',
  'hp hx hl dp dx between < hp hx dp dx between',
  'hp hl dp dl < hp dp',
  'hp hp+1 dp dp-1 between < hp dp between',
  'hp dp-1 dp dp+1 distance < hp dp distance',
  'hp-1 hp hp+1 dp distance < hp dp distance',
  'hp-1 hp hp+1 dp-1 dp dp+1 distance < hp dp-1 dp dp+1 distance',
];

/** What is counted of labelled arcs: what the label depends on. */
export const labelPatterns: readonly string[] = [
  'hp dp',
  'hp hx dp dx < hp dp',
  'hp dp dm < hp dp',
  'hp hm dp dm < hp dp dm',
  'hp hx dp dx df < hp hx dp dx',
  'hp hl dp dl < hp dp',
  'hp dp dl < hp dp',
  'hp dp marker < hp dp',
  'hp dp dm marker < hp dp marker',
  'hp hx dp dx sibling < hp hx dp dx',
  'hp hx dp dx distance < hp hx dp dx',
  'hp dp-1 dp dp+1 < hp dp',
  'hp-1 hp hp+1 dp < hp dp',
];

/** The columns that patterns read. */
export function columnsRead(tags: readonly TagColumn[]): ColumnName[] {
  return ['form', 'lemma', ...tags, 'feats'];
}
