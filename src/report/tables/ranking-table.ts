import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { metrics } from '../../evaluate/comparison/metrics.ts';
import { figures, tableOf, text } from './table.ts';
import type { TitledTable } from './titled-table.ts';

/** The parsers from the best to the worst, with a letter for each group that the tests cannot tell apart. */
export function rankingTable({ parsers, ranking }: Comparison): TitledTable {
  const { title, score } = metrics[ranking.metric];
  const letters = groupLetters(ranking.groups, parsers.length);
  const table = tableOf(ranking.order, [
    [text('parser'), (i) => parsers[i].name],
    [figures('score', title, 2), (i) => score(parsers[i].report)],
    [text('group'), (i) => letters[i]],
  ]);
  return { title: `Ranking by ${title}`, table, notes: [groupNote] };
}

export const groupNote = 'Parsers that share a letter do not differ significantly.';

/** Of each parser the letters of its groups: `a` of the best, `ab` of one that belongs to the next one, too. */
export function groupLetters(groups: readonly (readonly number[])[], parsers: number): string[] {
  const names = groups.map((_, group) => letterOf(group));
  const separator = groups.length > alphabet ? ' ' : '';
  return Array.from({ length: parsers }, (_, parser) =>
    names.filter((_, group) => groups[group].includes(parser)).join(separator),
  );
}

const alphabet = 26;

/** `a` to `z`, then `a2` and so on. */
function letterOf(group: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (group % alphabet));
  return group < alphabet ? letter : `${letter}${Math.floor(group / alphabet) + 1}`;
}
