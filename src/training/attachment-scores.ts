import type { EpochScores } from '../../parsers/parser.ts';
import { AttachmentCounts } from '../evaluate/attachment/attachment-counts.ts';
import type { DependencyTree, Sentence, Treebank } from '../treebank/sentence.ts';

/** How good the dependencies are that a parser finds in held-out data, punctuation included. */
export async function attachmentScores(
  parse: (sentence: Sentence) => DependencyTree,
  heldOut: Treebank,
  signal?: AbortSignal,
): Promise<EpochScores> {
  const counts = new AttachmentCounts();
  for await (const sentence of heldOut) {
    signal?.throwIfAborted();
    const { heads, labels } = parse(sentence);
    counts.add(sentence.heads, sentence.labels, heads, labels, sentence.length);
  }
  return { uas: counts.uas, las: counts.las };
}
