import { figures, type Table, text } from '../src/report/tables/table.ts';
import { candidateOf } from './cross-validation/candidate.ts';
import type { Fold } from './cross-validation/folds.ts';
import { measureFold } from './cross-validation/measure.ts';
import type { ParserBench, ParserRow } from './parsers.ts';
import { ewt, found, partsOf, realTreebanks } from './real-treebanks.ts';

/** How good a parser is on the dev parts of treebanks of many kinds. */
export interface AccuracyRow {
  readonly parser: string;
  readonly treebanks: readonly { readonly name: string; readonly uas: number; readonly las: number }[];
  /** Over the treebanks, each counted once. */
  readonly uas: number;
  readonly las: number;
}

/** Trains every parser once on every treebank that is here; `measured` has some of the figures already. */
export async function benchAccuracy(
  benches: readonly ParserBench[],
  measured: readonly ParserRow[],
): Promise<AccuracyRow[]> {
  const here = found(realTreebanks);
  if (here.length === 0) return [];
  const parts = new Map<string, Fold>();
  for (const treebank of here) parts.set(treebank.name, await partsOf(treebank));
  const rows: AccuracyRow[] = [];
  for (const bench of benches) {
    const treebanks: AccuracyRow['treebanks'][number][] = [];
    for (const { name } of here) {
      const known = measured.find(({ treebank, parser }) => treebank === name && parser === bench.name);
      treebanks.push({ name, ...(known ?? (await accuracyOf(bench, parts.get(name)!))) });
    }
    const mean = (score: 'uas' | 'las') =>
      treebanks.reduce((sum, scores) => sum + scores[score], 0) / treebanks.length;
    const scores = treebanks.map(({ name, uas, las }) => ({ name, uas, las }));
    rows.push({ parser: bench.name, treebanks: scores, uas: mean('uas'), las: mean('las') });
  }
  return rows;
}

async function accuracyOf({ arguments: [name, ...words] }: ParserBench, parts: Fold) {
  const { scores } = await measureFold(await candidateOf(name, words.join(' ')), parts, {
    seed: 1,
    everyEpoch: false,
  });
  return scores[0];
}

/** UD English EWT, the mean over all treebanks, and LAS on each. */
export function accuracyTable(rows: readonly AccuracyRow[]): Table {
  const names = rows[0].treebanks.map(({ name }) => name);
  const columns = [
    text('parser'),
    ...[figures('ewtUas', 'EWT UAS', 2), figures('ewtLas', 'EWT LAS', 2)],
    ...[figures('uas', `mean UAS of ${names.length}`, 2), figures('las', 'mean LAS', 2)],
    ...names.map((name) => figures(name, `${name} LAS`, 2)),
  ];
  return {
    columns,
    rows: rows.map(({ parser, treebanks, uas, las }) => {
      const english = treebanks.find(({ name }) => name === ewt.name);
      return [
        parser,
        english?.uas ?? null,
        english?.las ?? null,
        uas,
        las,
        ...treebanks.map(({ las }) => las),
      ];
    }),
  };
}
