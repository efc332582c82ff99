import { foldRanges, type SentenceRange } from '../../annotators/jackknife/fold.ts';
import { type Guide, GuidedParser } from '../../parsers/guided-parser.ts';
import type { Paradigm, Parser } from '../../parsers/parser.ts';
import type { ParadigmName, ParadigmOptions } from '../../parsers/registry.ts';
import { findParadigm, openParser, paradigmFile, registeredModules } from '../../parsers/registry.ts';
import { checkFields } from '../../src/checks.ts';
import { digestOf, jsonDigest } from '../../src/digest.ts';
import { OptionError } from '../../src/errors.ts';
import { Store } from '../../src/files/store.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import { TaskPool } from '../../src/threads/worker-pool.ts';
import { type AboutModel, recordOf } from '../../src/training/about-model.ts';
import { checkedOptions } from '../../src/training/options.ts';
import { runFields } from '../../src/training/training-run.ts';
import type { PackedSentences } from '../../src/treebank/packed-sentences.ts';
import { countOf, packedDigest, packedTreebank, packSentences } from '../../src/treebank/packed-sentences.ts';
import { sentencesIn } from '../../src/treebank/reading/treebank-file.ts';
import type { DependencyTree, Treebank } from '../../src/treebank/sentence.ts';
import { eachChanged } from '../../src/treebank/treebanks.ts';
import { cachedModel } from '../model-cache.ts';
import { type PartProgress, parserKind } from '../parser-part.ts';
import type { TrainedParser, TrainingTreebank, TrainParserOptions } from '../train-parser.ts';
import { openTrainingTreebanks, trainOpened, trainParser } from '../train-parser.ts';
import { foldKind } from './fold.ts';
import { guidesOf, type PlannedGuide, type StackingOptions } from './options.ts';

/** Options of `trainStacked`; all are optional. */
export interface TrainStackedOptions<Options = object> extends TrainParserOptions<Options> {
  /** The guides, each with its own options, and the number of folds for their trees. */
  readonly stacking?: StackingOptions | undefined;
  /**
   * Number of copies of its sentences that the treebank holds, one after another. All copies of a sentence go into one fold, so
   * that no guide parses a copy of a sentence that it was trained on. Default: 1.
   */
  readonly copies?: number | undefined;
  /** A folder that caches finished folds and guides; default: no cache. */
  readonly store?: string | undefined;
  /** Takes the progress of the guides: `guide-1`, … */
  onPart?(progress: PartProgress): void;
}

/**
 * Trains a parser that takes the trees of others, its guides, as features (stacking: Nivre & McDonald 2008, P08-1108;
 * Martins, Das, Smith & Xing 2008, D08-1017). In training, the trees come from guides trained on other folds
 * (cross-training); afterwards, from guides trained on all sentences. Without guides this is `trainParser`. The same
 * treebank, options and seed give the same parser, byte for byte, whatever `jobs` and whatever was cached.
 *
 * @param treebank training data, or their file or files
 * @throws UsageError for an unknown paradigm or option, a value out of range, or options that contradict each
 *   other or the data
 * @throws InputError for a treebank that cannot be read or trained on
 */
export function trainStacked<Options>(
  paradigm: Paradigm<Options>,
  treebank: TrainingTreebank,
  options?: TrainStackedOptions<Partial<Options>>,
): Promise<TrainedParser>;
export function trainStacked<Name extends ParadigmName>(
  paradigm: Name,
  treebank: TrainingTreebank,
  options?: TrainStackedOptions<ParadigmOptions[Name]>,
): Promise<TrainedParser>;
export async function trainStacked(
  name: string | Paradigm,
  treebank: TrainingTreebank,
  { stacking = {}, copies = 1, store, onPart, ...run }: TrainStackedOptions = {},
): Promise<TrainedParser> {
  const fields = ['options', 'stacking', 'copies', 'store', 'onMember', 'onPart', ...runFields];
  checkFields('trainStacked', run, fields);
  const paradigm = typeof name === 'string' ? await findParadigm(name) : name;
  const { guides, folds: asked } = await guidesOf(paradigm, stacking);
  if (guides.length === 0) return trainParser(paradigm, treebank, run);
  const stray = (['silver', 'from'] as const).find((name) => run[name] !== undefined);
  if (stray !== undefined)
    throw new OptionError((option) => `${option(stray)} does not go with ${option('guide')}`);
  const options = checkedOptions(paradigm, run.options ?? {}) as object;
  const { train, dev } = await openTrainingTreebanks(paradigm, treebank, run.dev, run.onWarning);
  const sentences = await packSentences(train, run.signal);
  // Impossible folds are refused before anything is trained.
  const folds = foldsOf(sentences, asked, copies);
  const record = await recordOf(train);
  const onShare: GuideRun['onShare'] = (part, share, isKept) =>
    onPart?.({ part, share, isOver: isKept !== undefined, isKept });
  const seed = run.seed ?? 1;
  const about = { train: record };
  const trained = await trainGuides(guides, { sentences, folds, seed, about, store, onShare }, run);
  const opened = trained.map(async ({ model }): Promise<Guide> => {
    return { parser: await openParser(model), write: (writer) => writer.copy(model) };
  });
  const own = await Promise.all(opened);
  const recorded = guides.map((guide) => ({ parser: guide.paradigm.name, options: guide.options }));
  const stacked = ({ parser, about }: TrainedParser): TrainedParser => ({
    parser: new GuidedParser(parser, own),
    about: { ...about, options: { ...options, guides: recorded, folds: asked } },
  });
  const parsers = own.map((guide) => guide.parser);
  const texts = trained.map((guide) => guide.texts);
  const guided = withTrees(packedTreebank(sentences), texts);
  const treebanks = { train: guided, dev: dev && parsedBy(parsers, dev) };
  const onMember = (name: string, member: TrainedParser) => run.onMember?.(name, stacked(member));
  const last = await trainOpened(paradigm, options, treebanks, { ...run, onMember });
  const { parser, about: ofParser } = stacked(last);
  return { parser, about: { ...ofParser, ...about, dev: dev && (await recordOf(dev)) } };
}

