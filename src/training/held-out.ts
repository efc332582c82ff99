import { AttachmentCounts } from '../evaluate/attachment/attachment-counts.ts';
import { flatten } from '../evaluate/parseval/flat-tree.ts';
import { PhraseCounts } from '../evaluate/parseval/phrase-counts.ts';
import { phraseScorers, scoreSentence } from '../evaluate/parseval/scorers.ts';
import type { PhraseTree } from '../treebank/brackets/phrase-tree.ts';
import type { EpochScores } from './training-run.ts';

/** A tree with its labels, as strings or as numbers. */
interface LabelledTree {
  readonly heads: Int32Array;
  readonly labels: ArrayLike<string | number>;
  readonly phrases?: PhraseTree | undefined;
}

/**
 * How good the trees are that are found for held-out sentences: attachment scores, punctuation included, and
 * the F1 of brackets (as EVALB counts) where phrases are found and known. A signal ends it.
 */
export async function scoreHeldOut<Sentence extends LabelledTree & { readonly length: number }>(
  heldOut: Iterable<Sentence> | AsyncIterable<Sentence>,
  find: (sentence: Sentence) => LabelledTree,
  signal?: AbortSignal,
): Promise<EpochScores> {
  const arcs = new AttachmentCounts();
  const brackets = new PhraseCounts();
  for await (const gold of heldOut) {
    signal?.throwIfAborted();
    const found = find(gold);
    arcs.add(gold.heads, gold.labels, found.heads, found.labels, gold.length);
    if (gold.phrases !== undefined && found.phrases !== undefined) {
      addBrackets(brackets, gold.phrases, found.phrases);
    }
  }
  const { sentences, f1 } = brackets.figures();
  return { uas: arcs.uas, las: arcs.las, ...(sentences > 0 && { f1 }) };
}

function addBrackets(counts: PhraseCounts, gold: PhraseTree, found: PhraseTree): void {
  const score = scoreSentence(phraseScorers.evalb, flatten({ tree: gold }), flatten({ tree: found }));
  if (score.words > 0) counts.add(score);
}
