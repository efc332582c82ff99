import type { EncodedColumn } from '../../../src/encoding/columns.ts';
import type { TemplateSections } from '../../../src/encoding/templates/template-file.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
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

/** The lists of templates that a parser has. */
export type BigramSection = 'arcs' | 'labels';
export const bigramSections: TemplateSections<BigramSection> = { arcs: arcNotation, labels: labelNotation };

/** The columns that patterns read. */
export function columnsRead(tags: readonly TagColumn[]): EncodedColumn[] {
  return ['form', 'lemma', ...tags, 'feats'];
}
