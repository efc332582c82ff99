import type { Plan } from '../../definition/plan.ts';
import { type FigureName, figures } from '../figures.ts';
import type { FilledCells } from '../fill.ts';
import { isOverTreebanks, type OverTreebanks, overTreebanks, treebankView } from '../over-treebanks.ts';
import { unique } from './told.ts';

/** How differences were tested: on the sentences of each treebank, and over treebanks. */
export function testLines(plan: Plan, ...tables: readonly FilledCells[]): string[] {
  if (!isOverTreebanks(plan)) return shufflingLine(plan);
  const filled = tables.filter((cells) => cells.length > 0);
  return [...shufflingLine(plan), ...unique(filled.flatMap((cells) => overTreebanksLines(plan, cells)))];
}

function shufflingLine(plan: Plan): string[] {
  const { experiment, cells, finalCells } = plan;
  const { baseline } = experiment;
  if (baseline === undefined) return [];
  const against = baseline === 'previous' ? 'the row above' : `“${baseline}”`;
  const scored = finalCells === undefined ? 'dev' : 'scored';
  const severalSeeds = cells.flat().some(({ jobs, settings }) => jobs.length > 1 && !('of' in settings));
  const seeds = severalSeeds ? ' (of several seeds the sum in each)' : '';
  const test = `stratified shuffling of the ${scored} sentences${seeds}, 10,000 rounds, two-sided, one comparison at a time`;
  return [`${isOverTreebanks(plan) ? '*: p < 0.05' : 'p'}: of the difference from ${against}; ${test}.`];
}

/** Demšar (2006), “Statistical Comparisons of Classifiers over Multiple Data Sets”. */
function overTreebanksLines(plan: Plan, cells: FilledCells): string[] {
  const view = treebankView(plan, cells);
  const { baseline, report } = plan.experiment;
  const over = report.map((name) => ({ name, ...overTreebanks(plan, view, name) }));
  const told = over.filter(({ criticalDifference }) => !Number.isNaN(criticalDifference)).map(differenceText);
  const lines = ['Mean, and mean rank (1 is best): over the treebanks that have a figure of every parser.'];
  if (told.length > 0) {
    const test = 'Nemenyi’s critical difference at 0.05, after Demšar 2006';
    lines.push(`Mean ranks that differ by less are not told apart (${test}): ${told.join(', ')}.`);
  }
  if (baseline !== undefined && told.length > 0) {
    lines.push('p: of the same difference over treebanks; Wilcoxon’s signed-rank test, exact, two-sided.');
  }
  return lines;
}

/** `UAS 1.83 over 5 treebanks`. */
function differenceText({
  name,
  criticalDifference,
  treebanks,
}: OverTreebanks & { readonly name: FigureName }): string {
  return `${figures[name].title} ${criticalDifference.toFixed(2)} over ${treebanks} treebanks`;
}
