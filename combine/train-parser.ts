import { type Paradigm, type Parse, type Parser, withParseAll } from '../parsers/parser.ts';
import { findParadigm, type ParadigmName, type ParadigmOptions } from '../parsers/registry.ts';
import { ColumnCheck } from '../parsers/run/column-check.ts';
import { checkFields } from '../src/checks.ts';
import { digestOf } from '../src/digest.ts';
import { InputError, OptionError, UsageError } from '../src/errors.ts';
import { isRightIn } from '../src/evaluate/attachment/column-counts.ts';
import { flatten } from '../src/evaluate/parseval/flat-tree.ts';
import { phraseScorers, scoreSentence } from '../src/evaluate/parseval/scorers.ts';
import { Calibration, ConfidenceSample } from '../src/learn/calibration.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import { basename } from '../src/platform/files.ts';
import { type AboutModel, recordOf } from '../src/training/about-model.ts';
import { scoreHeldOut, watchShared } from '../src/training/held-out.ts';
import { BAYES_POINT, checkedOptions, type LinearOptions } from '../src/training/options.ts';
import { runFields, type TrainingProgress, type TrainingRun } from '../src/training/training-run.ts';
import { morphologyColumns } from '../src/treebank/columns/names.ts';
import type { FilledColumns } from '../src/treebank/columns/write.ts';
import { columnOf, type Sentence, type Treebank } from '../src/treebank/sentence.ts';
import {
  checkedTrees,
  FirstSentences,
  openTreebanks,
  singleTrees,
  treebankFrom,
  withDigest,
} from '../src/treebank/treebanks.ts';
import { trainBayesPoint } from './bayes-point.ts';

/** A treebank, a file, or several files, which are read one after another. */
export type TrainingTreebank = Treebank | string | readonly string[];

/** Options of `trainParser`; all are optional. */
export interface TrainParserOptions<Options = object> extends Partial<Omit<TrainingRun, 'dev'>> {
  /** Options of the paradigm; missing ones have their defaults, unknown ones are refused. */
  readonly options?: Options | undefined;
  readonly dev?: TrainingTreebank | undefined;
  /** Called with each kept member of a Bayes Point Machine and a short name (`member-3`). */
  readonly onMember?: ((name: string, member: TrainedParser) => void) | undefined;
}

/** A parser, and the record of its training for `saveParser`. */
export interface TrainedParser {
  readonly parser: Parser;
  readonly about: AboutModel;
}

/**
 * Trains a parser of any paradigm, alone or as a Bayes Point Machine of several. Held-out data that training does not
 * score after each epoch are scored at the end. The same treebank, options and seed give the same parser, byte for
 * byte, for any `jobs`.
 *
 * @param paradigm the name of a paradigm, or the paradigm itself (`findParadigm` finds one by a name that is not
 *   known before the program runs)
 * @param treebank training data, or their file or files
 * @throws UsageError for an unknown paradigm or option, a value out of range, or options that contradict each
 *   other or the data
 * @throws InputError for a treebank that cannot be read or trained on
 */
export function trainParser<Options>(
  paradigm: Paradigm<Options>,
  treebank: TrainingTreebank,
  options?: TrainParserOptions<Partial<Options>>,
): Promise<TrainedParser>;
// The compiler reports the errors of the last overload, which most programs call.
export function trainParser<Name extends ParadigmName>(
  paradigm: Name,
  treebank: TrainingTreebank,
  options?: TrainParserOptions<ParadigmOptions[Name]>,
): Promise<TrainedParser>;
export async function trainParser(
  paradigm: string | Paradigm,
  treebank: TrainingTreebank,
  { options: given = {}, dev: heldOut, onMember, ...asked }: TrainParserOptions = {},
): Promise<TrainedParser> {
  checkFields('trainParser', asked, ['options', 'onMember', ...runFields]);
  const found = typeof paradigm === 'string' ? await findParadigm(paradigm) : paradigm;
  const { from } = asked;
  if (from !== undefined && asked.silver !== undefined)
    throw new OptionError((option) => `${option('silver')} does not go with ${option('from')}`);
  const options =
    from === undefined ? checkedOptions(found, given) : furtherOptions(found, given, from.model);
  if (asked.silver !== undefined && !found.takesSilver?.(options)) {
    throw new OptionError(
      (option) => `${option('silver')}: ${found.name} does not weigh trees with these options`,
    );
  }
  const { train, dev } = await openTrainingTreebanks(found, treebank, heldOut, asked.onWarning);
  const silverTrees = asked.silver && checkedTrees(singleTrees(withDigest(asked.silver.treebank)));
  const watched = silverTrees && watchShared(silverTrees, dev, asked.onWarning, 'text');
  const silver = watched && { ...asked.silver, treebank: watched.train };
  const replay = from?.replay && { ...from.replay, treebank: withDigest(from.replay.treebank) };
  const run = { ...asked, silver, from: from && { ...from, replay } };
  return trainOpened(found, options, { train, dev: watched?.dev ?? dev }, { ...run, onMember });
}

