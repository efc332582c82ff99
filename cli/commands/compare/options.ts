import { type Command, InvalidArgumentError, Option } from 'commander';
import { type BreakdownName, breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { defaultMetrics, type MetricName, metricNames } from '../../../src/evaluate/comparison/metrics.ts';
import { ROWS_ON_PAGE } from '../../../src/report/html/comparison-page.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import {
  encodingOption,
  fromOption,
  integer,
  jsonOption,
  list,
  listOption,
  quietOption,
} from '../../options/common.ts';
import { type PunctuationFlags, punctuationOption, punctuationRuleOption } from '../../options/scoring.ts';
import { type TableFormat, tableFormats } from '../../terminal/tables.ts';

export interface CompareFlags extends PunctuationFlags {
  readonly names?: readonly string[];
  readonly by?: readonly BreakdownName[];
  readonly metrics?: readonly MetricName[];
  readonly seed: number;
  readonly rounds: number;
  readonly limit?: number;
  readonly all?: boolean;
  readonly members?: readonly string[];
  readonly from?: TreebankFormat;
  readonly encoding: string;
  readonly find?: AskedWords;
  readonly html?: string;
  readonly format: TableFormat;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Entries in each list, unless `--limit` says otherwise: printed, and kept for programs. */
export const PRINTED = 10;
export const KEPT = 100;

/** All options of the command. */
export function compareOptions(command: Command): Command {
  return command
    .optionsGroup('What is compared:')
    .option('--names <a,b,…>', 'what to call the parsers (default: what tells their files apart)', list)
    .addOption(punctuationOption())
    .addOption(punctuationRuleOption())
    .addOption(byOption())
    .addOption(metricsOption())
    .addOption(seedOption())
    .addOption(roundsOption())
    .option('--members <a,b,…>', 'names of the parsers whose vote is analysed (default: all)', list)
    .addOption(findOption())
    .addOption(fromOption('format of the treebanks; brackets are compared as such and as dependencies'))
    .addOption(encodingOption())
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <name>', 'how the comparison is printed').choices(tableFormats).default('text'),
    )
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .option('--all', 'print every test, breakdown and list of errors, agreement and the vote, too')
    .addOption(limitOption())
    .option(
      '--html <file>',
      'write a page of plots, tables and trees, too (-: to standard output, nothing else)',
    )
    .addOption(quietOption());
}

function byOption(): Option {
  const description = 'properties of arcs to break the scores down by';
  return listOption('--by <a,b,…>', description, breakdownNames).default(undefined, 'all');
}

function metricsOption(): Option {
  const description = 'scores to test the parsers by, and to give confidence intervals of';
  return listOption('--metrics <a,b,…>', description, metricNames).default(
    undefined,
    `${defaultMetrics.join(',')}; without labels ${defaultMetrics[0]}`,
  );
}

function seedOption(): Option {
  return new Option('--seed <n>', 'seed of the random draws')
    .argParser(integer({ min: 0, max: 0xffff_ffff }))
    .default(1);
}

function roundsOption(): Option {
  return new Option('--rounds <n>', 'random draws of each test of significance')
    .argParser(integer({ min: 1, max: 10_000_000 }))
    .default(10_000);
}

function limitOption(): Option {
  return new Option('--limit <n>', 'entries in each list')
    .argParser(integer({ min: 1 }))
    .default(undefined, `${PRINTED}; on the page ${ROWS_ON_PAGE}; in JSON and CSV ${KEPT}`);
}

const properties = ['right', 'wrong', 'only-right', 'only-wrong', 'label', 'tag'] as const;

/** What is asked of words, as it is typed: pairs of a property and its value. */
export type AskedWords = readonly (readonly [property: (typeof properties)[number], value: string])[];

function findOption(): Option {
  const description =
    'list the words for which all of this holds, and nothing else: right, wrong, only-right or only-wrong (the name of a parser), label, tag (gold’s)';
  return new Option('--find <property=value,…>', description)
    .argParser(askedWords)
    .conflicts(['by', 'metrics', 'rounds', 'seed', 'members', 'all', 'html']);
}

function askedWords(typed: string): AskedWords {
  return list(typed).map((pair) => {
    const [, name, value] = /^([\w-]+)=(.+)$/.exec(pair) ?? [];
    const property = properties.find((each) => each === name);
    if (property !== undefined) return [property, value];
    throw new InvalidArgumentError(`'${pair}' is not a property and its value: ${properties.join(', ')}.`);
  });
}
