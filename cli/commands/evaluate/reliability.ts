import type { Reliability } from '../../../src/evaluate/breakdowns/reliability.ts';
import { reliabilityNote, reliabilityTable } from '../../../src/report/tables/evaluation-tables.ts';
import { warn } from '../../terminal/output.ts';
import { fileBreakdown } from './breakdown.ts';
import type { FileTable } from './print.ts';

/** Whether a file's confidences come true; nothing, and a warning, where it has none. */
export function fileReliability(file: string, reliability: Reliability | undefined): FileTable[] {
  if (reliability === undefined) {
    warn(`${file}: no confidences in MISC; parse --confidence and vote --confidence write them`);
    return [];
  }
  const breakdown = fileBreakdown(file, 'confidence', reliabilityTable(reliability));
  return [{ ...breakdown, notes: [reliabilityNote(reliability)] }];
}
