import type { ParseExplanation, PipelineExplanation } from '../../explain/explanation.ts';
import { tableOf, text } from '../tables/table.ts';
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

function columnSection({ parts, columns, tokens }: PipelineExplanation): ExplanationSection {
  const names = Object.keys(columns);
  const rows = tokens.map((token, d) => ({ token, d })).slice(1);
  const table = tableOf(rows, [
    [text('token'), ({ d }) => String(d)],
    [text('form'), ({ token }) => token.form],
    ...names.map((name) => [text(name), ({ d }: { d: number }) => columns[name][d]] as const),
  ]);
  return {
    title: 'Annotation',
    lines: [`The pipeline: ${parts.join(', ')}.`],
    tables: names.length === 0 ? [] : [{ title: 'What was filled in', table, notes: [] }],
  };
}
