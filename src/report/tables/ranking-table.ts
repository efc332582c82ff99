import type { RankedParsers } from './answer.ts';
import { figures, tableOf, text } from './table.ts';
import type { TitledTable } from './titled-table.ts';

/** The parsers from the best to the worst, with a letter for each group that the tests cannot tell apart. */
export function rankingTable({ names, title, scores, ranking }: RankedParsers): TitledTable {
  const letters = groupLetters(ranking.groups, names.length);
  const table = tableOf(ranking.order, [
    [text('parser'), (i) => names[i]],
    [figures('score', title, 2), (i) => scores[i]],
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
