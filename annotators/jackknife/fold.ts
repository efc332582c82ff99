import { OptionError, UsageError } from '../../src/errors.ts';
import { yieldToEvents } from '../../src/threads/scheduling.ts';
import type { TaskContext } from '../../src/threads/worker-pool.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import { asBlock } from '../../src/treebank/columns/comments.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { countOf, type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { eachChanged } from '../../src/treebank/treebanks.ts';
import type { Annotation, ColumnAnnotator } from '../annotator.ts';
import { fillsColumns, findTask } from '../registry.ts';

/** An annotator to be trained: its task, and all of its options. */
export type PlannedAnnotator = { readonly task: string; readonly options: object };

export interface FoldTask {
  readonly sentences: PackedSentences;
  readonly fold: SentenceRange;
  /** In order: each annotator reads the columns that the previous ones have filled. */
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
  await yieldToEvents(signal);
  let text = '';
  for (const sentence of unpack(sentences, fold.from, fold.to))
    text += asBlock(formatSentence({ ...sentence, ...annotationsOf(sentence, annotators) }, 'conllu'));
  return text;
}

/** The columns that several annotators predict, each reading the columns of the previous ones. */
function annotationsOf(sentence: Sentence, annotators: readonly ColumnAnnotator[]): Annotation {
  let found: Annotation = {};
  for (const annotator of annotators) found = { ...found, ...annotator.annotate({ ...sentence, ...found }) };
  return found;
}

/** Wraps a treebank: annotators fill columns of each sentence as it is read. */
export const annotated = (treebank: Treebank, annotators: readonly ColumnAnnotator[]): Treebank =>
  eachChanged(treebank, (sentence) => ({ ...sentence, ...annotationsOf(sentence, annotators) }));

/** A range of sentences: `from` up to `to` (exclusive). */
export type SentenceRange = { readonly from: number; readonly to: number };
export const DEFAULT_FOLDS = 10;

/** Folds of nearly equal size, contiguous because neighbouring sentences share words. Throws `OptionError`. */
export function foldRanges(sentences: number, folds: number, file: string): SentenceRange[] {
  if (!Number.isInteger(folds) || folds < 2)
    throw new OptionError((option) => `${option('folds', folds)}: expected 2 or more`);
  if (sentences < folds) {
    const has = sentences === 1 ? '1 sentence' : `${sentences} sentences`;
    throw new OptionError((option) => `${option('folds', folds)}: ${file} has ${has}, fewer than folds`);
  }
  const start = (fold: number) => Math.floor((fold * sentences) / folds);
  return Array.from({ length: folds }, (_, fold) => ({ from: start(fold), to: start(fold + 1) }));
}

/** The sentences outside some ranges, which must be in order. */
export function sentencesOutside(sentences: PackedSentences, ...ranges: readonly SentenceRange[]): Treebank {
  return {
    name: sentences.name,
    async *[Symbol.asyncIterator]() {
      let next = 0;
      for (const { from, to } of ranges) {
        yield* unpack(sentences, next, from);
        next = to;
      }
      yield* unpack(sentences, next, countOf(sentences));
    },
  };
}
