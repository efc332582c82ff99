import type { ParseExplanation, PipelineExplanation } from '../../explain/explanation.ts';
import { type ColumnOf, tableOf, text } from '../tables/table.ts';
import { weights } from './decision-tables.ts';
import { matrixSections } from './matrix-sections.ts';
import { phraseSections } from './phrase-sections.ts';
import type { ExplanationSection } from './section.ts';
import { stepsSections } from './steps-sections.ts';
import { voteSections } from './vote-sections.ts';

/** An explanation as readers see it, part by part. */
export function explanationSections(explained: ParseExplanation): ExplanationSection[] {
  switch (explained.paradigm) {
    case 'graph':
    case 'bigram':
    case 'network':
      return matrixSections(explained);
    case 'transition':
    case 'yamada-matsumoto':
      return stepsSections(explained);
    case 'pcfg':
      return phraseSections(explained);
    case 'vote':
      return voteSections(explained);
    case 'pipeline':
      return [columnSection(explained), ...(explained.parser ? explanationSections(explained.parser) : [])];
  }
}

function columnSection({ parts, columns, tokens, alternatives }: PipelineExplanation): ExplanationSection {
  const names = Object.keys(columns);
  const rows = tokens.map((token, d) => ({ token, d })).slice(1);
  const table = tableOf(rows, [
    [text('token'), ({ d }) => String(d)],
    [text('form'), ({ token }) => token.form],
    ...names.map((name) => [text(name), ({ d }: { d: number }) => columns[name][d]] as const),
    ...alternativeColumns(alternatives),
  ]);
  return {
    title: 'Annotation',
    lines: [`The pipeline: ${parts.join(', ')}.`],
    tables: names.length === 0 ? [] : [{ title: 'What was filled in', table, notes: [] }],
  };
}

/** The next best tags of a word, and by how much the chosen ones are better; nothing where there was no choice. */
function alternativeColumns(alternatives: PipelineExplanation['alternatives']): ColumnOf<{ d: number }>[] {
  if (alternatives === undefined) return [];
  const tagsOf = (columns: Readonly<Record<string, string>>) =>
    Object.values(columns)
      .filter((tag) => tag !== '_')
      .join(' ');
  return [
    [
      text('next', 'next best tags'),
      ({ d }) => (alternatives[d][1] === undefined ? null : tagsOf(alternatives[d][1].columns)),
    ],
    [
      weights('margin', 'margin'),
      ({ d }) =>
        alternatives[d][1] === undefined ? null : alternatives[d][0].score - alternatives[d][1].score,
    ],
  ];
}
