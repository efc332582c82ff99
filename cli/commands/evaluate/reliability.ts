import type { Reliability } from '../../../src/evaluate/breakdowns/reliability.ts';
import { reliabilityNote, reliabilityTable } from '../../../src/report/tables/reliability-table.ts';
import { print, warn } from '../../terminal/output.ts';
import { printBreakdown } from './breakdown.ts';

/** Whether a file's confidences come true. */
export function printReliability(file: string, reliability: Reliability | undefined): void {
  if (reliability === undefined) {
    warn(`${file}: no confidences in MISC; parse --confidence and vote --confidence write them`);
    return;
  }
  printBreakdown(file, 'confidence', reliabilityTable(reliability));
  print(`\n${reliabilityNote(reliability)}`);
}
