import type { EisnerSpans, MatrixExplanation } from '../../explain/matrix.ts';
import type { ExplainedToken } from '../../explain/shared.ts';
import { findCycle, isProjective, roots } from '../../treebank/tree.ts';
import { type ColumnOf, figures, plural, type TitledTable, tableOf, text } from '../tables/table.ts';
import { pad, truncate, widest } from '../tables/text-width.ts';
import { roundFrames } from './frames.ts';
import type { ExplanationSection } from './section.ts';
import { builtTree, decisionTables, liftedLine, named, namedArc, shownScore, weights } from './section.ts';

export function matrixSections(explained: MatrixExplanation): ExplanationSection[] {
  const { tokens } = explained;
  return [
    ...arcSection(explained),
    {
      title: 'Arcs',
      lines: [summary(explained), ...pruningLine(explained), ...liftedLine(explained)],
      tables: [arcTable(explained)],
    },
    ...searchSection(explained),
    ...('parts' in explained && explained.parts !== undefined ? [partSection(explained.parts, tokens)] : []),
  ];
}

function summary({ treeScore, decoder, singleRoot, arcs }: MatrixExplanation): string {
  const roots = singleRoot ? ', one root' : '';
  return `The tree scores ${shownScore(treeScore)}, over ${plural(arcs.length, 'arc')} (${decoder}${roots}).`;
}

function pruningLine(explained: MatrixExplanation): string[] {
  const isFirstOrder = !('order' in explained) || explained.order === 1;
  return isFirstOrder ? [] : ['Marginals: of the first-order parser that prunes the heads.'];
}

function arcTable(explained: MatrixExplanation): TitledTable {
  const { arcs, tokens, tree, gold } = explained;
  const columns: ColumnOf<(typeof arcs)[number]>[] = [
    [text('dependent'), ({ dependent }) => named(tokens, dependent)],
    [text('head'), ({ head }) => named(tokens, head)],
    text('label'),
    weights('score', 'score'),
    [
      text('runnerUp', 'next best head'),
      ({ runnerUp }) => (runnerUp === null ? null : named(tokens, runnerUp)),
    ],
    weights('margin', 'margin'),
    figures('marginal', 'marginal', 2),
  ];
  if (arcs.some(({ margin }) => margin !== null && margin < 0))
    columns.push([text('why', 'why not the better head'), (arc) => whyNotBetter(explained, arc)]);
  if (gold !== undefined) {
    columns.push([
      text('gold', 'gold'),
      ({ dependent: d }) =>
        gold.heads[d] === tree.heads[d] && gold.labels[d] === tree.labels[d]
          ? '✓'
          : `✗ ${namedArc(tokens, gold.labels[d], gold.heads[d])}`,
    ]);
  }
  return { title: 'The arcs of the tree', table: tableOf(arcs, columns), notes: [] };
}

/** Says why a head was chosen although another one scores higher. */
function whyNotBetter(
  explained: MatrixExplanation,
  { dependent, runnerUp, margin }: MatrixExplanation['arcs'][number],
): string | null {
  if (runnerUp === null || margin === null || margin >= 0) return null;
  const { tokens, singleRoot } = explained;
  const heads = Int32Array.from(builtTree(explained).heads);
  const wasProjective = isProjective(heads);
  heads[dependent] = runnerUp;
  if (findCycle(heads).length > 0)
    return `would close a cycle: ${named(tokens, runnerUp)} depends on ${named(tokens, dependent)}`;
  if (singleRoot && roots(heads).length > 1) return 'would be a second root';
  if (wasProjective && !isProjective(heads)) return 'would cross another arc';
  return 'arcs are scored together with adjacent arcs, and these score better';
}

function searchSection(explained: MatrixExplanation): ExplanationSection[] {
  const { search, tokens } = explained;
  if (search === undefined) return [];
  if (search.algorithm === 'eisner')
    return [{ title: 'Eisner’s spans', lines: [], tables: [spanTable(search, tokens)] }];
  const steps = roundFrames(search, tokens, builtTree(explained)).slice(0, -1);
  const lines = steps.map((frame) => `${frame.title}. ${frame.lines.join(' ')}`);
  return [{ title: 'Chu–Liu–Edmonds', lines, tables: [] }];
}

