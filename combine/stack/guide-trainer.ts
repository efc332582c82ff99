import { createHash } from 'node:crypto';
import type { Block } from '../../annotators/jackknife/folds.ts';
import { paradigmFile, registeredModules } from '../../parsers/registry.ts';
import { Store } from '../../src/files/store.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { moduleFile, programFrom } from '../../src/program.ts';
import type { TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import type { AboutModel } from '../../src/training/about-model.ts';
import { type PackedSentences, packedDigest } from '../../src/treebank/packed-sentences.ts';
import { KeptModels } from '../training/kept-models.ts';
import * as parserPart from '../training/parser-part.ts';
import * as fold from './fold.ts';
import type { PlannedGuide } from './options.ts';

/** What has been learnt of a guide. */
export interface LearntGuide {
  /** The sentences to learn from with the trees that it finds for what it has not learnt from: as CoNLL-U, in order. */
  readonly blocks: readonly string[];
  /** It itself, learnt from all sentences. */
  readonly model: ModelReader;
}

/** What guides are learnt from, and with. */
export interface GuideRun {
  readonly sentences: PackedSentences;
  /** Folds, each with a block of every copy of the sentences. */
  readonly folds: readonly (readonly Block[])[];
  readonly seed: number;
  readonly pool: TaskPool;
  /** For the headers of their models. */
  readonly about: Pick<AboutModel, 'train'>;
  /** Where finished folds and guides are kept; absent: they are not. */
  readonly store?: string | undefined;
  /** Takes how much of a guide is done, from 0 to 1, and at last whether all of it had been kept from before. */
  onShare(guide: string, share: number, isKept?: boolean): void;
}

const foldKind: TaskKind<fold.FoldTask, string[]> = {
  module: new URL('./fold.js', import.meta.url),
  run: fold.run,
};
const parserKind: TaskKind<parserPart.ParserTask, SharedArrayBuffer> = {
  module: new URL('../training/parser-part.js', import.meta.url),
  run: parserPart.run,
};

/** What names no code but by what it is asked for. */
const choosers: ReadonlySet<string> = new Set([moduleFile('parsers/registry')]);

/**
 * Learns a guide from all sentences, and its trees of them fold by fold from all others: what is learnt from its trees
 * of sentences that it has seen would trust it too much. In a store all of that goes by the digest of what it depends
 * on.
 *
 * @param part what messages call it
 */
export async function learnGuide(
  part: string,
  { paradigm, options }: PlannedGuide,
  { sentences, folds, seed, pool, about, store: folder, onShare }: GuideRun,
): Promise<LearntGuide> {
  const task = { paradigm: paradigm.name, options, seed, sentences, modules: registeredModules() };
  const store = folder === undefined ? undefined : await Store.open(folder);
  const kept = await KeptModels.open(folder);
  const origin = (module: string) => [
    programOf(module, paradigm.name),
    paradigm.name,
    options,
    seed,
    packedDigest(sentences),
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([origin('stack/fold'), folds]))
    .digest('hex');
  const progress = new GuideProgress(folds.length + 1, (share) => onShare(part, share));
  const parsed = async (blocks: readonly Block[], number: number): Promise<readonly string[]> => {
    const names = blocks.map(({ from, to }) => `${digest}-${from + 1}-${to}.conllu`);
    const before = names.flatMap((name) => store?.read(name)?.toString() ?? []);
    if (before.length === names.length) return progress.skip(number, before);
    const texts = await pool.run(foldKind, { ...task, blocks }, (share) => progress.tell(number, share));
    for (const [i, name] of names.entries()) store?.write(name, Buffer.from(texts[i]));
    return texts;
  };
  const learnt = kept.get(part, [...origin('training/parser-part'), about], () => {
    progress.tell(folds.length, 0);
    return pool.run(parserKind, { ...task, about }, (share) => progress.tell(folds.length, share));
  });
  const [{ model, isKept }, ...texts] = await Promise.all([learnt, ...folds.map(parsed)]);
  onShare(part, 1, isKept && progress.isKept);
  return { blocks: inOrder(texts), model };
}

/** The blocks of all folds as the sentences are: those of the first copy, then those of the next. */
function inOrder(folds: readonly (readonly string[])[]): string[] {
  return folds[0].flatMap((_, copy) => folds.map((blocks) => blocks[copy]));
}

function programOf(module: string, paradigm: string) {
  return programFrom([moduleFile(`combine/${module}`), paradigmFile(paradigm)], choosers);
}

/** Adds up how much of several tasks is done. */
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

  /** Of a task that was done before, what came of it. */
  skip<Result>(task: number, result: Result): Result {
    this.shares[task] = 1;
    return result;
  }
}
