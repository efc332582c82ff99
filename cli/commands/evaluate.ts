import { Command, Option } from 'commander';
import { UsageError } from '../../src/errors.ts';
import { type BreakdownName, type BucketScores, breakdownNames } from '../../src/evaluate/breakdown.ts';
import { type EvaluationReport, evaluate } from '../../src/evaluate/evaluate.ts';
import {
  type PunctuationChoice,
  punctuationChoices,
  punctuationRules,
} from '../../src/evaluate/punctuation.ts';
import { figures, type Table, textTable } from '../../src/report/table.ts';
import type { TreebankFormat } from '../../src/treebank/format.ts';
import { openTreebank } from '../../src/treebank/treebank-file.ts';
import { examples } from '../help.ts';
import { encodingOption, formatOption, jsonOption, quietOption } from '../options.ts';
import { plural, print, printJson, warn } from '../output.ts';
import { watch } from '../watch.ts';

interface EvaluateFlags {
  readonly punctuation: 'include' | 'exclude';
  readonly punctuationRule?: PunctuationChoice;
  readonly by?: BreakdownName;
  readonly encoding: string;
  readonly format?: TreebankFormat;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `parliament evaluate GOLD PRED…` */
export function evaluateCommand(): Command {
  return new Command('evaluate')
    .description('Score predicted dependency trees against gold ones.')
    .argument('<gold>', 'the right trees (-: standard input)')
    .argument(
      '<predicted...>',
      'the trees to be scored, of the same tokens: one file or several (-: standard input)',
    )
    .addOption(
      new Option('--punctuation <choice>', 'whether punctuation counts')
        .choices(['include', 'exclude'])
        .default('include'),
    )
    .addOption(
      new Option(
        '--punctuation-rule <rule>',
        'with --punctuation exclude: what punctuation is; auto is the first of upos, ptb and conllx that finds some',
      )
        .choices(punctuationChoices.filter((choice) => choice !== 'include'))
        .default(undefined, 'auto'),
    )
    .addOption(
      new Option('--by <property>', 'break the scores down by a property of the arc').choices(breakdownNames),
    )
    .addOption(formatOption())
    .addOption(encodingOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .addHelpText('after', ruleHelp())
    .addHelpText(
      'after',
      examples(
        'parliament evaluate gold.conllu graph.conllu transition.conllu',
        'parliament evaluate gold.conllu parsed.conllu --punctuation exclude --by label',
      ),
    )
    .action(run);
}

async function run(goldFile: string, predictedFiles: readonly string[], flags: EvaluateFlags): Promise<void> {
  if ([goldFile, ...predictedFiles].filter((file) => file === '-').length > 1) {
    throw new UsageError('standard input (-) can be read only once');
  }
  if (goldFile === '-' && predictedFiles.length > 1) {
    throw new UsageError('gold trees from standard input can be compared with one file only');
  }
  const options = { punctuation: punctuationChoice(flags), by: flags.by === undefined ? [] : [flags.by] };
  const { format, encoding } = flags;
  const reports: EvaluationReport[] = [];
  const gold = watch(
    await openTreebank(goldFile, { format, encoding, expect: 'trees' }),
    'scoring',
    flags.quiet,
  );
  for (const file of predictedFiles) {
    const report = await evaluate(
      gold,
      await openTreebank(file, { format, encoding, expect: 'heads' }),
      options,
    );
    for (const warning of report.warnings) warn(`${file}: ${warning}`);
    reports.push(report);
  }
  if (flags.json) printJson(reports);
  else printReports(reports, flags.by);
}

function punctuationChoice({ punctuation, punctuationRule }: EvaluateFlags): PunctuationChoice {
  if (punctuation === 'exclude') return punctuationRule ?? 'auto';
  if (punctuationRule !== undefined) {
    throw new UsageError('--punctuation-rule says what to leave out: it needs --punctuation exclude');
  }
  return 'include';
}

function printReports(reports: readonly EvaluationReport[], by: BreakdownName | undefined): void {
  print(textTable(scoreTable(reports)));
  const { rule, excluded } = reports[0]!.punctuation;
  const left = excluded === 0 ? '' : `; ${plural(excluded, 'token')} left out`;
  print(`Punctuation rule ${rule}: ${punctuationRules[rule].summary}${left}.`);
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

function ruleHelp(): string {
  const lines = Object.entries(punctuationRules).map(
    ([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`,
  );
  return `\nPunctuation rules:\n${lines.join('\n')}`;
}
