import { UsageError } from '../../src/errors.ts';
import { giveWay } from '../../src/threads/scheduling.ts';
import type { TaskSurroundings } from '../../src/threads/worker-pool.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { fillsColumns, findTask } from '../registry.ts';
import { type Block, sentencesOutside } from './folds.ts';

/** An annotator to be learnt: its task, and all of its options. */
export interface LearntTask {
  readonly task: string;
  readonly options: object;
}

/** A fold to be annotated by what is learnt from the others. */
export interface FoldTask {
  readonly sentences: PackedSentences;
  readonly block: Block;
  /** Each fills its columns by those that the ones before it have filled. */
  readonly tasks: readonly LearntTask[];
  readonly seed: number;
}

/** Learns from all sentences but those of a block; these, as CoNLL-U, with what is then found for them. */
export async function run(
  { sentences, block, tasks, seed }: FoldTask,
  { signal, onShare }: TaskSurroundings,
): Promise<string> {
  const others = sentencesOutside(sentences, block);
  const annotators: ColumnAnnotator[] = [];
  for (const { task, options } of tasks) {
    const isFirst = annotators.length === 0;
    // The first, a tagger mostly, takes nearly all of the time.
    const onProgress = ({ epoch, epochs, done, total }: TrainingProgress<never>) => {
      if (isFirst) onShare((epoch - 1 + done / total) / epochs);
    };
    const learnt = await (await findTask(task)).train(others, options, { seed, jobs: 1, signal, onProgress });
    if (!fillsColumns(learnt))
      throw new UsageError(`a ${task} fills no columns: there is nothing to jackknife`);
    annotators.push(learnt);
  }
  await giveWay(signal);
  let text = '';
  for (const sentence of unpack(sentences, block.from, block.to)) {
    text += formatSentence({ ...sentence, ...annotationsOf(sentence, annotators) }, 'conllu');
  }
  return text;
}

/** What several annotators find, each by what those before it have found. */
export function annotationsOf(sentence: Sentence, annotators: readonly ColumnAnnotator[]): Annotation {
  let found: Annotation = {};
  for (const annotator of annotators) {
    found = { ...found, ...annotator.annotate({ ...sentence, ...found }) };
  }
  return found;
}
