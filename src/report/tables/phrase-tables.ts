import {
  type BracketErrors,
  bracketErrorKinds,
  type ComparedPhraseParser,
  type PhraseComparison,
  type RelabelledBrackets,
} from '../../evaluate/comparison/compare-phrases.ts';
import { pairMatrix, type RankedParsers, rankingTable } from './ranking.ts';
import type { ColumnOf, TitledTable } from './table.ts';
import { figures, intervalText, parserColumns, parserFigures, tableOf, text } from './table.ts';

export function rankedByF1({ parsers, ranking, pairs }: PhraseComparison): RankedParsers {
  return {
    names: parsers.map(({ name }) => name),
    title: 'F1',
    notes: [],
    scores: parsers.map(({ report }) => report.f1),
    ranking,
    pairs,
  };
}

/** Explains the headings of tables of brackets' scores. */
export const bracketColumnsNote =
  'exact: sentences with exactly the gold brackets; crossing: brackets per sentence that cross a gold bracket; none: sentences without crossing brackets; tags: words with the gold tag';

/** Scores, ranking and significance of parsers compared by brackets. */
export function phraseSummaryTables(comparison: PhraseComparison): TitledTable[] {
  const ranked = rankedByF1(comparison);
  const { parsers } = comparison;
  return [
    {
      title: 'Scores of brackets',
      table: tableOf<ComparedPhraseParser>(parsers, [
        [text('parser'), ({ name }) => name],
        [figures('precision', 'P', 2), ({ report }) => report.precision],
        [figures('recall', 'R', 2), ({ report }) => report.recall],
        [figures('f1', 'F1', 2), ({ report }) => report.f1],
        [text('interval', '95%'), ({ interval }) => intervalText(interval)],
        [figures('exactMatch', 'exact', 2), ({ report }) => report.exactMatch],
        [figures('averageCrossing', 'crossing', 2), ({ report }) => report.averageCrossing],
        [figures('noCrossing', 'none', 2), ({ report }) => report.noCrossing],
        [figures('taggingAccuracy', 'tags', 2), ({ report }) => report.taggingAccuracy],
      ]),
      notes: [`By EVALB with COLLINS.prm; 95%: bootstrap confidence interval of F1; ${bracketColumnsNote}.`],
    },
    rankingTable(ranked),
    pairMatrix(ranked, comparison.rounds),
  ];
}

export interface BracketErrorTable extends TitledTable {
  readonly by: 'label' | 'span' | 'relabelled';
}

export function phraseErrorTables(comparison: PhraseComparison, limit: number): BracketErrorTable[] {
  const { byLabel, bySpan, relabelled, parsers } = comparison;
  const tables: BracketErrorTable[] = [
    { by: 'label', ...errorTable('Bracket errors by label', 'label', byLabel.slice(0, limit), parsers) },
    { by: 'span', ...errorTable('Bracket errors by span', 'words', bySpan, parsers) },
    {
      by: 'relabelled',
      title: 'Relabelled brackets',
      table: tableOf(relabelled.slice(0, limit), [
        text('gold'),
        text('predicted'),
        ...parserColumns<RelabelledBrackets>(parsers, 0, ({ counts }, i) => counts[i]),
      ]),
      notes: [],
    },
  ];
  return tables.filter(({ table }) => table.rows.length > 0);
}

const errorsNote =
  'missing: gold brackets that the parser lacks; wrong: brackets that are not in gold; crossing: wrong brackets that cross a gold bracket.';

function errorTable(
  title: string,
  bucket: string,
  errors: readonly BracketErrors[],
  parsers: PhraseComparison['parsers'],
): TitledTable {
  const columns = parsers.flatMap(({ name }, i) =>
    bracketErrorKinds.map(
      (kind): ColumnOf<BracketErrors> => [parserFigures(`${name} ${kind}`, 0), (counts) => counts[kind][i]],
    ),
  );
  return {
    title,
    table: tableOf(errors, [text('bucket', bucket), figures('gold', 'gold', 0), ...columns]),
    notes: [errorsNote],
  };
}