/** `trainParser` with checked options and open treebanks. */
export async function trainOpened(
  paradigm: Paradigm,
  options: unknown,
  { train, dev }: TrainingTreebanks,
  { onMember, ...asked }: Omit<TrainParserOptions, 'dev' | 'options'>,
): Promise<TrainedParser> {
  const about = { options, seed: asked.seed ?? 1 };
  let last: TrainingProgress | undefined;
  const onProgress = (progress: TrainingProgress) => {
    last = progress;
    asked.onProgress?.(progress);
  };
  const run: TrainingRun = { jobs: 1, ...asked, seed: about.seed, dev, onProgress };
  const keep = (name: string, parser: Parser) => onMember?.(name, { parser, about });
  const parser = await trainAny(paradigm, train, options, run, keep);
  // Training in epochs scores its last epoch, but reports nothing if it was resumed after that epoch.
  const isScored = last === undefined ? paradigm.keepsState?.(options) : last.dev !== undefined;
  if (dev !== undefined && !isScored) {
    const scores = await scoreHeldOut(dev, (sentence) => parser.parse(sentence), run.signal);
    const end = { epoch: 1, epochs: 1, done: 1, total: 1, ...(last as TrainingProgress | undefined) };
    onProgress({ ...end, dev: scores });
  }
  if (dev !== undefined) {
    await checkHeldOut(dev, parser, run);
    parser.calibration = await calibrationOf(parser, dev, run.signal);
  }
  const data = {
    train: await recordOf(train),
    dev: dev && (await recordOf(dev)),
    ...(await originOf(run)),
    silver: run.silver && { ...run.silver, treebank: await recordOf(run.silver.treebank) },
  };
  const { scores, end } = { scores: last?.kept ?? last?.dev, end: last?.end };
  return { parser, about: { ...about, ...data, scores, ...(end && { end }) } };
}

type Named = Readonly<Record<string, unknown>>;

/** The options of the model, updated by those that further training may set; throws `OptionError` for others. */
function furtherOptions(paradigm: Paradigm, given: object, { name: file, header }: ModelReader): object {
  const { name, furtherOptions: open, defaults = {} } = paradigm;
  if (open === undefined)
    throw new OptionError((option) => `${option('from')}: ${name} cannot continue from a trained model`);
  if (header.paradigm !== name) throw new InputError(`no model of the paradigm ${name}`, { file });
  if (header.guides !== undefined)
    throw new InputError('a parser with guides does not learn further', { file });
  const isOpen = ([option]: [string, unknown]) => open.includes(option);
  const before: Named = Object.fromEntries(
    Object.entries(header.options ?? {}).filter((entry) => !isOpen(entry)),
  );
  const standard = checkedOptions(paradigm, {}) as Named;
  const kept = (option: string) => before[option] ?? standard[option] ?? (defaults as Named)[option];
  const asked = Object.entries(checkedOptions(paradigm, given) as object);
  const isGiven = (option: string) => (given as Named)[option] !== undefined;
  const stray = asked.find(
    (entry) => isGiven(entry[0]) && !isOpen(entry) && contentOf(entry[1]) !== contentOf(kept(entry[0])),
  );
  if (stray !== undefined)
    throw new OptionError(
      (option) => `${option(...stray)} does not go with ${option('from')}, whose options stay`,
    );
  return { ...before, ...Object.fromEntries(asked.filter(isOpen)) };
}

/** The value of an option as JSON; files are compared by their digests, as models do not store their folders. */
const contentOf = (value: unknown) => JSON.stringify(value, (_, part) => part?.digest ?? part);

async function originOf({ from }: TrainingRun): Promise<Pick<AboutModel, 'from' | 'replay'>> {
  if (from === undefined) return {};
  const { model, replay } = from;
  const digest = digestOf([new Uint8Array(model.buffer)]);
  return {
    from: { file: basename(model.name), digest },
    replay: replay && { treebank: await recordOf(replay.treebank), share: replay.share },
  };
}

async function checkHeldOut(dev: Treebank, parser: Parser, { onNotice }: TrainingRun): Promise<void> {
  const check = new ColumnCheck(parser);
  for await (const sentence of dev) {
    check.add(sentence);
    if (check.isDone) break;
  }
  check.settle(dev.name, { allowMissing: true, onWarning: onNotice });
}

export interface TrainingTreebanks {
  readonly train: Treebank;
  readonly dev: Treebank | undefined;
}

