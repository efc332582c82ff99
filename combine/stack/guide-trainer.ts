import { createHash } from 'node:crypto';
import type { SentenceRange } from '../../annotators/jackknife/folds.ts';
import { paradigmFile, registeredModules } from '../../parsers/registry.ts';
import { Store } from '../../src/files/store.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import type { TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import type { AboutModel } from '../../src/training/about-model.ts';
import { type PackedSentences, packedDigest } from '../../src/treebank/packed-sentences.ts';
import { KeptModels } from '../kept-models.ts';
import { parserKind } from '../parser-part.ts';
import * as guideFold from './fold.ts';
import type { PlannedGuide } from './options.ts';

export interface TrainedGuide {
  /** The training data as CoNLL-U, range by range in order, with trees by guides trained on the other folds. */
  readonly texts: readonly string[];
  readonly model: ModelReader;
}

export interface GuideRun {
  readonly sentences: PackedSentences;
  /** Folds, each with a range in every copy of the sentences. */
  readonly folds: readonly (readonly SentenceRange[])[];
  readonly seed: number;
  readonly pool: TaskPool;
  readonly about: Pick<AboutModel, 'train'>;
  /** A folder that caches finished folds and guides; absent: no cache. */
  readonly store?: string | undefined;
  /** Takes the progress of a guide, from 0 to 1, and at the end whether all of it came from the cache. */
  onShare(guide: string, share: number, isKept?: boolean): void;
}

const foldKind: TaskKind<guideFold.FoldTask, string[]> = {
  module: new URL('./fold.js', import.meta.url),
  run: guideFold.run,
};

/** What names no code but by what it is asked for. */
const choosers: ReadonlySet<string> = new Set([moduleFile('parsers/registry')]);

/** Trains a guide on all sentences, and one per fold: its trees for sentences it has seen are too good. */
export async function trainGuide(
  part: string,
  { paradigm, options }: PlannedGuide,
  { sentences, folds, seed, pool, about, store: folder, onShare }: GuideRun,
): Promise<TrainedGuide> {
  const task = { paradigm: paradigm.name, options, seed, sentences, modules: registeredModules() };
  const store = folder === undefined ? undefined : await Store.open(folder);
  const kept = await KeptModels.open(folder);
  const origin = (module: string) => {
    const program = programFrom([moduleFile(`combine/${module}`), paradigmFile(paradigm.name)], choosers);
    return [program, paradigm.name, options, seed, packedDigest(sentences)];
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([origin('stack/fold'), folds]))
    .digest('hex');
  const progress = new GuideProgress(folds.length + 1, (share) => onShare(part, share));
  const parsed = async (fold: readonly SentenceRange[], number: number): Promise<readonly string[]> => {
    const names = fold.map(({ from, to }) => `${digest}-${from + 1}-${to}.conllu`);
    const before = names.flatMap((name) => store?.read(name)?.toString() ?? []);
    if (before.length === names.length) return progress.skip(number, before);
    const texts = await pool.run(foldKind, { ...task, fold }, (share) => progress.tell(number, share));
    for (const [i, name] of names.entries()) store?.write(name, Buffer.from(texts[i]));
    return texts;
  };
  const trained = kept.get(part, [...origin('parser-part'), about], () => {
    progress.tell(folds.length, 0);
    return pool.run(parserKind, { ...task, about }, (share) => progress.tell(folds.length, share));
  });
  const [{ model, isKept }, ...texts] = await Promise.all([trained, ...folds.map(parsed)]);
  onShare(part, 1, isKept && progress.isKept);
  return { texts: inOrder(texts), model };
}

/** The texts of all folds in the order of the sentences: those of the first copy, then those of the next. */
function inOrder(folds: readonly (readonly string[])[]): string[] {
  return folds[0].flatMap((_, copy) => folds.map((texts) => texts[copy]));
}

class GuideProgress {
  private readonly shares: Float64Array;
  isKept = true;

  constructor(
    tasks: number,
    private readonly onShare: (share: number) => void,
  ) {
    this.shares = new Float64Array(tasks);
  }

  tell(task: number, share: number): void {
    this.isKept = false;
    this.shares[task] = share;
    this.onShare(this.shares.reduce((sum, one) => sum + one, 0) / this.shares.length);
  }

  /** Counts a task as done whose result came from the cache. */
  skip<Result>(task: number, result: Result): Result {
    this.shares[task] = 1;
    return result;
  }
}
