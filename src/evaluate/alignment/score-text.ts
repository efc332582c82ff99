import type { Sentence } from '../../treebank/sentence.ts';
import { UdCounts } from '../attachment/ud-counts.ts';
import { alignedRows } from './aligned-rows.ts';
import type { TextScores } from './counts.ts';

/**
 * Scores a text that has been split into tokens, words and sentences in another way than gold, as UD's `eval.py`
 * does. The sentences need not have trees.
 *
 * @throws InputError where the texts are not the same, blanks apart
 */
export async function scoreText(
  gold: AsyncIterable<Sentence>,
  predicted: AsyncIterable<Sentence>,
  signal?: AbortSignal,
): Promise<TextScores> {
  const counts = new UdCounts();
  for await (const row of alignedRows(gold, [predicted], 'words')) {
    signal?.throwIfAborted();
    counts.add(row.gold, row.counterparts[0]);
  }
  return counts.text();
}