function spanTable({ spans }: EisnerSpans, tokens: readonly ExplainedToken[]): TitledTable {
  const table = tableOf(spans, [
    [text('kind'), ({ isComplete }) => (isComplete ? 'complete' : 'incomplete')],
    [text('head'), ({ head }) => named(tokens, head)],
    [text('end', 'to'), ({ end }) => named(tokens, end)],
    weights('score', 'score'),
  ]);
  const notes = [
    'A complete span consists of complete subtrees, with its head at one end; an incomplete one is an arc between its ends with the words between.',
  ];
  return { title: 'The spans of the best tree, shortest first', table, notes };
}

function partSection(
  parts: NonNullable<Extract<MatrixExplanation, { paradigm: 'graph' }>['parts']>,
  tokens: readonly ExplainedToken[],
): ExplanationSection {
  const table = tableOf(parts, [
    text('kind'),
    [
      text('tokens'),
      ({ kind, tokens: own }) =>
        own
          .map((d, place) =>
            d === 0 && place > (kind === 'grandsiblings' ? 1 : 0) ? 'none' : named(tokens, d),
          )
          .join(' → '),
    ],
    weights('score', 'score'),
  ]);
  return {
    title: 'Parts',
    lines: ['Arcs are scored together with adjacent arcs; the tree’s score is the sum of its parts’ scores.'],
    tables: [{ title: 'The parts of the tree', table, notes: [] }],
  };
}

function arcSection(explained: MatrixExplanation): ExplanationSection[] {
  const { arc, tokens } = explained;
  if (arc === undefined) return [];
  const tables = [...decisionTables('Head', arc.head), ...decisionTables('Label', arc.label)];
  if ('counts' in explained && explained.counts !== undefined)
    tables.push(countTable(explained.counts, tokens));
  return [{ title: `The arc to ${named(tokens, arc.dependent)}`, lines: [], tables }];
}

function countTable(
  counts: NonNullable<Extract<MatrixExplanation, { paradigm: 'bigram' }>['counts']>,
  tokens: readonly ExplainedToken[],
): TitledTable {
  const best = counts.toSorted((a, b) => b.probability - a.probability);
  const table = tableOf(best, [
    [text('head'), ({ head }) => named(tokens, head)],
    figures('forms', 'forms', 0),
    figures('form', 'of form', 0),
    figures('tags', 'tags', 0),
    figures('valency', 'valency', 0),
    figures('tag', 'of tag', 0),
    figures('distance', 'distance', 0),
    figures('probability', 'probability', 6),
  ]);
  const notes = [
    'Probability: (λ · forms / of form + (1 − λ) · (tags + valency + 1) / (of tag + 1)) / distance; λ weighs forms against tags.',
  ];
  return { title: 'Counts behind each head’s probability', table, notes };
}

/** Characters of the heat map, by increasing probability. */
const shades = [' ', '░', '▒', '▓', '█'];
/** The minimum probability for each shade. */
const minimum = [0, 0.005, 0.1, 0.4, 0.8];
/** Width of a column of the heat map in terminal cells. */
const CELL = 3;
const MOST_NAME = 16;

/** Draws the arc probabilities for a terminal (row = head), split into maps of at most `width` cells. */
export function heatMap(explained: MatrixExplanation, width: number): string[] {
  const { marginals, tokens } = explained;
  const tree = builtTree(explained);
  const n = tokens.length - 1;
  const names = tokens.map(({ form }, h) => `${h} ${h === 0 ? '(root)' : form}`);
  const nameWidth = Math.min(MOST_NAME, widest(names));
  const columns = Math.max(1, Math.floor((width - nameWidth - 1) / CELL));
  const lines: string[] = [];
  for (let first = 1; first <= n; first += columns) {
    const last = Math.min(n, first + columns - 1);
    const dependents = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    if (first > 1) lines.push('');
    const numbers = dependents.map((d) => String(d).padStart(CELL));
    lines.push(`${' '.repeat(nameWidth)} ${numbers.join('')}`.trimEnd());
    for (const [h, name] of names.entries()) {
      const cells = dependents.map((d) => cellOf(marginals[h][d], tree.heads[d] === h));
      lines.push(`${pad(truncate(name, nameWidth), nameWidth)} ${cells.join('')}`.trimEnd());
    }
  }
  return lines;
}

export const heatMapLegend = `Row: head, column: dependent; least probability of each shade: ${shades
  .slice(1)
  .map((shade, i) => `${shade} ${minimum[i + 1]}`)
  .join(', ')}; ◆: arcs of the tree.`;

function cellOf(marginal: number | null, isInTree: boolean): string {
  if (marginal === null) return '  ·';
  const shade = shades[minimum.findLastIndex((bound) => marginal >= bound)];
  return ` ${shade}${isInTree ? '◆' : shade}`;
}
