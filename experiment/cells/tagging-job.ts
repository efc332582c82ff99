import { join } from 'node:path';
import type { ColumnAnnotator } from '../../annotators/annotator.ts';
import { annotated } from '../../annotators/jackknife/fold.ts';
import { jackknifed } from '../../annotators/jackknife/jackknife.ts';
import { fillsColumns, findTask } from '../../annotators/registry.ts';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { scoredColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { shareDone } from '../../src/training/training-run.ts';
import { isFilled, type Sentence, type Treebank } from '../../src/treebank/sentence.ts';
import { eachChanged } from '../../src/treebank/treebanks.ts';
import type { TaggingJob } from '../jobs/job.ts';
import { openSelection, type SelectedTreebank } from '../jobs/selection.ts';
import type { JobContext, JobOutput } from './job-output.ts';

/** Trains a tagger and, if there are lemmas, a lemmatizer, and annotates the test sentences; trees stay gold. */
export async function tagSentences(job: TaggingJob, context: JobContext): Promise<JobOutput> {
  const test = await openSelection(job.test);
  const learn = await openSelection(job.learn);
  const tasks = (await hasLemmas(learn)) ? (['tagger', 'lemmatizer'] as const) : (['tagger'] as const);
  const started = performance.now();
  const { folds } = job;
  const found =
    folds === undefined
      ? annotated(untagged(test), await trainAnnotators(tasks, learn, job, context))
      : await inFolds(folds, tasks, learn, job, context);
  const trained = performance.now();
  const trees = await collected(test, found);
  const [seconds, parseSeconds] = [trained - started, performance.now() - trained].map((ms) => ms / 1000);
  return { trees, seconds, parseSeconds, notices: [] };
}

async function trainAnnotators(
  tasks: readonly string[],
  sentences: Treebank,
  { seed }: TaggingJob,
  { cores, onProgress }: JobContext,
): Promise<ColumnAnnotator[]> {
  const annotators: ColumnAnnotator[] = [];
  for (const task of tasks) {
    // The tagger takes almost all of the time, so that only its progress is shown.
    const report = task === 'tagger' ? onProgress : undefined;
    const { annotator } = await trainAnnotator(await findTask(task), sentences, {
      seed,
      jobs: cores,
      onProgress: (progress) => report?.(shareDone(progress)),
    });
    if (fillsColumns(annotator)) annotators.push(annotator);
  }
  return annotators;
}

/** Jack-knifes: annotates each fold by annotators trained on the others. Finished folds are cached. */
function inFolds(
  folds: number,
  tasks: readonly ('tagger' | 'lemmatizer')[],
  sentences: Treebank,
  { seed }: TaggingJob,
  { cache, cores, onProgress }: JobContext,
): Promise<Treebank> {
  return jackknifed(sentences, {
    tasks: tasks.map((task) => ({ task })),
    folds,
    seed,
    jobs: cores,
    store: join(cache.folder, 'folds'),
    onProgress: (progress) => onProgress?.(shareDone(progress)),
  });
}

async function collected(gold: SelectedTreebank, found: Treebank): Promise<JobOutput['trees']> {
  const trees = { gold: [] as Sentence[], predicted: [] as Sentence[] };
  for await (const sentence of gold) trees.gold.push(sentence);
  for await (const sentence of found) trees.predicted.push(sentence);
  return { ...trees, phrases: undefined, format: gold.format };
}

async function hasLemmas(treebank: Treebank): Promise<boolean> {
  for await (const { lemmas } of treebank) if (isFilled(lemmas)) return true;
  return false;
}

/** Blanks tags and lemmas, so that columns the annotators do not fill stay empty instead of gold. */
const untagged = (treebank: Treebank): Treebank =>
  eachChanged(treebank, (sentence) => {
    const blank = sentence.forms.map((_, d) => (d === 0 ? '' : '_'));
    return { ...sentence, ...Object.fromEntries(scoredColumns.map((column) => [column, blank])) };
  });
