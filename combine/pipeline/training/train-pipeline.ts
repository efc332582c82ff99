import { calibratedModels } from '../../../annotators/calibrate.ts';
import { foldRanges, type PlannedAnnotator } from '../../../annotators/jackknife/fold.ts';
import { findTask, openTokenizer } from '../../../annotators/registry.ts';
import { withEncoding } from '../../../annotators/tokenizer/options.ts';
import { checkFields } from '../../../src/checks.ts';
import { OptionError, UsageError } from '../../../src/errors.ts';
import { givenFile, withFilesOf } from '../../../src/files/given-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { TaskPool } from '../../../src/threads/worker-pool.ts';
import { type AboutModel, recordOf } from '../../../src/training/about-model.ts';
import { inputOptions } from '../../../src/training/network/inputs.ts';
import { checkedOptions } from '../../../src/training/options.ts';
import { type NamedScores, runFields } from '../../../src/training/training-run.ts';
import { type MorphologyColumn, morphologyColumns } from '../../../src/treebank/columns/names.ts';
import type { PackedSentences } from '../../../src/treebank/packed-sentences.ts';
import { countOf, packedDigest, unpack } from '../../../src/treebank/packed-sentences.ts';
import { isFilled, type Treebank } from '../../../src/treebank/sentence.ts';
import type { PlannedGuide } from '../../stack/options.ts';
import { openTrainingTreebanks, type TrainingTreebank } from '../../train-parser.ts';
import { makePipeline } from '../make-pipeline.ts';
import type { Pipeline } from '../pipeline.ts';
import type { PipelineOptions, PipelinePlan, PlannedParser, TrainPipelineOptions } from './options.ts';
import { annotatorNames, filledIn, planOf, VOTE } from './options.ts';
import { PartTrainer } from './part-trainer.ts';
import { namedScores, noteLearntWeights, type PipelineScores, scorePipeline } from './score-pipeline.ts';
import type { TextModel, TextTokenizer } from './text-models.ts';

/** A pipeline, the record of its training for `savePipeline`, and its scores on the held-out data. */
export interface TrainedPipeline {
  readonly pipeline: Pipeline;
  readonly about: AboutModel<NamedScores>;
  readonly scores?: PipelineScores | undefined;
}

/**
 * Trains a pipeline on a treebank: a tokenizer if its text is known, a tagger if it has tags, a lemmatizer if it has
 * lemmas, and a parser, or several that vote. The parser is trained on predicted columns (see `jackknifed`), as it will
 * read predicted ones, or on both these and gold ones. The same treebank, options and seed give the same pipeline, byte for
 * byte, whatever `jobs` and whatever was cached.
 *
 * @param treebank training data, or their file or files
 * @throws UsageError for unknown options, values out of range, or options that contradict each other or the data
 * @throws InputError for a treebank that cannot be read or trained on
 */
export async function trainPipeline(
  treebank: TrainingTreebank,
  { options = {}, dev: heldOut, text = [], ...run }: TrainPipelineOptions = {},
): Promise<TrainedPipeline> {
  const ofRun = runFields.filter((field) => field !== 'from');
  checkFields('trainPipeline', run, ['options', 'text', 'encoding', 'annotators', 'store', ...ofRun]);
  // Contradictions are refused before a treebank or a text is read; a large treebank's default parser reads the most.
  const asked = await planOf(options, Number.POSITIVE_INFINITY);
  if (text.length > 0 && options.encoder !== undefined)
    throw new OptionError((option) => `${option('text')} does not go with ${option('encoder')}`);
  checkInputsAreRead(asked, { ...options, text: text[0] }, run);
  text.forEach(givenFile);
  const { weighting, method } = asked;
  if (heldOut === undefined && (weighting ?? 'equal') !== 'equal')
    throw new OptionError((option) => `${option('weighting', weighting)} is learned: it needs held-out data`);
  const { train, dev } = await openTrainingTreebanks({}, treebank, heldOut, run.onWarning);
  const trainer = await PartTrainer.open(train, run);
  const given = text.length === 0 ? options : await withText(trainer, options, text, run);
  const isOpen = given.parser === undefined;
  const plan = isOpen || given !== options ? await planOf(given, countOf(trainer.sentences)) : asked;
  checkInputsAreRead(plan, options, run);
  const { parsers } = plan;
  if (isOpen && parsers[0].paradigm.takesVectors) run.onNotice?.(networkNotice(trainer));
  const models = await learnParts(trainer, plan, dev, { ...run, options });
  const { onWarning } = run;
  const vote = parsers.length > 1 ? { dev, weighting, method, onWarning } : { onWarning };
  const pipeline = await makePipeline(models, vote);
  const about = { options: recordedOptions(plan, run), seed: trainer.seed, train: trainer.record };
  if (dev === undefined) return { pipeline, about };
  run.onProgress?.({ part: 'scores', share: 0 });
  noteLearntWeights(pipeline, run.onNotice);
  const scores = await scorePipeline(pipeline, dev, run.signal);
  run.onProgress?.({ part: 'scores', share: 1, isOver: true });
  return { pipeline, about: { ...about, dev: await recordOf(dev), scores: namedScores(scores) }, scores };
}

