import { InputError, UsageError } from '../../../src/errors.ts';
import type { PunctuationChoice } from '../../../src/evaluate/attachment/punctuation.ts';
import { hasSeveralTrees, oraclePhrases } from '../../../src/evaluate/oracle.ts';
import type {
  PhraseBreakdownName,
  PhraseFigures,
  PhraseReport,
} from '../../../src/evaluate/parseval/score-phrases.ts';
import { phraseBreakdownNames, scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import { type PhraseScorerName, phraseScorers } from '../../../src/evaluate/parseval/scorers.ts';
import type { PrecisionRecall } from '../../../src/evaluate/percent.ts';
import type { SentenceCounts, ShufflingResult } from '../../../src/evaluate/significance/resampling.ts';
import { stratifiedShuffling } from '../../../src/evaluate/significance/resampling.ts';
import { bracketColumnsNote } from '../../../src/report/tables/phrase-tables.ts';
import { type ColumnOf, figures, type Table, tableOf, text } from '../../../src/report/tables/table.ts';
import { phraseTrees, type TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import type { Command } from '../../options/command.ts';
import type { PunctuationFlags } from '../../options/scoring.ts';
import { plural, printJson, SkippedSentences, warn } from '../../terminal/output.ts';
import { watch } from '../../terminal/progress.ts';
import type { TableFormat } from '../../terminal/tables.ts';
import { bucketColumns, fileBreakdown, type PrintedScores, printScores } from './print.ts';

/** A significance test of the difference from the first predicted file. */
interface Significance extends ShufflingResult {
  readonly against: string;
  /** Number of sentences that are scored in both files: only these are compared. */
  readonly sentences: number;
}

type ComparedReport = Omit<PhraseReport, 'f1Counts'> & { readonly significance?: Significance };
type ScorerName = 'attachment' | PhraseScorerName;

export interface PhraseFlags {
  readonly scorer?: ScorerName;
  readonly maxLength?: number;
  readonly skipInvalid?: boolean;
}

interface PhraseEvaluation extends Omit<PhraseFlags, 'scorer'> {
  readonly scorer: PhraseScorerName;
  readonly by?: string;
  readonly oracle?: boolean;
  readonly shown: Exclude<TableFormat, 'json'>;
  readonly punctuation: PunctuationFlags['punctuation'] | undefined;
  readonly punctuationRule?: PunctuationChoice;
  readonly json?: boolean;
  readonly quiet?: boolean | undefined;
}

const scorerNames = ['attachment', ...Object.keys(phraseScorers)];

export function phraseOptions(command: Command): Command {
  const standard = 'evalb if all files have brackets, else attachment';
  const what = 'attachment: dependencies; evalb and sets: brackets';
  return command
    .choice('--scorer <name>', what, scorerNames, standard)
    .integer('--max-length <n>', 'brackets: score only sentences of at most n words')
    .option(
      '--skip-invalid',
      'brackets: skip sentences that are malformed or differ in words, and report how many',
    );
}

/** The scorer for brackets, or undefined for dependencies; refuses options for brackets with dependencies. */
export function phraseScorer(
  { scorer, maxLength, skipInvalid }: PhraseFlags,
  files: readonly TreebankFile[],
): PhraseScorerName | undefined {
  const bracketed = files.every(({ format }) => format === 'brackets');
  const chosen = scorer ?? (bracketed ? 'evalb' : 'attachment');
  if (chosen !== 'attachment') return chosen;
  const option = maxLength !== undefined ? '--max-length' : skipInvalid ? '--skip-invalid' : undefined;
  if (option !== undefined) throw new UsageError(`${option} is for brackets: dependencies are scored here`);
  return undefined;
}

export async function evaluatePhrases(
  gold: TreebankFile,
  predicted: readonly TreebankFile[],
  options: PhraseEvaluation,
): Promise<void> {
  const { scorer, maxLength, skipInvalid, by, quiet, oracle } = options;
  const reading = { keepMalformed: skipInvalid };
  checkOptions(options);
  const goldTrees = watch(phraseTrees(gold, reading), 'scoring', quiet);
  const reports: PhraseReport[] = [];
  for (const file of predicted) {
    const skipped = new SkippedSentences();
    const found = phraseTrees(file, reading);
    const trees = oracle ? oraclePhrases(phraseTrees(gold, reading), found, file.name, scorer) : found;
    const scores = await scorePhrases(goldTrees, trees, {
      scorer,
      maxLength,
      skipInvalid,
      onSkip: skipped.add,
      by: by === undefined ? [] : [by as PhraseBreakdownName],
    }).catch((error) => rethrowWithAdvice(error, oracle ? [] : [{ trees: found, file }], 'add --oracle'));
    const report = { ...scores, file: file.name };
    for (const warning of report.warnings) warn(`${file.name}: ${warning}`);
    reports.push(report);
  }
  const compared = reports.map((report) => compare(report, reports[0]!));
  if (options.json) printJson(compared);
  else printScores(printedScores(compared, gold.name, options), options.shown);
}

interface CheckedTrees {
  readonly trees: Parameters<typeof hasSeveralTrees>[0];
  readonly file: TreebankFile;
}

/** Throws the error again, or, if its cause is that sentences of a file have several trees, one that says so. */
export async function rethrowWithAdvice(
  error: unknown,
  checked: readonly CheckedTrees[],
  advice: string,
): Promise<never> {
  for (const { trees, file } of checked) {
    if (!(error instanceof InputError) || file.isReadOnce || !(await hasSeveralTrees(trees))) continue;
    throw new InputError(`several trees of a sentence, as of parse --n-best: ${advice}`, { file: file.name });
  }
  throw error;
}

function checkOptions({ by, punctuation, punctuationRule, scorer }: PhraseEvaluation): void {
  if (by !== undefined && !(phraseBreakdownNames as readonly string[]).includes(by)) {
    const expected = phraseBreakdownNames.join(' and ');
    throw new UsageError(`--by ${by} is for dependencies: brackets are broken down by ${expected}`);
  }
  if (punctuationRule !== undefined)
    throw new UsageError(`--punctuation-rule is for dependencies: the scorer ${scorer} has its own`);
  if (punctuation === 'include') {
    throw new UsageError(
      `--punctuation include is for dependencies: the scorer ${scorer} leaves punctuation out`,
    );
  }
}

function compare({ f1Counts, ...figures }: PhraseReport, first: PhraseReport): ComparedReport {
  if (f1Counts === first.f1Counts) return figures;
  const inBoth = Int32Array.from(f1Counts.isScored, (is, i) => Number(is && first.f1Counts.isScored[i]));
  const shared = ({ correct, total }: SentenceCounts) => ({
    correct: correct.map((count, i) => count * inBoth[i]!),
    total: total.map((count, i) => count * inBoth[i]!),
  });
  const [own, other] = [shared(f1Counts), shared(first.f1Counts)];
  // Trees without a bracket that counts have no F1 to compare.
  if (![own, other].every(({ total }) => total.some((count) => count > 0))) return figures;
  const sentences = inBoth.reduce((sum, one) => sum + one, 0);
  const difference = stratifiedShuffling(own, other);
  return { ...figures, significance: { against: first.file, sentences, ...difference } };
}

function printedScores(
  reports: readonly ComparedReport[],
  gold: string,
  { scorer, maxLength, by }: PhraseEvaluation,
): PrintedScores {
  const { tooLong } = reports[0]!.leftOut;
  const most = Math.max(...reports.map(({ sentences }) => sentences));
  const significance = reports.flatMap(({ file, significance }) =>
    significance === undefined ? [] : significanceLine(file, significance, most),
  );
  const notes = [
    `Scorer ${scorer}: ${phraseScorers[scorer].summary}; ${punctuationLeftOut(reports)} left out.`,
    `${bracketColumnsNote}; ≤ 2: sentences with at most two.`,
    ...(tooLong > 0 ? [`Sentences of more than ${plural(maxLength!, 'word')}: ${tooLong}, left out.`] : []),
    ...significance,
  ];
  return {
    gold,
    scores: { title: 'Scores', table: scoreTable(reports, maxLength), notes },
    breakdowns: reports.flatMap(({ file, breakdowns }) => {
      if (by === undefined) return [];
      const buckets = breakdowns[by as PhraseBreakdownName] ?? [];
      return [fileBreakdown(file, by, tableOf(buckets, [...bucketColumns(by), ...bracketColumns]))];
    }),
  };
}

/** The number of words left out as punctuation: it depends on predicted tags, so files may differ. */
function punctuationLeftOut(reports: readonly ComparedReport[]): string {
  const numbers = reports.map(({ counts }) => counts.punctuation);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? plural(most, 'word') : `${least} to ${plural(most, 'word')}`;
}

function significanceLine(file: string, significance: Significance, most: number): string {
  const { against, sentences, difference, twoSided } = significance;
  const sign = difference < 0 ? '' : '+';
  const shuffled = sentences < most ? `the ${plural(sentences, 'sentence')} scored in both` : 'sentences';
  const test = `two-sided, by stratified shuffling of ${shuffled}`;
  return `${file}: F1 ${sign}${difference.toFixed(2)} against ${against}, p = ${twoSided.toFixed(4)} (${test}).`;
}

/** One row per file and, as in EVALB, one for its sentences of up to 40 words. */
function scoreTable(reports: readonly ComparedReport[], maxLength: number | undefined): Table {
  const length = maxLength === undefined ? 'all' : `≤ ${maxLength}`;
  const rows = reports.flatMap((report): (PhraseFigures & { file: string; length: string })[] => {
    const { file, upTo40 } = report;
    return [{ ...report, length }, ...(upTo40 === undefined ? [] : [{ ...upTo40, file, length: '≤ 40' }])];
  });
  return tableOf(rows, [
    [text('file'), ({ file }) => file],
    [text('length'), (row) => row.length],
    [figures('sentences', 'sentences', 0), ({ sentences }) => sentences],
    [figures('words', 'words', 0), ({ counts }) => counts.words],
    ...bracketColumns,
    [figures('exactMatch', 'exact', 2), ({ exactMatch }) => exactMatch],
    [figures('averageCrossing', 'crossing', 2), ({ averageCrossing }) => averageCrossing],
    [figures('noCrossing', 'none', 2), ({ noCrossing }) => noCrossing],
    [figures('twoOrLessCrossing', '≤ 2', 2), ({ twoOrLessCrossing }) => twoOrLessCrossing],
    [figures('taggingAccuracy', 'tags', 2), ({ taggingAccuracy }) => taggingAccuracy],
  ]);
}

const bracketColumns: readonly ColumnOf<PrecisionRecall>[] = [
  [figures('precision', 'P', 2), ({ precision }) => precision],
  [figures('recall', 'R', 2), ({ recall }) => recall],
  [figures('f1', 'F1', 2), ({ f1 }) => f1],
];
