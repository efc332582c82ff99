import { type Block, foldBlocks } from '../../annotators/jackknife/folds.ts';
import { type Guide, GuidedParser } from '../../parsers/guided-parser.ts';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm, openParser } from '../../parsers/registry.ts';
import { OptionError } from '../../src/errors.ts';
import { TaskPool } from '../../src/threads/worker-pool.ts';
import { recordOf } from '../../src/training/about-model.ts';
import { checkedOptions } from '../../src/training/options.ts';
import {
  countOf,
  type PackedSentences,
  packedDigest,
  packedTreebank,
  packSentences,
} from '../../src/treebank/packed-sentences.ts';
import {
  openTrainingTreebanks,
  type TrainedParser,
  type TrainingTreebank,
  type TrainParserOptions,
  trainParser,
} from '../train-parser.ts';
import type { PartProgress } from '../training/part-progress.ts';
import { type GuideRun, type LearntGuide, learnGuide } from './guide-trainer.ts';
import { GuidedTreebank, ParsedTreebank } from './guided-treebanks.ts';
import { guidesOf, type PlannedGuide, type StackingOptions } from './options.ts';

/** How a stacked parser is trained; all of it may be left out. */
export interface TrainStackedOptions extends TrainParserOptions {
  /** The guides, each with its own options, and by how many folds their trees are found. */
  readonly stacking?: StackingOptions | undefined;
  /**
   * How many times the treebank holds its sentences, all of them one run after another: copies of a sentence are in one
   * fold, so that no guide parses what it has learnt from in another guise; default: once.
   */
  readonly copies?: number | undefined;
  /** A folder in which finished folds and guides are kept, so that they need not be learnt again; default: they are not. */
  readonly store?: string | undefined;
  /** Told how far the guides are: `guide-1`, … */
  onPart?(progress: PartProgress): void;
}

/**
 * Trains a parser that looks at the trees of others, its guides (stacking: Nivre & McDonald 2008, P08-1108; Martins,
 * Das, Smith & Xing 2008, D08-1017). It learns from trees that guides find for sentences that they have not learnt
 * from (cross-training), and is then guided by such that have learnt from all. Without guides it is trained as
 * `trainParser` does. The same treebank, options and seed give the same parser, byte for byte, whatever `jobs`, and
 * whatever was kept of it before.
 *
 * @param treebank sentences to learn from, or the file or files that hold them
 * @throws UsageError for an unknown paradigm or option, a value out of range, or options that contradict each
 *   other or the data
 * @throws InputError for a treebank that cannot be read or learnt from
 */
export async function trainStacked(
  name: string | Paradigm,
  treebank: TrainingTreebank,
  { stacking = {}, copies = 1, store, onPart, ...run }: TrainStackedOptions = {},
): Promise<TrainedParser> {
  const paradigm = typeof name === 'string' ? await findParadigm(name) : name;
  const { guides, folds: asked } = await guidesOf(paradigm, stacking);
  if (guides.length === 0) return trainParser(paradigm, treebank, run);
  const options = checkedOptions(paradigm, run.options ?? {}) as object;
  const { train, dev } = await openTrainingTreebanks(paradigm, treebank, run.dev, undefined);
  const sentences = await packSentences(train, run.signal);
  // Folds that cannot be are refused before anything is learnt.
  const folds = foldsOf(sentences, asked, copies);
  const record = await recordOf(train);
  const onShare: GuideRun['onShare'] = (part, share, isKept) =>
    onPart?.({ part, share, isOver: isKept !== undefined, isKept });
  const seed = run.seed ?? 1;
  const about = { train: record };
  const learnt = await learnGuides(guides, { sentences, folds, seed, about, store, onShare }, run);
  const own = await Promise.all(learnt.map(asGuide));
  const stacked = ({ parser, about }: TrainedParser): TrainedParser => ({
    parser: new GuidedParser(parser, own),
    about: { ...about, options: { ...options, ...recorded(guides), folds: asked } },
  });
  const trained = await trainParser(paradigm, guided(sentences, learnt), {
    ...run,
    dev:
      dev &&
      new ParsedTreebank(
        dev,
        own.map((guide) => guide.parser),
      ),
    onMember: (member, learntMember) => run.onMember?.(member, stacked(learntMember)),
  });
  const { parser, about: ofParser } = stacked(trained);
  return { parser, about: { ...ofParser, ...about, dev: dev && (await recordOf(dev)) } };
}

/** The folds of sentences that are there so many times. */
function foldsOf(sentences: PackedSentences, folds: number, copies: number): Block[][] {
  const once = countOf(sentences) / copies;
  if (!Number.isInteger(once)) {
    throw new OptionError(
      (option) => `${option('copies', copies)}: ${sentences.name} has ${countOf(sentences)} sentences`,
    );
  }
  return foldBlocks(once, folds, sentences.name).map(({ from, to }) =>
    Array.from({ length: copies }, (_, copy) => ({ from: from + copy * once, to: to + copy * once })),
  );
}

async function asGuide({ model }: LearntGuide): Promise<Guide> {
  return { parser: await openParser(model), write: (writer) => writer.copy(model) };
}

/** The guides, their folds, and those of other guides side by side. */
async function learnGuides(
  guides: readonly PlannedGuide[],
  run: Omit<GuideRun, 'pool'>,
  { jobs = 1, signal }: TrainParserOptions,
): Promise<LearntGuide[]> {
  const pool = new TaskPool(Math.min(jobs, guides.length * (run.folds.length + 1)), signal);
  try {
    return await Promise.all(guides.map((guide, g) => learnGuide(`guide-${g + 1}`, guide, { ...run, pool })));
  } finally {
    await pool.end();
  }
}

function guided(sentences: PackedSentences, learnt: readonly LearntGuide[]): GuidedTreebank {
  return new GuidedTreebank(
    packedTreebank(sentences),
    packedDigest(sentences),
    learnt.map(({ blocks }) => blocks),
  );
}

/** As `stackingOptions` would have them. */
function recorded(guides: readonly PlannedGuide[]): object {
  return { guides: guides.map(({ paradigm, options }) => ({ parser: paradigm.name, options })) };
}
