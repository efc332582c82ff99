import { type TrainedParser, type TrainParserOptions, trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { ColumnCheck, UnseenValues } from '../../parsers/run/column-check.ts';
import { UsageError } from '../../src/errors.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import type { EpochScores, TrainingProgress } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { WrappedTreebank } from '../../src/treebank/treebanks.ts';
import { jobName, type ParserJob, taggingsFor } from './job.ts';
import type { JobContext, JobOutput, PhrasePair, Trees } from './job-output.ts';
import { shownMorphology, withMorphology } from './morphology.ts';
import { openSelection, type SelectedTreebank } from './selection.ts';

/** A gold sentence, and the same as a parser sees it: with other tags and lemmas, perhaps. */
export interface SeenSentence {
  readonly gold: Sentence;
  readonly seen: Sentence;
}

/** The sentences of a treebank as a parser sees them: with the tags and lemmas of others, where there are such. */
export async function* seenSentences(
  gold: Treebank,
  tags: Treebank | undefined,
): AsyncGenerator<SeenSentence> {
  if (tags === undefined) {
    for await (const sentence of gold) yield { gold: sentence, seen: sentence };
    return;
  }
  for await (const { sentences } of sentenceRows([gold, tags])) {
    const [own, { lemmas, upos, xpos, feats }] = sentences;
    yield { gold: own, seen: { ...own, lemmas, upos, xpos, feats } };
  }
}

/**
 * A treebank as a parser sees it.
 *
 * @param besideGold every sentence as it is, and then every sentence with the tags and lemmas of others
 */
export function tagged(treebank: Treebank, tags: Treebank | undefined, besideGold = false): Treebank {
  return tags === undefined ? treebank : new TaggedTreebank(treebank, tags, besideGold);
}

class TaggedTreebank extends WrappedTreebank {
  constructor(
    treebank: Treebank,
    private readonly tags: Treebank,
    private readonly besideGold: boolean,
  ) {
    super(treebank);
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    if (this.besideGold) yield* this.treebank;
    for await (const { seen } of seenSentences(this.treebank, this.tags)) yield seen;
  }
}

/** Trains a parser of a paradigm, alone or guided by others. */
export type Train = (
  paradigm: string,
  treebank: Treebank,
  options: TrainParserOptions,
) => Promise<TrainedParser>;

/**
 * Trains a parser, and parses the test sentences with it; with tags and lemmas that other jobs have left in the cache,
 * where the job has such. Throws what `openSelection` and `CellCache.openTrees` throw.
 */
export async function trainAndParse(
  job: ParserJob,
  { cache, cores, onProgress }: JobContext,
  training: Train = trainParser,
): Promise<JobOutput & { readonly steps?: EpochScores[] }> {
  const test = await openSelection(job.test);
  const taggings = taggingsFor(job);
  const [trainTags, heldOutTags, testTags] = await Promise.all(
    [taggings.train, taggings.heldOut, taggings.test].map(
      (tagging) => tagging && cache.openTrees(jobName(tagging)),
    ),
  );
  const notices: string[] = [];
  const steps: EpochScores[] = [];
  const started = performance.now();
  const seenBy = (treebank: Treebank) => withMorphology(treebank, job.morphology);
  const train = seenBy(tagged(await openSelection(job.train), trainTags, job.tags?.besideGold));
  const heldOut = job.heldOut && seenBy(tagged(await openSelection(job.heldOut), heldOutTags));
  const { parser } = await training(job.paradigm, train, {
    options: job.options,
    seed: job.seed,
    jobs: cores,
    dev: heldOut ?? (job.scoreEvery && seenBy(tagged(test, testTags))),
    onNotice: (notice) => notices.push(notice),
    onProgress: (progress) => {
      onProgress?.(shareDone(progress));
      if (heldOut === undefined && (progress.kept ?? progress.end) !== undefined) {
        throw new UsageError('the epoch to keep cannot be chosen on the sentences that are scored');
      }
      if (progress.dev !== undefined && (progress.unit ?? 'epoch') === job.scoreEvery)
        steps.push(progress.dev);
    },
  });
  const seconds = (performance.now() - started) / 1000;
  if (job.scoreEvery !== undefined && steps.length === 0) {
    throw new UsageError(`this training is not scored after every ${job.scoreEvery}`);
  }
  const parsed = await parseAll(parser, { test, tags: testTags, morphology: job.morphology }, (warning) =>
    notices.push(warning),
  );
  return { ...parsed, seconds, notices, ...(job.scoreEvery && { steps }) };
}

function shareDone({ epoch, epochs, done, total }: TrainingProgress): number {
  return (epoch - 1 + done / total) / epochs;
}

/** What is parsed, and how the parser sees it. */
interface Seen {
  readonly test: SelectedTreebank;
  readonly tags: Treebank | undefined;
  readonly morphology: ParserJob['morphology'];
}

/** Parses all sentences, and keeps them: they are scored several times. */
async function parseAll(
  parser: Parser,
  { test, tags, morphology }: Seen,
  onWarning: (warning: string) => void,
): Promise<{ readonly trees: Trees; readonly parseSeconds: number }> {
  const all: Sentence[] = [];
  const predicted: Sentence[] = [];
  const phrases: PhrasePair[] = [];
  const check = new ColumnCheck(parser);
  const unseen = new UnseenValues();
  let parseSeconds = 0;
  for await (const { gold, seen } of seenSentences(test, tags)) {
    const shown = shownMorphology(seen, morphology);
    const started = performance.now();
    const parse = parser.parse(shown);
    parseSeconds += (performance.now() - started) / 1000;
    const { heads, labels, phrases: tree } = parse;
    check.look(shown);
    unseen.add(shown, parse.unseen);
    all.push(gold);
    predicted.push({ ...seen, heads, labels });
    if (gold.phrases && tree) phrases.push({ gold: gold.phrases, predicted: tree });
  }
  check.settle(test.name, { allowMissing: true, onWarning });
  const tokens = all.reduce((sum, { length }) => sum + length, 0);
  for (const warning of unseen.warnings(test.name, tokens)) onWarning(warning);
  const { format } = test;
  return {
    trees: { gold: all, predicted, phrases: phrases.length > 0 ? phrases : undefined, format },
    parseSeconds,
  };
}
