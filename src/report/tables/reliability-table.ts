import type { Reliability, ReliabilityBin } from '../../evaluate/breakdowns/reliability.ts';
import { figures, type Table, tableOf, text } from './table.ts';

/** One row for each tenth of confidences that some arcs have. */
export function reliabilityTable({ bins }: Reliability): Table {
  const filled = bins.filter(({ arcs }) => arcs > 0);
  return tableOf<ReliabilityBin>(filled, [
    [text('bucket', 'confidence'), ({ bucket }) => bucket],
    [figures('arcs', 'arcs', 0), ({ arcs }) => arcs],
    [figures('confidence', 'mean', 2), ({ confidence }) => confidence],
    [figures('uas', 'UAS', 2), ({ uas }) => uas],
  ]);
}

/** What there is to say beside the table. */
export function reliabilityNote({ calibrationError, uas, uasWithoutLeast }: Reliability): string {
  const gain = (uasWithoutLeast - uas).toFixed(2);
  const error = `Expected calibration error: ${calibrationError.toFixed(2)} points`;
  return `${error}. UAS without the tenth of the arcs that is the least sure: ${uasWithoutLeast.toFixed(2)} (+${gain}).`;
}
