import { checkFields } from '../../src/checks.ts';
import { digestOf, jsonDigest } from '../../src/digest.ts';
import { InputError } from '../../src/errors.ts';
import { Store } from '../../src/files/store.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import { type TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import { checkedOptions } from '../../src/training/options.ts';
import type { NamedScores, RunOptions, TrainingProgress } from '../../src/training/training-run.ts';
import type { PackedSentences } from '../../src/treebank/packed-sentences.ts';
import { countOf, packedDigest, packSentences } from '../../src/treebank/packed-sentences.ts';
import { sentencesIn } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { type AnnotatorName, type AnnotatorOptions, findTask } from '../registry.ts';
import { annotatorRegistry, taskModule } from '../train-annotator.ts';
import * as fold from './fold.ts';
import { DEFAULT_FOLDS, foldRanges, type SentenceRange } from './fold.ts';

/** A task that fills columns, and its options. */
export type ColumnTask<Name extends AnnotatorName = Exclude<AnnotatorName, 'tokenizer'>> =
  Name extends AnnotatorName
    ? { readonly task: Name; readonly options?: AnnotatorOptions[Name] | undefined }
    : never;

export interface JackknifeOptions extends RunOptions<'seed' | 'jobs' | 'signal'> {
  /** The annotators to train, which fill their columns in this order; missing options have their defaults. */
  readonly tasks: readonly ColumnTask[];
  /** Number of folds; default: 10. */
  readonly folds?: number | undefined;
  /** A folder that caches finished folds; default: no cache. */
  readonly store?: string | undefined;
  readonly onProgress?: ((progress: TrainingProgress<NamedScores>) => void) | undefined;
}

const foldKind: TaskKind<fold.FoldTask, string> = {
  module: new URL('./fold.js', import.meta.url),
  run: fold.run,
};

/**
 * Jackknifes a treebank: divides it into folds, and annotates each with annotators trained on the others. A parser that will
 * read predicted columns should be trained on jackknifed ones: gold columns, or columns predicted by an annotator trained on the
 * same sentences, have too few errors, and it would rely on them too much.
 *
 * The same treebank, tasks, folds and seed give the same columns, whatever `jobs`. A cached fold is named by a digest of
 * everything it depends on: sentences, tasks with their options, seed, folds, and the code of the annotators.
 *
 * @throws UsageError for an unknown task or option, a task that fills no columns, and fewer sentences than folds
 * @throws InputError for a treebank that cannot be read or trained on
 */
export async function jackknifed(treebank: Treebank, options: JackknifeOptions): Promise<Treebank> {
  const fields = ['tasks', 'folds', 'seed', 'jobs', 'store', 'signal', 'onProgress'] as const;
  checkFields<keyof JackknifeOptions>('jackknifed', options, fields);
  const pool = new TaskPool(options.jobs ?? 1, options.signal);
  try {
    return await jackknifedBy(pool, treebank, await packSentences(treebank, options.signal), options);
  } finally {
    await pool.end();
  }
}

interface PackedOptions extends Omit<JackknifeOptions, 'tasks'> {
  readonly tasks: readonly AskedTask[];
}
type AskedTask = { readonly task: string; readonly options?: object | undefined };

/** Does the same for packed sentences, in a given pool. */
export async function jackknifedBy(
  pool: TaskPool,
  treebank: Treebank,
  sentences: PackedSentences,
  { tasks: asked, folds = DEFAULT_FOLDS, seed = 1, store: folder, onProgress }: PackedOptions,
): Promise<Treebank> {
  const tasks = await Promise.all(asked.map(checkedTask));
  const total = countOf(sentences);
  const ranges = foldRanges(total, folds, treebank.name);
  const store = await Store.open(folder);
  const digest = store && foldsDigest(sentences, tasks, seed, folds);
  /** Progress of each running fold, from 0 to 1. */
  const shares = new Map<number, number>();
  let finished = 0;
  const report = (epoch: number, share: number, isOver: boolean) =>
    onProgress?.({ unit: 'fold', epoch, epochs: folds, done: Math.round(share * total), total, isOver });
  const annotate = async (fold: SentenceRange, number: number): Promise<string> => {
    const name = `${digest}-${number + 1}.conllu`;
    const cached = store?.read(name)?.toString();
    const onShare = (share: number) => {
      shares.set(number, share);
      const done = [...shares.values()].reduce((sum, one) => sum + one, 0);
      report(finished + 1, done, false);
    };
    const text = cached ?? (await pool.run(foldKind, { sentences, fold, tasks, seed }, onShare));
    if (cached === undefined) store?.write(name, Buffer.from(text));
    shares.delete(number);
    report(++finished, 1, true);
    return text;
  };
  return withPredicted(treebank, await Promise.all(ranges.map(annotate)));
}

async function checkedTask({ task, options = {} }: AskedTask) {
  const found = await findTask(task);
  const checked = checkedOptions(found, options);
  return { task, options: (found.foldOptions?.(checked) ?? checked) as object };
}

function foldsDigest(
  sentences: PackedSentences,
  tasks: readonly fold.PlannedAnnotator[],
  ...rest: readonly unknown[]
): string {
  const modules = [moduleFile('annotators/jackknife/fold'), ...tasks.map(({ task }) => taskModule(task))];
  const program = programFrom(modules, new Set([annotatorRegistry]));
  return jsonDigest([program, packedDigest(sentences), tasks, ...rest]);
}

/**
 * A treebank whose lemmas and tags are replaced by the predicted ones of its folds, given as CoNLL-U. The digest of the folds
 * distinguishes it from the treebank with its own columns.
 */
function withPredicted(treebank: Treebank, folds: readonly string[]): Treebank {
  const { name, limit } = treebank;
  return {
    name,
    limit,
    digest: digestOf(folds),
    async *[Symbol.asyncIterator]() {
      const annotated = sentencesIn(folds, name);
      for await (const sentence of treebank) {
        const found = annotated.next().value;
        if (found?.length !== sentence.length)
          throw new InputError('changed since its folds were annotated', { file: name });
        const { lemmas, upos, xpos, feats } = found;
        yield { ...sentence, lemmas, upos, xpos, feats };
      }
    },
  };
}
