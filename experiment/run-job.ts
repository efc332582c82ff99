import type { EpochScores, Paradigm, Parser, TrainingProgress } from '../parsers/parser.ts';
import { InputError, UsageError } from '../src/errors.ts';
import { evaluate } from '../src/evaluate/evaluate.ts';
import { type PunctuationRuleName, punctuationRules } from '../src/evaluate/punctuation.ts';
import { tokenOutcomes } from '../src/evaluate/significance/token-outcomes.ts';
import { fileDigest } from '../src/files/download.ts';
import { FirstSentences } from '../src/treebank/first-sentences.ts';
import type { Sentence, Treebank } from '../src/treebank/sentence.ts';
import { openTreebank } from '../src/treebank/treebank-file.ts';
import type { CellResult, Job, RuleScores } from './job.ts';
import { LaterSentences } from './later-sentences.ts';

export interface JobContext {
  readonly known: readonly Paradigm[];
  /** Processor cores that training may use; scores do not depend on it. */
  readonly cores: number;
  /** Told now and then which share of the training is done. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Trains, parses and scores, in this process.
 *
 * @throws InputError where a file is not what it was when the job was written
 */
export async function runJob(job: Job, { known, cores, onProgress }: JobContext): Promise<CellResult> {
  const paradigm = known.find(({ name }) => name === job.paradigm);
  if (paradigm === undefined) throw new InputError(`unknown paradigm ${job.paradigm}`);
  const { train, dev } = await openData(job);
  const notices: string[] = [];
  const steps: EpochScores[] = [];
  const started = performance.now();
  const parser = await paradigm.train(train, job.options, {
    seed: job.seed,
    jobs: cores,
    dev: job.scoreEvery === undefined ? undefined : dev,
    onNotice: (notice) => notices.push(notice),
    onProgress: (progress) => {
      onProgress?.(shareDone(progress));
      if (progress.dev !== undefined && (progress.unit ?? 'epoch') === job.scoreEvery)
        steps.push(progress.dev);
    },
  });
  const seconds = (performance.now() - started) / 1000;
  if (job.scoreEvery !== undefined && steps.length === 0) {
    throw new UsageError(`this training is not scored after every ${job.scoreEvery}`);
  }
  const parsed = await parseAll(parser, dev);
  return {
    job,
    dev: parsed.size,
    seconds,
    parseSeconds: parsed.seconds,
    notices,
    scores: await scoresByRule(parsed),
    ...(job.scoreEvery !== undefined && { steps }),
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
}

function shareDone({ epoch, epochs, done, total }: TrainingProgress): number {
  return (epoch - 1 + done / total) / epochs;
}

interface Data {
  readonly train: Treebank;
  readonly dev: Treebank;
}

async function openData({ train, dev, devFrom, encoding, trainSentences }: Job): Promise<Data> {
  for (const { path, digest } of dev === undefined ? [train] : [train, dev]) {
    if ((await fileDigest(path)) === digest) continue;
    throw new InputError('changed since the experiment began', { file: path });
  }
  const all = await openTreebank(train.path, { encoding });
  return {
    train: new FirstSentences(all, trainSentences),
    dev:
      dev === undefined ? new LaterSentences(all, devFrom ?? 0) : await openTreebank(dev.path, { encoding }),
  };
}

interface Parsed {
  readonly gold: Treebank;
  readonly predicted: Treebank;
  readonly size: CellResult['dev'];
  readonly seconds: number;
}

/** Parses all sentences, and keeps them: they are scored several times. */
async function parseAll(parser: Parser, treebank: Treebank): Promise<Parsed> {
  const gold: Sentence[] = [];
  const predicted: Sentence[] = [];
  const size = { sentences: 0, tokens: 0 };
  let seconds = 0;
  for await (const sentence of treebank) {
    const started = performance.now();
    const { heads, labels } = parser.parse(sentence);
    seconds += (performance.now() - started) / 1000;
    gold.push(sentence);
    predicted.push({ ...sentence, heads, labels });
    size.sentences++;
    size.tokens += sentence.length;
  }
  return { gold: inMemory(gold, treebank), predicted: inMemory(predicted, treebank), size, seconds };
}

function inMemory(sentences: readonly Sentence[], { name }: Treebank): Treebank {
  return {
    name,
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

async function scoresByRule({ gold, predicted }: Parsed): Promise<CellResult['scores']> {
  const scores: [PunctuationRuleName, RuleScores][] = [];
  for (const rule of Object.keys(punctuationRules) as PunctuationRuleName[]) {
    scores.push([rule, await ruleScores(gold, predicted, rule)]);
  }
  return Object.fromEntries(scores) as CellResult['scores'];
}

async function ruleScores(
  gold: Treebank,
  predicted: Treebank,
  rule: PunctuationRuleName,
): Promise<RuleScores> {
  const report = await evaluate(gold, predicted, { punctuation: rule });
  const { uas, las } = await tokenOutcomes(gold, predicted, rule);
  return {
    tokens: report.tokens,
    excluded: report.punctuation.excluded,
    uas: defined(report.uas),
    las: defined(report.las),
    laa: defined(report.laa),
    rootAccuracy: defined(report.rootAccuracy),
    completeRate: defined(report.completeRate),
    labelledCompleteRate: defined(report.labelledCompleteRate),
    warnings: [...report.warnings],
    sentences: {
      tokens: [...uas.sentences.total],
      uas: [...uas.sentences.correct],
      las: [...las.sentences.correct],
    },
  };
}

function defined(figure: number): number | null {
  return Number.isNaN(figure) ? null : figure;
}