/** Throws `OptionError` for word vectors, encoders and texts that no part reads. */
function checkInputsAreRead(
  { parsers, annotators: { tagger } }: PipelinePlan,
  given: PipelineOptions & { readonly text?: string | undefined },
  { annotators }: TrainPipelineOptions,
): void {
  const isTaggers = annotators === undefined && (tagger as { readonly units?: number }).units !== 0;
  if (isTaggers || parsers.some(({ paradigm }) => paradigm.takesVectors)) return;
  const names = ['text', ...Object.keys(inputOptions)] as (keyof typeof given)[];
  const stray = names.find((name) => given[name] !== undefined);
  if (stray === undefined) return;
  const made = 'word vectors or a language model, which are made of it';
  const what = stray === 'text' ? made : stray.startsWith('vectors') ? 'word vectors' : 'a language model';
  throw new OptionError(
    (option) =>
      `${option(stray, given[stray] === false ? false : undefined)}: neither the parser nor the tagger reads ${what}`,
  );
}

async function withText(
  trainer: PartTrainer,
  options: PipelineOptions,
  text: readonly string[],
  run: TrainPipelineOptions,
) {
  const own = withEncoding({ text: givenFile(text[0]) }, run.encoding);
  const tokenizer = filledIn(options.tokenizer ?? {}, own);
  const checked = checkedOptions(await findTask('tokenizer'), tokenizer) as object;
  // Loaded on demand: most pipelines are trained without text.
  const { TextModels } = await import('./text-models.ts');
  const models = await TextModels.open(text, await segmenterOf(trainer, checked, run), run);
  const wanted: readonly TextModel[] = options.vectors === undefined ? ['vectors', 'encoder'] : ['encoder'];
  return { ...options, ...(await models.train(wanted)), tokenizer };
}

/** The treebank's tokenizer, if blanks do not separate words: the language model must have the treebank's words. */
async function segmenterOf(
  trainer: PartTrainer,
  options: object,
  { signal }: TrainPipelineOptions,
): Promise<TextTokenizer | undefined> {
  if (!contentsOf(trainer.sentences).hasText) return undefined;
  const pool = new TaskPool(1, signal);
  try {
    const tokenizer = await openTokenizer(await trainer.annotator({ task: 'tokenizer', options }, pool));
    const origin = [packedDigest(trainer.sentences), options, trainer.seed];
    return tokenizer.segments ? { tokenizer, origin } : undefined;
  } finally {
    await pool.end();
  }
}

async function learnParts(
  trainer: PartTrainer,
  plan: PipelinePlan,
  dev: Treebank | undefined,
  run: TrainPipelineOptions,
): Promise<ModelReader[]> {
  const { annotators: given } = run;
  const names = given === undefined ? annotatorsFor(trainer, plan.parsers, run.onNotice) : [];
  const planned = given?.map(plannedLike) ?? names.map((task) => ({ task, options: plan.annotators[task] }));
  const fillers = planned.filter(({ task }) => task !== 'tokenizer');
  const tokenizers = planned.filter(({ task }) => task === 'tokenizer');
  const isTagged = given !== undefined || names.includes('tagger');
  // A parser that predicts all tags itself reads nothing that annotators fill.
  const parsers = plan.parsers.map((one) =>
    isTagged || !tagsOf(one).length ? one : { ...one, tags: 'gold' as const },
  );
  const isJackknifed = fillers.length > 0 && parsers.some(({ tags }) => tags !== 'gold');
  for (const part of [...names, ...(isJackknifed ? ['folds'] : [])]) run.onProgress?.({ part, share: 0 });
  const { sentences } = trainer;
  // Impossible folds are refused before anything is trained.
  if (isJackknifed) foldRanges(countOf(sentences), plan.folds, sentences.name);
  else checkNotJackknifed(run.options);
  const tasks = names.length + (isJackknifed ? plan.folds : 0);
  const pool = new TaskPool(Math.min(run.jobs ?? 1, tasks), run.signal);
  const learnt = (annotators: readonly PlannedAnnotator[]) =>
    Promise.all(annotators.map((one) => given?.[planned.indexOf(one)] ?? trainer.annotator(one, pool)));
  try {
    // The longest tasks start first.
    const [fillerModels, jackknifed, tokenizerModels] = await Promise.all([
      learnt(fillers),
      isJackknifed ? trainer.jackknifed(fillers, plan.folds, pool) : undefined,
      learnt(tokenizers),
    ]);
    await pool.end();
    const models = await trainer.parsers(parsers, plan.folds, jackknifed, dev, fillerModels);
    const annotators = [...tokenizerModels, ...fillerModels];
    return [...(dev ? await calibratedModels(annotators, dev, run.signal) : annotators), ...models];
  } finally {
    await pool.end();
  }
}

