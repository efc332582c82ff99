import type { TextBatch } from '../../src/treebank/reading/blocks.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { Parser } from '../parser.ts';
import { ColumnCheck, type MissingColumnOptions } from './column-check.ts';

/**
 * The first batches of an input, as many as it takes to see whether it has what the parser was trained to read:
 * one, mostly.
 *
 * @throws OptionError where it lacks something of that, unless that is allowed
 */
export async function lookAhead(
  parser: Pick<Parser, 'reads' | 'filled'>,
  batches: AsyncIterator<TextBatch>,
  { format, ...missing }: MissingColumnOptions & { readonly format: TreebankFormat },
): Promise<TextBatch[]> {
  const check = new ColumnCheck(parser);
  const read: TextBatch[] = [];
  while (!check.isDone) {
    const { value: batch, done } = await batches.next();
    if (done) break;
    read.push(batch);
    // What is malformed is found, and told, when it is parsed.
    for (const one of readBatch(batch, { format, expect: 'tokens', skipInvalid: true })) check.look(one);
  }
  if (read.length > 0) check.settle(read[0].file, missing);
  return read;
}
