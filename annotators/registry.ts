import type { z } from 'zod';
import { UsageError } from '../src/errors.ts';
import { Calibration } from '../src/learn/calibration.ts';
import { checkVersion, type ModelReader } from '../src/model/model-reader.ts';
import type { Confidences } from '../src/treebank/columns/confidence.ts';
import type { Sentence } from '../src/treebank/sentence.ts';
import type { AnnotationTask, Annotator, ColumnAnnotator, Tokenizer } from './annotator.ts';
import type { lemmatizerOptions } from './lemmatizer/options.ts';
import { Overrides } from './overrides.ts';
import type { taggerOptions } from './tagger/options.ts';
import type { tokenizerOptions } from './tokenizer/options.ts';

/** The options of each task as programs write them: those with a default may be left out. */
export interface AnnotatorOptions {
  readonly tokenizer: z.input<typeof tokenizerOptions>;
  readonly tagger: z.input<typeof taggerOptions>;
  readonly lemmatizer: z.input<typeof lemmatizerOptions>;
}

export type AnnotatorName = keyof AnnotatorOptions;

/** A task whose modules are imported on demand: annotating does not load what only training needs. */
interface RegisteredTask {
  readonly name: AnnotatorName;
  loader(): Promise<Pick<AnnotationTask, 'load'>>;
  task(): Promise<AnnotationTask>;
}

const registered: readonly RegisteredTask[] = [
  {
    name: 'tokenizer',
    loader: async () => (await import('./tokenizer/tokenizer.ts')).LinearTokenizer,
    task: async () => (await import('./tokenizer/task.ts')).tokenizer as AnnotationTask,
  },
  {
    name: 'tagger',
    loader: async () => (await import('./tagger/tagger.ts')).Tagger,
    task: async () => (await import('./tagger/task.ts')).tagger as AnnotationTask,
  },
  {
    name: 'lemmatizer',
    loader: async () => (await import('./lemmatizer/lemmatizer.ts')).EditTreeLemmatizer,
    task: async () => (await import('./lemmatizer/task.ts')).lemmatizer as AnnotationTask,
  },
];

export const taskNames = (): string[] => registered.map(({ name }) => name);

/** Finds a task by name; throws `UsageError` for an unknown name. */
export async function findTask(name: string): Promise<AnnotationTask> {
  const found = registered.find((entry) => entry.name === name);
  if (found === undefined)
    throw new UsageError(`unknown annotation task ${name}, expected one of ${taskNames().join(', ')}`);
  return found.task();
}

export const isAnnotator = (model: ModelReader): boolean => model.content === 'annotator';

/** Opens the annotator of a model; throws `InputError` if it holds none, or one of an unknown task. */
export async function openAnnotator(model: ModelReader): Promise<Annotator> {
  checkVersion(model);
  model.expectContent('annotator');
  const name = model.fields().text('annotator');
  const found = registered.find((entry) => entry.name === name);
  if (found === undefined)
    return model.refuse(`a model of the task ${name}, expected one of ${taskNames().join(', ')}`);
  const annotator = (await found.loader()).load(model);
  const fields = model.fields();
  if (fields.has('calibration')) annotator.calibration = Calibration.load(fields.fields('calibration'));
  return fillsColumns(annotator) ? Overrides.applied(annotator, model) : annotator;
}

/** Opens the tokenizer of a model; throws `InputError` if it holds something else. */
export async function openTokenizer(model: ModelReader): Promise<Tokenizer> {
  const annotator = await openAnnotator(model);
  if (isTokenizer(annotator)) return annotator;
  return model.refuse(`a ${annotator.task}, expected a tokenizer`);
}

export const isTokenizer = (annotator: Annotator): annotator is Tokenizer => 'open' in annotator;
export const fillsColumns = (annotator: Annotator): annotator is ColumnAnnotator => 'annotate' in annotator;

/** The confidences of the columns that an annotator fills; empty if it has none. */
export function confidencesOfColumns(annotator: ColumnAnnotator, sentence: Sentence): Confidences {
  const found = annotator.confidences?.(sentence);
  if (found === undefined) return {};
  return annotator.writes.includes('lemmas') ? { lemmas: found } : { tags: found };
}

/** Whether a model holds a pipeline, not one parser or annotator. */
export const isPipeline = (model: ModelReader): boolean => model.content === 'pipeline';
