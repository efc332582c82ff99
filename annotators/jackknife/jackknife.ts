import { createHash } from 'node:crypto';
import { Store } from '../../src/files/store.ts';
import { moduleFile, programFrom } from '../../src/program.ts';
import { type TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import { checkedOptions } from '../../src/training/options.ts';
import type { NamedScores, TrainingProgress } from '../../src/training/training-run.ts';
import {
  countOf,
  type PackedSentences,
  packedDigest,
  packSentences,
} from '../../src/treebank/packed-sentences.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { annotatorChooser, taskModule } from '../program.ts';
import { findTask } from '../registry.ts';
import * as fold from './fold.ts';
import { DEFAULT_FOLDS, foldBlocks } from './folds.ts';
import { JackknifedTreebank } from './jackknifed-treebank.ts';

/** What a treebank is jack-knifed by; all but the tasks may be left out. */
export interface JackknifeOptions {
  /** What is learnt and then fills its columns, in this order; options that are left out have their defaults. */
  readonly tasks: readonly { readonly task: string; readonly options?: object | undefined }[];
  /** Blocks that the treebank is cut into; default: 10. */
  readonly folds?: number | undefined;
  readonly seed?: number | undefined;
  /** Folds that are worked on at the same time, each in a thread; default: 1. */
  readonly jobs?: number | undefined;
  /** A folder in which what has been found is kept, so that it need not be found again; default: it is not kept. */
  readonly store?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: TrainingProgress<NamedScores>) => void) | undefined;
}

const foldKind: TaskKind<fold.FoldTask, string> = {
  module: new URL('./fold.js', import.meta.url),
  run: fold.run,
};

/**
 * The same treebank with its columns as annotators fill them that have not learnt from it: it is cut into blocks, and
 * each is annotated by what is learnt from all others (jack-knifing). A parser that will read an annotator's columns is to
 * learn from such ones: from gold columns, or those of an annotator that knows these very sentences, it would learn to
 * trust them too much.
 *
 * The same treebank, tasks, folds and seed give the same columns, whatever `jobs`. In a store a fold goes by the digest
 * of all that it depends on: sentences, tasks with their options, seed, folds, and the code of the annotators.
 *
 * @throws UsageError for an unknown task or option, one that fills no columns, and for fewer sentences than folds
 * @throws InputError for a treebank that cannot be read or learnt from
 */
export async function jackknifed(treebank: Treebank, options: JackknifeOptions): Promise<Treebank> {
  const pool = new TaskPool(options.jobs ?? 1, options.signal);
  try {
    return await jackknifedBy(pool, treebank, await packSentences(treebank, options.signal), options);
  } finally {
    await pool.end();
  }
}

/** As `jackknifed`, of sentences that are packed already, by a pool that may have other tasks, too. */
export async function jackknifedBy(
  pool: TaskPool,
  treebank: Treebank,
  sentences: PackedSentences,
  { tasks: asked, folds = DEFAULT_FOLDS, seed = 1, store: folder, onProgress }: JackknifeOptions,
): Promise<Treebank> {
  const tasks = await Promise.all(asked.map(checkedTask));
  const blocks = foldBlocks(countOf(sentences), folds, treebank.name);
  const store = folder === undefined ? undefined : await Store.open(folder);
  const digest = store && digestOf(sentences, tasks, seed, folds);
  const progress = new FoldProgress(folds, countOf(sentences), onProgress);
  const annotate = async (number: number): Promise<string> => {
    const name = `${digest}-${number + 1}.conllu`;
    const kept = store?.read(name)?.toString();
    const tell = (share: number) => progress.tell(number, share);
    const text = kept ?? (await pool.run(foldKind, { sentences, block: blocks[number], tasks, seed }, tell));
    if (kept === undefined) store?.write(name, Buffer.from(text));
    progress.finish(number);
    return text;
  };
  return new JackknifedTreebank(treebank, await Promise.all(blocks.map((_, number) => annotate(number))));
}

async function checkedTask({
  task,
  options = {},
}: JackknifeOptions['tasks'][number]): Promise<fold.LearntTask> {
  const found = await findTask(task);
  const checked = checkedOptions(found, options);
  return { task, options: (found.foldOptions?.(checked) ?? checked) as object };
}

/** Names all that the folds depend on. */
function digestOf(
  sentences: PackedSentences,
  tasks: readonly fold.LearntTask[],
  ...rest: readonly unknown[]
): string {
  const modules = [moduleFile('annotators/jackknife/fold'), ...tasks.map(({ task }) => taskModule(task))];
  const program = programFrom(modules, new Set([annotatorChooser]));
  return createHash('sha256')
    .update(JSON.stringify([program, packedDigest(sentences), tasks, ...rest]))
    .digest('hex');
}

/** Adds up how much of the folds is done, in whatever order they are. */
class FoldProgress {
  /** Of the folds at work: how much of each is done, from 0 to 1. */
  private readonly shares = new Map<number, number>();
  private finished = 0;

  constructor(
    private readonly folds: number,
    private readonly sentences: number,
    private readonly onProgress: JackknifeOptions['onProgress'],
  ) {}

  tell(fold: number, share: number): void {
    this.shares.set(fold, share);
    const done = [...this.shares.values()].reduce((sum, one) => sum + one, 0);
    this.report(this.finished + 1, done);
  }

  finish(fold: number): void {
    this.shares.delete(fold);
    this.finished++;
    this.report(this.finished, 1, true);
  }

  private report(epoch: number, share: number, isOver = false): void {
    const total = this.sentences;
    const done = Math.round(share * total);
    this.onProgress?.({ unit: 'fold', epoch, epochs: this.folds, done, total, isOver });
  }
}
