/** Parses a fold of a treebank by a parser trained on the others, in a worker thread or in this one. */
import { type SentenceRange, sentencesOutside } from '../../annotators/jackknife/fold.ts';
import { findParadigm } from '../../parsers/registry.ts';
import { yieldToEvents } from '../../src/threads/scheduling.ts';
import type { TaskContext, TaskKind } from '../../src/threads/worker-pool.ts';
import { shareDone, type TrainingProgress } from '../../src/training/training-run.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { unpack } from '../../src/treebank/packed-sentences.ts';
import type { ParserTask } from '../parser-part.ts';
import { trainParser } from '../train-parser.ts';

interface FoldTask extends Omit<ParserTask, 'dev' | 'about'> {
  /** A range in each copy of the sentences, in order. */
  readonly fold: readonly SentenceRange[];
}

/** Trains on all other folds, and returns the ranges of this one as CoNLL-U with predicted trees. */
export async function run(
  { sentences, fold, paradigm, options, seed, modules }: FoldTask,
  { signal, onShare }: TaskContext,
): Promise<string[]> {
  const onProgress = (progress: TrainingProgress) => onShare(shareDone(progress));
  const others = sentencesOutside(sentences, ...fold);
  const asked = { options, seed, signal, onProgress };
  const { parser } = await trainParser(await findParadigm(paradigm, modules), others, asked);
  await yieldToEvents(signal);
  return fold.map(({ from, to }) => {
    let text = '';
    for (const sentence of unpack(sentences, from, to))
      text += formatSentence(sentence, 'conllu', parser.parse(sentence));
    return text;
  });
}

export const foldKind: TaskKind<FoldTask, string[]> = {
  module: new URL('./fold.js', import.meta.url),
  run,
};
