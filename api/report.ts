/** Drawings of trees, tables, pages. */

export { type ExplanationPageOptions, explanationPage } from '../src/report/explanation/explanation-page.ts';
export type { ComparisonPageOptions, PageSection } from '../src/report/html/comparison-page.ts';
export { comparisonPage } from '../src/report/html/comparison-page.ts';
export type {
  Cell as TableCell,
  Column as TableColumn,
  Table,
  TitledTable,
} from '../src/report/tables/table.ts';
export { csvTable, markdownTable, textTable } from '../src/report/tables/table.ts';
export { phraseTreeToSvg } from '../src/report/trees/phrase-svg.ts';
export { treeToSvg } from '../src/report/trees/tree-svg.ts';
export { drawPhraseTree, drawTree, type TreeTextOptions } from '../src/report/trees/tree-text.ts';
export { phraseTreeToForest, treeToTikz } from '../src/report/trees/tree-tikz.ts';