/** Opens training and held-out data; calls `onWarning` if they share sentences. */
export async function openTrainingTreebanks(
  { needsPhrases }: Pick<Paradigm, 'needsPhrases'>,
  treebank: TrainingTreebank,
  heldOut: TrainingTreebank | undefined,
  onWarning: ((warning: string) => void) | undefined,
): Promise<TrainingTreebanks> {
  const open = async (given: TrainingTreebank) => {
    const read = singleTrees(await opened(given));
    return needsPhrases ? read : checkedTrees(read);
  };
  const train = await open(treebank);
  const dev = heldOut === undefined ? undefined : await open(heldOut);
  return watchShared(train, dev, onWarning);
}

/** Trains a Bayes Point Machine if the options ask for one, else by the paradigm itself. */
async function trainAny(
  paradigm: Paradigm,
  treebank: Treebank,
  options: unknown,
  run: TrainingRun,
  keep: (name: string, parser: Parser) => void,
): Promise<Parser> {
  const { linear } = paradigm as Paradigm<LinearOptions>;
  const isSingle = run.from !== undefined || (options as LinearOptions).learner !== BAYES_POINT;
  if (linear === undefined || isSingle) return withParseAll(await paradigm.train(treebank, options, run));
  return trainBayesPoint({ name: paradigm.name, linear }, treebank, options as LinearOptions, run, keep);
}

async function opened(treebank: TrainingTreebank): Promise<Treebank> {
  if (Array.isArray(treebank)) return openTreebanks(treebank, { expect: 'trees' });
  return withDigest(await treebankFrom(treebank as Treebank | string));
}

/** Numbers of held-out tokens, and of sentences for whole trees, that suffice for calibration. */
const ENOUGH = 30_000;
const ENOUGH_SENTENCES = 500;
/** Number of best trees per sentence for the calibration of whole trees. */
const TREES = 10;

/** Calibration on held-out sentences; undefined without confidences, or with too few tokens. */
async function calibrationOf(
  parser: Parser,
  heldOut: Treebank,
  signal?: AbortSignal,
): Promise<Calibration | undefined> {
  const sample = new ConfidenceSample();
  const ofTags = new ConfidenceSample();
  for await (const sentence of heldOut) {
    signal?.throwIfAborted();
    const { heads, confidences, columns, columnConfidences } = parser.parse(sentence, { confidence: true });
    if (confidences === undefined) return undefined;
    for (let d = 1; d < heads.length; d++) {
      sample.add(confidences[d], heads[d] === sentence.heads[d]);
      if (columnConfidences?.tags !== undefined)
        ofTags.add(columnConfidences.tags[d], areRight(columns!, sentence, d));
    }
    if (sample.size >= ENOUGH) break;
  }
  const arcs = sample.fit();
  if (arcs === undefined) return undefined;
  const trees = (await treeCalibration(parser, heldOut, signal))?.data;
  const tags = ofTags.fit()?.data;
  return new Calibration({ ...arcs.data, ...(trees && { trees }), ...(tags && { tags }) });
}

const areRight = (columns: FilledColumns, gold: Sentence, d: number) =>
  morphologyColumns.every(
    (column) =>
      columns[column] === undefined || isRightIn(column, columnOf(gold, column)[d], columns[column][d]),
  );

/** Calibration of the probabilities of whole trees; undefined for parsers that find one tree only. */
async function treeCalibration(
  parser: Parser,
  heldOut: Treebank,
  signal?: AbortSignal,
): Promise<Calibration | undefined> {
  const sample = new ConfidenceSample();
  try {
    for await (const sentence of new FirstSentences(heldOut, ENOUGH_SENTENCES)) {
      signal?.throwIfAborted();
      const trees = parser.nBest?.(sentence, TREES) ?? [];
      // A sentence parsed in chunks has a single tree without probability.
      if (trees.length > 1 && trees[0].probability === undefined) return undefined;
      for (const tree of trees)
        if (tree.probability !== undefined) sample.add(tree.probability, isGold(tree, sentence));
    }
  } catch (error) {
    // Greedy transition parsers and higher-order graph parsers have no k-best search.
    if (!(error instanceof UsageError)) throw error;
  }
  return sample.fit();
}

/** Whether all phrases and tags are right; without phrases, whether all heads and labels are. */
function isGold({ phrases, heads, labels }: Parse, gold: Sentence): boolean {
  if (phrases !== undefined && gold.phrases !== undefined) {
    const [right, found] = [gold.phrases, phrases].map((tree) => flatten({ tree }));
    const score = scoreSentence(phraseScorers.evalb, right, found);
    const { matched, words, rightTags } = score;
    // Tags count: otherwise all trees that differ only in tags could be right, and improbable trees would look good.
    return (
      words === rightTags && [score.gold, score.predicted].every(({ length }) => length === matched.length)
    );
  }
  return heads.every((head, d) => d === 0 || (head === gold.heads[d] && labels[d] === gold.labels[d]));
}
