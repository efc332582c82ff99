import { type TrainedParser, type TrainParserOptions, trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { ColumnCheck, UnseenValues } from '../../parsers/run/column-check.ts';
import { UsageError } from '../../src/errors.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import { type EpochScores, shareDone } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { eachChanged, withSentences } from '../../src/treebank/treebanks.ts';
import { jobName, type Morphology, type ParserJob, type TaggingJob, taggingsFor } from '../jobs/job.ts';
import { openSelection, type SelectedTreebank } from '../jobs/selection.ts';
import { CollectedTrees, type JobContext, type JobOutput } from './job-output.ts';

type Train = (paradigm: string, treebank: Treebank, options: TrainParserOptions) => Promise<TrainedParser>;

/**
 * Trains a parser and parses the test sentences with it. Predicted tags and lemmas are read from the output of tagging jobs
 * in the cache.
 *
 * @throws InputError if a file or a cached result has changed
 */
export async function trainAndParse(
  job: ParserJob,
  { cache, cores, onProgress }: JobContext,
  training: Train = trainParser,
): Promise<JobOutput & { readonly steps?: EpochScores[] }> {
  const test = await openSelection(job.test);
  const taggings = taggingsFor(job);
  const treesOf = (tagging?: TaggingJob) => tagging && cache.openTrees(jobName(tagging));
  const tagged = [taggings.train, taggings.heldOut, taggings.test].map((tagging) => treesOf(tagging));
  const [trainTags, heldOutTags, testTags] = await Promise.all(tagged);
  const notices: string[] = [];
  const steps: EpochScores[] = [];
  const started = performance.now();
  const shown = (treebank: Treebank) => withMorphology(treebank, job.morphology);
  const train = shown(withTags(await openSelection(job.train), trainTags, job.tags?.besideGold));
  const heldOut = job.heldOut && shown(withTags(await openSelection(job.heldOut), heldOutTags));
  const { trees: silverTrees, ...weighing } = job.silver ?? {};
  const silver = silverTrees && { ...weighing, treebank: shown(await openSelection(silverTrees)) };
  const { parser } = await training(job.paradigm, train, {
    options: job.options,
    seed: job.seed,
    jobs: cores,
    silver,
    dev: heldOut ?? (job.scoreEvery && shown(withTags(test, testTags))),
    onNotice: (notice) => notices.push(notice),
    onProgress: (progress) => {
      onProgress?.(shareDone(progress));
      if (heldOut === undefined && (progress.kept ?? progress.end) !== undefined)
        throw new UsageError('the epoch to keep cannot be chosen on the sentences that are scored');
      if (progress.dev !== undefined && (progress.unit ?? 'epoch') === job.scoreEvery)
        steps.push(progress.dev);
    },
  });
  const seconds = (performance.now() - started) / 1000;
  if (job.scoreEvery !== undefined && steps.length === 0)
    throw new UsageError(`this training is not scored after every ${job.scoreEvery}`);
  const parsed = await parseAll(parser, test, testTags, job.morphology, (warning) => notices.push(warning));
  return { ...parsed, seconds, notices, ...(job.scoreEvery && { steps }) };
}

/** Parses all sentences and keeps them in memory, as they are scored several times. */
async function parseAll(
  parser: Parser,
  test: SelectedTreebank,
  tags: Treebank | undefined,
  morphology: Morphology | undefined,
  onWarning: (warning: string) => void,
): Promise<Pick<JobOutput, 'trees' | 'parseSeconds'>> {
  const trees = new CollectedTrees(test.format);
  const check = new ColumnCheck(parser);
  const unseen = new UnseenValues();
  let parseSeconds = 0;
  for await (const { gold, seen } of seenSentences(test, tags)) {
    const shown = shownMorphology(seen, morphology);
    const started = performance.now();
    const { heads, labels, phrases, unseen: values } = parser.parse(shown);
    parseSeconds += (performance.now() - started) / 1000;
    check.add(shown);
    unseen.add(shown, values);
    trees.add(gold, { ...seen, heads, labels }, phrases);
  }
  check.settle(test.name, { allowMissing: true, onWarning });
  const tokens = trees.gold.reduce((sum, { length }) => sum + length, 0);
  for (const warning of unseen.warnings(tokens)) onWarning(`${test.name}: ${warning}`);
  return { trees, parseSeconds };
}

/** Pairs gold sentences with the parser's input: the same, with predicted tags and lemmas if there are any. */
async function* seenSentences(gold: Treebank, tags: Treebank | undefined) {
  if (tags === undefined) {
    for await (const sentence of gold) yield { gold: sentence, seen: sentence };
    return;
  }
  for await (const { sentences } of sentenceRows([gold, tags])) {
    const [own, { lemmas, upos, xpos, feats }] = sentences;
    yield { gold: own, seen: { ...own, lemmas, upos, xpos, feats } };
  }
}

/** A treebank with predicted tags and lemmas; with `besideGold`, all sentences with gold ones come first. */
export function withTags(treebank: Treebank, tags: Treebank | undefined, besideGold = false): Treebank {
  if (tags === undefined) return treebank;
  return withSentences(treebank, async function* () {
    if (besideGold) yield* treebank;
    for await (const { seen } of seenSentences(treebank, tags)) yield seen;
  });
}

export function withMorphology(treebank: Treebank, morphology: Morphology | undefined): Treebank {
  if (morphology === undefined) return treebank;
  return eachChanged(treebank, (sentence) => shownMorphology(sentence, morphology));
}

/** The sentence with the morphology that the parser may see. */
export function shownMorphology(sentence: Sentence, morphology: Morphology | undefined): Sentence {
  if (morphology === undefined) return sentence;
  const { upos, xpos, feats } = sentence;
  const blank = sentence.forms.map((_, d) => (d === 0 ? '' : '_'));
  if (morphology === 'none') return { ...sentence, lemmas: blank, feats: blank };
  const joined = (tag: string, d: number) =>
    tag === '_' || d === 0 ? tag : [tag, ...featuresOf(feats[d], morphology)].join('|');
  return { ...sentence, upos: upos.map(joined), xpos: xpos.map(joined), feats: blank };
}

/** The visible features of a FEATS value such as `Case=Nom|Number=Sing`. */
function featuresOf(feats: string, morphology: 'in-tag' | readonly string[]): string[] {
  if (feats === '_') return [];
  const all = feats.split('|');
  if (morphology === 'in-tag') return all;
  return all.filter((feature) => morphology.includes(feature.replace(/=.*$/s, '')));
}
