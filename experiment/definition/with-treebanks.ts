import type { Experiment } from './experiment.ts';
import type { Entry, TreebankChoice } from './schema.ts';

/** A treebank to put into a table, and what to call it there. */
export interface NamedTreebank {
  readonly name: string;
  readonly treebank: TreebankChoice;
}

/**
 * The same table of other treebanks. They take the place of the treebanks along the rows or the columns,
 * where these name some; an entry for one of the same treebanks stays with all it says. Else one treebank is
 * that of all cells, and several make a column each, of every column that there is.
 */
export function withTreebanks(experiment: Experiment, treebanks: readonly NamedTreebank[]): Experiment {
  const { rows, columns, defaults } = experiment;
  if (rows?.some(namesTreebank)) return { ...experiment, rows: replaced(rows, treebanks) };
  if (columns?.some(namesTreebank)) return { ...experiment, columns: replaced(columns, treebanks) };
  if (treebanks.length === 1) {
    return { ...experiment, defaults: { ...defaults, treebank: treebanks[0].treebank } };
  }
  const crossed = treebanks.flatMap(({ name, treebank }) =>
    columns === undefined
      ? [{ name, treebank }]
      : columns.map((column) => ({ ...column, treebank, name: `${name}, ${column.name}` })),
  );
  return { ...experiment, columns: crossed };
}

function namesTreebank({ treebank }: Entry): boolean {
  return treebank !== undefined;
}

function replaced(axis: readonly Entry[], treebanks: readonly NamedTreebank[]): Entry[] {
  return treebanks.map((one) => axis.find(({ treebank }) => treebank === one.treebank) ?? { ...one });
}