/** Divides sentences into folds; a fold has the same range in every copy. */
function foldsOf(sentences: PackedSentences, folds: number, copies: number): SentenceRange[][] {
  const once = countOf(sentences) / copies;
  if (!Number.isInteger(once)) {
    const size = `${sentences.name} has ${countOf(sentences)} sentences`;
    throw new OptionError((option) => `${option('copies', copies)}: ${size}`);
  }
  return foldRanges(once, folds, sentences.name).map(({ from, to }) =>
    Array.from({ length: copies }, (_, copy) => ({ from: from + copy * once, to: to + copy * once })),
  );
}

async function trainGuides(
  guides: readonly PlannedGuide[],
  run: Omit<GuideRun, 'pool'>,
  { jobs = 1, signal }: TrainParserOptions,
): Promise<TrainedGuide[]> {
  const pool = new TaskPool(Math.min(jobs, guides.length * (run.folds.length + 1)), signal);
  try {
    return await Promise.all(guides.map((guide, g) => trainGuide(`guide-${g + 1}`, guide, { ...run, pool })));
  } finally {
    await pool.end();
  }
}

/** A treebank whose sentences get the guides' trees when they are first read; later passes use the same trees. */
function parsedBy(guides: readonly Parser[], treebank: Treebank): Treebank {
  const trees: DependencyTree[][] = [];
  return eachChanged(treebank, (sentence, i) => {
    trees[i] ??= guides.map((guide) => treeOf(guide.parse(sentence)));
    return { ...sentence, guides: trees[i] };
  });
}

/**
 * A treebank whose sentences have guides' trees that were found before: for each guide, texts in CoNLL-U, in order. Its digest
 * covers the trees, too, as training on them differs from training on the treebank alone.
 */
function withTrees(treebank: Treebank, guides: readonly (readonly string[])[]): Treebank {
  const { name, limit, digest } = treebank;
  return {
    name,
    limit,
    digest: digestOf([digest!, ...guides.flat()]),
    async *[Symbol.asyncIterator]() {
      const parsed = guides.map((texts) => sentencesIn(texts, name));
      for await (const sentence of treebank)
        yield { ...sentence, guides: parsed.map((guide) => treeOf(guide.next().value!)) };
    },
  };
}

const treeOf = ({ heads, labels }: DependencyTree) => ({ heads, labels });

interface TrainedGuide {
  /** The training data as CoNLL-U, range by range in order, with trees by guides trained on the other folds. */
  readonly texts: readonly string[];
  readonly model: ModelReader;
}

interface GuideRun {
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

/** Modules that load others by name (see `programFrom`). */
const choosers: ReadonlySet<string> = new Set([moduleFile('parsers/registry')]);

/**
 * Trains a guide on all sentences, and for each fold another on the other folds, which parses this one: a
 * guide's trees of its own training sentences would be unrealistically accurate.
 */
async function trainGuide(
  part: string,
  { paradigm, options }: PlannedGuide,
  { sentences, folds, seed, pool, about, store: folder, onShare }: GuideRun,
): Promise<TrainedGuide> {
  const task = { paradigm: paradigm.name, options, seed, sentences, modules: registeredModules() };
  const store = await Store.open(folder);
  const origin = (module: string) => {
    const program = programFrom([moduleFile(`combine/${module}`), paradigmFile(paradigm.name)], choosers);
    return [program, paradigm.name, options, seed, packedDigest(sentences)];
  };
  const digest = jsonDigest([origin('stack/fold'), folds]);
  const shares = new Float64Array(folds.length + 1);
  let isAllCached = true;
  const tell = (number: number, share: number) => {
    isAllCached = false;
    shares[number] = share;
    onShare(part, shares.reduce((sum, one) => sum + one, 0) / shares.length);
  };
  const parsed = async (fold: readonly SentenceRange[], number: number): Promise<readonly string[]> => {
    const names = fold.map(({ from, to }) => `${digest}-${from + 1}-${to}.conllu`);
    const before = names.flatMap((name) => store?.read(name)?.toString() ?? []);
    if (before.length === names.length) {
      shares[number] = 1;
      return before;
    }
    const texts = await pool.run(foldKind, { ...task, fold }, (share) => tell(number, share));
    for (const [i, name] of names.entries()) store?.write(name, Buffer.from(texts[i]));
    return texts;
  };
  const trained = cachedModel(store, part, [...origin('parser-part'), about], () => {
    tell(folds.length, 0);
    return pool.run(parserKind, { ...task, about }, (share) => tell(folds.length, share));
  });
  const [{ model, isKept }, ...texts] = await Promise.all([trained, ...folds.map(parsed)]);
  onShare(part, 1, isKept && isAllCached);
  return { texts: inOrder(texts), model };
}

/** The texts of all folds in the order of the sentences, copy by copy. */
function inOrder(folds: readonly (readonly string[])[]): string[] {
  return folds[0].flatMap((_, copy) => folds.map((texts) => texts[copy]));
}
