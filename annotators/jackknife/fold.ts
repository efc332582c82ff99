import { UsageError } from '../../src/errors.ts';
import { giveWay } from '../../src/threads/scheduling.ts';
import type { TaskContext } from '../../src/threads/worker-pool.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { fillsColumns, findTask } from '../registry.ts';
import { type SentenceRange, sentencesOutside } from './folds.ts';

/** An annotator to be trained: its task, and all of its options. */
export interface PlannedAnnotator {
  readonly task: string;
  readonly options: object;
}

export interface FoldTask {
  readonly sentences: PackedSentences;
  readonly fold: SentenceRange;
  /** They run in this order, each on the columns filled by those before it. */
  readonly tasks: readonly PlannedAnnotator[];
  readonly seed: number;
}

/** Trains on all other folds, and returns the annotated sentences of this one as CoNLL-U. */
export async function run(
  { sentences, fold, tasks, seed }: FoldTask,
  { signal, onShare }: TaskContext,
): Promise<string> {
  const others = sentencesOutside(sentences, fold);
  const annotators: ColumnAnnotator[] = [];
  for (const { task, options } of tasks) {
    const isFirst = annotators.length === 0;
    // The first, usually a tagger, takes nearly all of the time.
    const onProgress = ({ epoch, epochs, done, total }: TrainingProgress<never>) => {
      if (isFirst) onShare((epoch - 1 + done / total) / epochs);
    };
    const learning = { seed, jobs: 1, signal, onProgress };
    const annotator = await (await findTask(task)).train(others, options, learning);
    if (!fillsColumns(annotator))
      throw new UsageError(`a ${task} fills no columns: there is nothing to jackknife`);
    annotators.push(annotator);
  }
  await giveWay(signal);
  let text = '';
  for (const sentence of unpack(sentences, fold.from, fold.to)) {
    text += formatSentence({ ...sentence, ...annotationsOf(sentence, annotators) }, 'conllu');
  }
  return text;
}

/** The columns that several annotators predict, each given the columns of those before it. */
export function annotationsOf(sentence: Sentence, annotators: readonly ColumnAnnotator[]): Annotation {
  let found: Annotation = {};
  for (const annotator of annotators) {
    found = { ...found, ...annotator.annotate({ ...sentence, ...found }) };
  }
  return found;
}
