import { type Bin, bins, leastArcs } from '../../evaluate/breakdowns/bins.ts';
import type { BucketScores } from '../../evaluate/breakdowns/breakdown.ts';
import { type BreakdownName, isNumeric } from '../../evaluate/breakdowns/buckets.ts';
import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { labelNotes } from '../../evaluate/comparison/metrics.ts';
import { figures, type TitledTable, tableOf, text } from './table.ts';

interface Standing {
  readonly by: BreakdownName;
  readonly bucket: string;
  readonly gold: number;
  /** F1 of each parser, percent. */
  readonly scores: readonly number[];
}

/** The buckets in which the parsers differ more than overall, most notable first. */
export function standingOutTable(comparison: Comparison, limit: number): TitledTable {
  const { parsers, labelled } = comparison;
  const score = labelled ? 'LAS' : 'UAS';
  return {
    title: `Where the parsers differ most (${score} F1)`,
    table: tableOf(standingOut(comparison).slice(0, limit), [
      [text('by'), ({ by }) => by],
      [text('bucket', 'arcs'), ({ bucket }) => bucket],
      [figures('gold', 'gold', 0), ({ gold }) => gold],
      ...parsers.map(({ name }, i) => [figures(name, name, 2), ({ scores }: Standing) => scores[i]] as const),
    ]),
    notes: [
      `Groups of at least ${leastArcs} gold arcs in which the best and the worst parser differ more than in overall ${score}.`,
      ...labelNotes([labelled ? 'las' : 'uas']),
    ],
  };
}

function standingOut({ parsers, labelled }: Comparison): Standing[] {
  const kind = labelled ? 'labelled' : 'unlabelled';
  const overall = spread(parsers.map(({ report }) => (labelled ? report.las : report.uas)));
  const names = Object.keys(parsers[0].report.breakdowns) as BreakdownName[];
  const all = names.flatMap((by): Standing[] =>
    rowsOf(
      by,
      parsers.map(({ report }) => report.breakdowns[by]!),
    ).map(([first, ...others]) => ({
      by,
      bucket: first.bucket,
      gold: first.gold,
      scores: [first, ...others].map((scores) => scores[kind].f1),
    })),
  );
  // Random differences shrink with the square root of the number of arcs.
  const weight = ({ gold, scores }: Standing) => (spread(scores) - overall) * Math.sqrt(gold);
  return all
    .filter((each) => each.gold >= leastArcs && weight(each) > 0)
    .sort((x, y) => weight(y) - weight(x));
}

const spread = (scores: readonly number[]): number => Math.max(...scores) - Math.min(...scores);

/** All parsers' scores by bucket (numeric ones merged into bins); no buckets that some parser lacks. */
function rowsOf(by: BreakdownName, breakdowns: readonly (readonly BucketScores[])[]): BucketScores[][] {
  const numbers: readonly (readonly Bin[])[] = isNumeric(by) ? bins(breakdowns) : [];
  const others = breakdowns.map((rows) =>
    isNumeric(by) ? rows.filter(({ bucket }) => !/^\d/.test(bucket)) : rows,
  );
  const all = breakdowns.map((_, i) => [...(numbers[i] ?? []), ...others[i]]);
  return all[0]
    .map(({ bucket }) => all.flatMap((rows) => rows.find((row) => row.bucket === bucket) ?? []))
    .filter(({ length }) => length === breakdowns.length);
}