/** Throws `OptionError` for options of jackknifing, where no annotator fills a column that the parser reads. */
function checkNotJackknifed({ tags = 'gold', folds, guides = [] }: PipelineOptions = {}): void {
  const [name, value] = tags === 'gold' ? ['folds', guides.length === 0 ? folds : undefined] : ['tags', tags];
  if (value === undefined) return;
  throw new OptionError(
    (option) => `${option(name, value)}: no annotator fills a column that the parser reads`,
  );
}

/** Training speed of a network, roughly: words of the treebank per minute on one core, all epochs included. */
const WORDS_PER_MINUTE = 7000;

function networkNotice({ sentences }: PartTrainer): string {
  let words = 0;
  for (const { length } of unpack(sentences)) words += length;
  const minutes = Math.ceil(words / WORDS_PER_MINUTE);
  const count = countOf(sentences).toLocaleString('en-US');
  return `for ${count} sentences the default parser is a network: training takes about ${minutes} min on one core (other parsers are faster to train)`;
}

/** The task and options of a given annotator, to train on folds; without files, which folds do not use. */
function plannedLike(model: ModelReader): PlannedAnnotator {
  const task = model.fields().text('annotator');
  return { task, options: withFilesOf(model.header.options ?? {}, () => undefined) };
}

function annotatorsFor(
  { sentences }: PartTrainer,
  parsers: readonly PlannedParser[],
  onNotice: ((notice: string) => void) | undefined,
) {
  const { hasText, tags, hasLemmas } = contentsOf(sentences);
  // The tags of parsers that vote are not used.
  const found = parsers.length === 1 ? tagsOf(parsers[0]) : [];
  const isTagging = tags.length > 0 && tags.every((column) => found.includes(column));
  const has = { tokenizer: hasText, tagger: tags.length > 0 && !isTagging, lemmatizer: hasLemmas };
  const lacking = { tokenizer: 'has no text', tagger: 'has no tags', lemmatizer: 'has no lemmas' };
  const names = annotatorNames.filter((name) => has[name]);
  const { name: treebank } = sentences;
  if (names.length === 0) {
    const why = isTagging ? 'neither text nor lemmas, and the parser tags' : 'neither text, tags nor lemmas';
    throw new UsageError(`${treebank} has ${why}: no annotator to train, train a parser by itself`);
  }
  if (isTagging) onNotice?.('the parser also tags: a pipeline without a tagger');
  for (const name of annotatorNames)
    if (!has[name] && !(name === 'tagger' && isTagging))
      onNotice?.(`${treebank} ${lacking[name]}: a pipeline without a ${name}`);
  return names;
}

const tagsOf = ({ paradigm, options }: PlannedParser) => paradigm.writes?.(options) ?? [];

function recordedOptions(
  { parsers, annotators, ...plan }: PipelinePlan,
  { annotators: given }: TrainPipelineOptions,
): object {
  const named = parsers.map(inOptions);
  const [{ parser, options }] = named;
  const guides = parsers[0].guides.length === 0 ? undefined : parsers[0].guides.map(inOptions);
  const which =
    named.length === 1 ? { parser, parserOptions: options, guides } : { parser: VOTE, members: named };
  const ofGiven = given?.map(({ header }) => [header.annotator, header.options]);
  return { ...which, ...plan, ...(ofGiven === undefined ? annotators : Object.fromEntries(ofGiven)) };
}

const inOptions = ({ paradigm, options }: PlannedGuide) => ({ parser: paradigm.name, options });
/** Signs that the text is known: a comment with it, multiword tokens, tokens without a blank after them. */
const TEXT = /^#\s*text\s*=|^\d+-\d+\t|\bSpace(?:s?After|sBefore)=/m;

/** Which parts of annotation the sentences have. */
export function contentsOf(sentences: PackedSentences) {
  const contents = { hasText: false, hasLemmas: false };
  const tags = new Set<MorphologyColumn>();
  for (const sentence of unpack(sentences)) {
    contents.hasText ||= TEXT.test(sentence.source?.text ?? '');
    contents.hasLemmas ||= isFilled(sentence.lemmas);
    for (const column of morphologyColumns) if (isFilled(sentence[column])) tags.add(column);
    if (contents.hasText && tags.size === morphologyColumns.length && contents.hasLemmas) break;
  }
  return { ...contents, tags: [...tags] };
}
