import { type Command, Option } from 'commander';
import { UsageError } from '../../../src/errors.ts';
import {
  type BreakdownName,
  type BucketScores,
  breakdownNames,
} from '../../../src/evaluate/breakdowns/breakdown.ts';
import { type EvaluationReport, evaluate } from '../../../src/evaluate/evaluate.ts';
import { figures, type Table, textTable } from '../../../src/report/tables/table.ts';
import type { TreebankFormat } from '../../../src/treebank/format.ts';
import { openTreebank, type TreebankFile } from '../../../src/treebank/treebank-file.ts';
import {
  checkStandardInput,
  encodingOption,
  formatOption,
  jsonOption,
  quietOption,
} from '../../options/common.ts';
import {
  type PunctuationFlags,
  punctuationChoice,
  punctuationHelp,
  punctuationLine,
  punctuationOption,
  punctuationRuleOption,
} from '../../options/punctuation.ts';
import { examples } from '../../terminal/help.ts';
import { print, printJson, warn } from '../../terminal/output.ts';
import { watch } from '../../terminal/watch.ts';
import {
  evaluatePhrases,
  maxLengthOption,
  type PhraseFlags,
  phraseScorer,
  phraseScorerHelp,
  scorerOption,
  skipDifferingOption,
} from './phrases.ts';

interface EvaluateFlags extends PunctuationFlags, PhraseFlags {
  readonly by?: BreakdownName;
  readonly encoding: string;
  readonly format?: TreebankFormat;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `parliament evaluate GOLD PRED…` */
export function evaluateCommand(command: Command): Command {
  return command
    .argument('<gold>', 'the right trees (-: standard input)')
    .argument(
      '<predicted...>',
      'the trees to be scored, of the same tokens: one file or several (-: standard input)',
    )
    .addOption(punctuationOption())
    .addOption(punctuationRuleOption())
    .addOption(
      new Option(
        '--by <property>',
        'break the scores down by a property of the arc; of brackets, by label or length',
      ).choices(breakdownNames),
    )
    .addOption(scorerOption())
    .addOption(maxLengthOption())
    .addOption(skipDifferingOption())
    .addOption(formatOption())
    .addOption(encodingOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .addHelpText('after', punctuationHelp())
    .addHelpText('after', phraseScorerHelp())
    .addHelpText(
      'after',
      examples(
        'parliament evaluate gold.conllu graph.conllu transition.conllu',
        'parliament evaluate gold.conllu parsed.conllu --punctuation exclude --by label',
        'parliament evaluate gold.mrg parsed.mrg --max-length 40',
      ),
    )
    .action(run);
}

async function run(
  goldFile: string,
  predictedFiles: readonly string[],
  flags: EvaluateFlags,
  command: Command,
): Promise<void> {
  checkStandardInput([goldFile, ...predictedFiles]);
  if (goldFile === '-' && predictedFiles.length > 1) {
    throw new UsageError('gold trees from standard input can be compared with one file only');
  }
  const options = { punctuation: punctuationChoice(flags), by: flags.by === undefined ? [] : [flags.by] };
  const { format, encoding } = flags;
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted: TreebankFile[] = [];
  for (const file of predictedFiles) {
    predicted.push(await openTreebank(file, { format, encoding, expect: 'heads' }));
  }
  const scorer = phraseScorer(flags, [gold, ...predicted]);
  if (scorer !== undefined) {
    const isAsked = command.getOptionValueSource('punctuation') === 'cli';
    const punctuation = isAsked ? flags.punctuation : undefined;
    return evaluatePhrases(gold, predicted, { ...flags, punctuation, scorer });
  }
  const watched = watch(gold, 'scoring', flags.quiet);
  const reports: EvaluationReport[] = [];
  for (const file of predicted) {
    const report = await evaluate(watched, file, options);
    for (const warning of report.warnings) warn(`${file.name}: ${warning}`);
    reports.push(report);
  }
  if (flags.json) printJson(reports);
  else printReports(reports, flags.by);
}

function printReports(reports: readonly EvaluationReport[], by: BreakdownName | undefined): void {
  print(textTable(scoreTable(reports)));
  print(punctuationLine(reports[0]!.punctuation));
  if (by === undefined) return;
  for (const { file, breakdowns } of reports) {
    print(`\n${file} by ${by}:\n`);
    process.stdout.write(textTable(breakdownTable(by, breakdowns[by] ?? [])));
  }
}

/** One row a file. */
function scoreTable(reports: readonly EvaluationReport[]): Table {
  return {
    columns: [
      { key: 'file', title: 'file' },
      figures('sentences', 'sentences', 0),
      figures('tokens', 'tokens', 0),
      figures('uas', 'UAS', 2),
      figures('las', 'LAS', 2),
      figures('laa', 'LAA', 2),
      figures('rootAccuracy', 'root', 2),
      figures('completeRate', 'complete', 2),
    ],
    rows: reports.map(({ file, sentences, tokens, uas, las, laa, rootAccuracy, completeRate }) => [
      file,
      sentences,
      tokens,
      uas,
      las,
      laa,
      rootAccuracy,
      completeRate,
    ]),
  };
}

function breakdownTable(by: BreakdownName, buckets: readonly BucketScores[]): Table {
  return {
    columns: [
      { key: 'bucket', title: by },
      figures('gold', 'gold', 0),
      figures('predicted', 'predicted', 0),
      figures('unlabelledPrecision', 'UAS P', 2),
      figures('unlabelledRecall', 'UAS R', 2),
      figures('unlabelledF1', 'UAS F1', 2),
      figures('labelledPrecision', 'LAS P', 2),
      figures('labelledRecall', 'LAS R', 2),
      figures('labelledF1', 'LAS F1', 2),
    ],
    rows: buckets.map(({ bucket, gold, predicted, unlabelled, labelled }) => [
      bucket,
      gold,
      predicted,
      unlabelled.precision,
      unlabelled.recall,
      unlabelled.f1,
      labelled.precision,
      labelled.recall,
      labelled.f1,
    ]),
  };
}
