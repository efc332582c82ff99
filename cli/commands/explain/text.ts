import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import { heatMap, heatMapLegend } from '../../../src/report/explanation/heat-map.ts';
import type { ExplanationSection } from '../../../src/report/explanation/section.ts';
import { explanationSections } from '../../../src/report/explanation/sections.ts';
import { fitTable, textTable } from '../../../src/report/tables/table.ts';
import { drawPhraseTree } from '../../../src/report/trees/phrase-text.ts';
import { drawTree } from '../../../src/report/trees/tree-text.ts';
import { parseBrackets } from '../../../src/treebank/brackets/brackets.ts';
import { print, printText, styled, warn } from '../../terminal/output.ts';
import type { Asked } from './asked-sentence.ts';
import type { ExplainFlags } from './command.ts';

/** Prints an explanation as text that fits the terminal. */
export function printExplanation(
  explained: ParseExplanation,
  asked: Asked,
  { ascii, arc }: ExplainFlags,
): void {
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  const { id, notices } = explained;
  print(
    styled('bold', `sentence ${asked.number}${id === undefined ? '' : ` (${id})`}, ${explained.paradigm}`),
  );
  printText(treeText(explained, asked, !ascii, width));
  for (const notice of notices) warn(notice);
  for (const section of explanationSections(explained)) printSection(section, width);
  const scored = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (arc !== undefined || scored === undefined || !('marginals' in scored)) return;
  print('\n', styled('bold', 'Heat map'));
  print(heatMapLegend);
  for (const line of heatMap(scored, Math.min(width, MOST_WIDTH))) print(line);
}

/** Where the output is no terminal, lines of a map are no longer. */
const MOST_WIDTH = 160;

function treeText(explained: ParseExplanation, { sentence }: Asked, unicode: boolean, width: number): string {
  const parser = explained.paradigm === 'pipeline' ? explained.parser : explained;
  if (parser?.paradigm === 'pcfg') {
    return [...parseBrackets(parser.brackets)].map(({ tree }) => drawPhraseTree(tree, { unicode })).join('');
  }
  const { tree, gold } = explained;
  const found = { heads: Int32Array.from(tree.heads), labels: tree.labels };
  const right = gold && { heads: Int32Array.from(gold.heads), labels: gold.labels };
  return drawTree({ ...sentence, upos: explained.tokens.map(({ tag }) => tag) }, found, {
    unicode,
    width,
    gold: right,
  });
}

function printSection({ title, lines, tables }: ExplanationSection, width: number): void {
  print('\n', styled('bold', title));
  for (const line of lines) print(line);
  for (const { title: caption, table, notes } of tables) {
    print('\n', styled('dim', caption));
    for (const each of notes) print(each);
    if (table.rows.length > 0) printText(textTable(fitTable(table, width)));
  }
}
