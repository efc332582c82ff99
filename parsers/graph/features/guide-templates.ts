import { columnsOfValue, isColumnValue, turnsOf } from '../../../src/encoding/templates/column-values.ts';
import { Notation } from '../../../src/encoding/templates/notation.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';

/** The columns that guides add to a sentence's: the label that they give, and the coarse tag of the head that they give. */
export const GUIDE_COLUMNS = ['guideLabel', 'guideHeadTag'] as const;

const notation = new Notation({
  nodes: { h: 'the head of the arc', d: 'its dependent' },
  columns: ['f', 'p', 'x', 't'],
  values: { g: 'the label that the guide gives', a: 'the tag of the head that the guide gives' },
});
const guideValues: Readonly<Record<string, (typeof GUIDE_COLUMNS)[number]>> = {
  g: 'guideLabel',
  a: 'guideHeadTag',
};

/** What is looked at together with how an arc lies to a guide's tree. */
const templates = [
  ...['dp', 'dg', 'df', 'dg df', 'hp dp', 'hp dp dg', 'ht dt', 'hf dp dg', 'hf df'],
  ...['hg dg', 'hp dp hg dg', 'hp dp da'],
];

/** A template taken apart: what it reads at the head, and at the dependent. */
export interface GuideTemplate {
  readonly head: readonly GuideField[];
  readonly dependent: readonly GuideField[];
}

export interface GuideField {
  readonly column: string;
  readonly offset: number;
}

/** The templates over the tag columns in use. */
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
