import { Option } from 'commander';
import { InputError, UsageError } from '../../../src/errors.ts';
import type { BucketScores } from '../../../src/evaluate/breakdowns/breakdown.ts';
import { type BreakdownName, breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { labelNotes, metrics, shownMetrics } from '../../../src/evaluate/comparison/metrics.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { type EvaluationReport, evaluate } from '../../../src/evaluate/evaluate.ts';
import { oracleTrees, ruleFor } from '../../../src/evaluate/oracle.ts';
import { phraseScorers } from '../../../src/evaluate/parseval/scorers.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { alignedTextTable, textTableTitle } from '../../../src/report/tables/evaluation-tables.ts';
import { type ColumnOf, figures, type Table, tableOf, text } from '../../../src/report/tables/table.ts';
import { openTreebank, type TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import type { Command } from '../../options/command.ts';
import type { CommonFlags } from '../../options/common.ts';
import { encodingOption, formatOption, jsonOption, quietOption } from '../../options/common.ts';
import { toOption } from '../../options/formats.ts';
import * as scoring from '../../options/scoring.ts';
import { summaries } from '../../terminal/help.ts';
import { printJson, warn } from '../../terminal/output.ts';
import { watch } from '../../terminal/progress.ts';
import type { PhraseFlags } from './phrases.ts';
import { evaluatePhrases, phraseOptions, phraseScorer, rethrowWithAdvice } from './phrases.ts';
import { bucketColumns, fileBreakdown, fileReliability, printScores } from './print.ts';

const CONFIDENCE = 'confidence';

interface EvaluateFlags extends scoring.PunctuationFlags, PhraseFlags, CommonFlags {
  readonly by?: BreakdownName | typeof CONFIDENCE;
  readonly to: (typeof scoreFormats)[number];
  readonly oracle?: boolean;
}

export function evaluateCommand(command: Command): Command {
  const scored = command
    .argument('<gold>', 'gold trees (-: standard input)')
    .argument('<predicted...>', 'predicted trees of the same text, one or more files (-: standard input)')
    .with(
      ...scoring.punctuationOptions(),
      new Option(
        '--by <property>',
        'break the scores down by a property of arcs, or by confidence (calibration); for brackets: by label or length',
      ).choices([...breakdownNames, CONFIDENCE]),
    );
  return phraseOptions(scored)
    .option('--oracle', 'score the best of each sentence’s trees, in a file from parse --n-best')
    .with(formatOption(), toOption('output format', scoreFormats), encodingOption(), jsonOption())
    .with(quietOption())
    .addHelpText('after', scoring.scoresHelp())
    .addHelpText('after', splitTextHelp)
    .addHelpText('after', scoring.punctuationHelp())
    .addHelpText('after', summaries('Scorers of brackets', phraseScorers))
    .examples(
      'parliament evaluate gold.conllu graph.conllu transition.conllu',
      'parliament evaluate gold.conllu parsed.conllu --punctuation exclude --by label',
      'parliament evaluate gold.conllu parsed.conllu --by confidence',
      'parliament evaluate gold.conllu graph.conllu transition.conllu --to latex',
      'parliament evaluate gold.conllu five.conllu --oracle',
      'parliament evaluate gold.mrg parsed.mrg --max-length 40',
    )
    .action(run)
    .acceptOldFormats(scoreFormats);
}

const splitTextHelp = `
Different tokenization:
  Tokens, words and sentences may differ from gold's if the characters are the same. Words are aligned as in UD's
  eval.py, whose scores are also printed (--json: "text"). UAS, LAS and LAA are then F1 scores over gold and predicted
  words; root and complete are of gold sentences. A word that gold lacks is punctuation by its own tag or form.
`;

const scoreFormats = ['text', 'markdown', 'latex', 'csv'] as const;

async function run(
  goldFile: string,
  predictedFiles: readonly string[],
  flags: EvaluateFlags,
  command: Command,
): Promise<void> {
  checkStandardInput([goldFile, ...predictedFiles]);
  if (goldFile === '-' && predictedFiles.length > 1)
    throw new UsageError('gold trees from standard input can be compared with one file only');
  const confidence = flags.by === CONFIDENCE;
  const by = flags.by === undefined || flags.by === CONFIDENCE ? [] : [flags.by];
  const options = { punctuation: scoring.punctuationChoice(flags), by, confidence };
  const { encoding, format, to } = flags;
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted: TreebankFile[] = [];
  for (const file of predictedFiles)
    predicted.push(await openTreebank(file, { format, encoding, expect: 'heads' }));
  const scorer = phraseScorer(flags, [gold, ...predicted]);
  if (flags.oracle && goldFile === '-')
    throw new UsageError('--oracle reads gold twice, not from standard input');
  if (scorer !== undefined) {
    const isAsked = command.getOptionValueSource('punctuation') === 'cli';
    const punctuation = isAsked ? flags.punctuation : undefined;
    return evaluatePhrases(gold, predicted, { ...flags, shown: to, punctuation, scorer });
  }
  const watched = watch(gold, 'scoring', flags.quiet);
  const rule = flags.oracle ? await ruleFor(gold, options.punctuation) : undefined;
  const reports: EvaluationReport[] = [];
  for (const file of predicted) {
    const trees = flags.oracle ? oracleTrees(gold, file, file.name, rule) : file;
    const scores = await evaluate(watched, trees, options).catch((error) =>
      rethrowWithAdvice(error, flags.oracle ? [] : [{ trees: file, file }], 'add --oracle'),
    );
    const report = { ...scores, file: file.name };
    for (const warning of report.warnings) warn(`${file.name}: ${warning}`);
    reports.push(report);
  }
  if (flags.json) return printJson(reports);
  const printed = printedScores(reports, goldFile, flags.by);
  if (confidence && to === 'csv' && printed.breakdowns.length === 0)
    throw new InputError(`no confidences to print in ${predicted.map(({ name }) => name).join(', ')}`);
  printScores(printed, to, flags.quiet);
}

function printedScores(reports: readonly EvaluationReport[], gold: string, by: EvaluateFlags['by']) {
  const names = parserNames(reports.map(({ file }) => file));
  const aligned = alignedTextTable(reports.map(({ text }, i) => ({ name: names[i], text })));
  const notes = [scoring.punctuationLine(reports[0]!.punctuation), ...labelNotes(shownMetrics(reports))];
  return {
    gold,
    scores: { title: 'Scores', table: scoreTable(reports), notes },
    aligned: aligned && { title: textTableTitle, table: aligned, notes: [] },
    breakdowns: reports.flatMap((report) => {
      const { file, breakdowns } = report;
      if (by === undefined) return [];
      if (by === CONFIDENCE) return fileReliability(report);
      return [fileBreakdown(file, by, breakdownTable(by, breakdowns[by] ?? []), labelNotes(['las']))];
    }),
  };
}

/** One row per file; with UD's metrics if some file has them. */
function scoreTable(reports: readonly EvaluationReport[]): Table {
  return tableOf(reports, [
    [text('file'), ({ file }) => file],
    [figures('sentences', 'sentences', 0), ({ sentences }) => sentences],
    [figures('tokens', 'tokens', 0), ({ tokens }) => tokens],
    ...shownMetrics(reports).map((name): ColumnOf<EvaluationReport> => {
      const { title, score } = metrics[name];
      return [figures(name, title, 2), score];
    }),
  ]);
}

function breakdownTable(by: BreakdownName, buckets: readonly BucketScores[]): Table {
  return tableOf(buckets, [
    ...bucketColumns(by),
    [figures('unlabelledPrecision', 'UAS P', 2), ({ unlabelled }) => unlabelled.precision],
    [figures('unlabelledRecall', 'UAS R', 2), ({ unlabelled }) => unlabelled.recall],
    [figures('unlabelledF1', 'UAS F1', 2), ({ unlabelled }) => unlabelled.f1],
    [figures('labelledPrecision', 'LAS P', 2), ({ labelled }) => labelled.precision],
    [figures('labelledRecall', 'LAS R', 2), ({ labelled }) => labelled.recall],
    [figures('labelledF1', 'LAS F1', 2), ({ labelled }) => labelled.f1],
  ]);
}
