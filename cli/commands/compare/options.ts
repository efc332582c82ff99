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

/** Default entries per list: printed, and in output for programs. */
export const PRINTED = 10;
export const KEPT = 100;

export function compareOptions(command: Command): Command {
  return command
    .optionsGroup('What is compared:')
    .option('--names <a,b,…>', 'names of the parsers (default: what differs between their file names)', list)
    .addOption(punctuationOption())
    .addOption(punctuationRuleOption())
    .addOption(byOption())
    .addOption(metricsOption())
    .addOption(seedOption())
    .addOption(roundsOption())
    .option('--members <a,b,…>', 'names of the parsers whose vote to analyse (default: all)', list)
    .addOption(findOption())
    .addOption(fromOption('format of the treebanks; brackets are compared as brackets and as dependencies'))
    .addOption(encodingOption())
    .optionsGroup('Output:')
    .addOption(new Option('--format <name>', 'output format').choices(tableFormats).default('text'))
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .option('--all', 'also print every test, breakdown and list of errors, agreement and the vote')
    .addOption(limitOption())
    .option(
      '--html <file>',
      'also write a page of plots, tables and trees (-: only that, to standard output)',
    )
    .addOption(quietOption());
}

function byOption(): Option {
  const description = 'properties of arcs for breakdowns of the scores';
  return listOption('--by <a,b,…>', description, breakdownNames).default(undefined, 'all');
}

function metricsOption(): Option {
  const description = 'scores for significance tests and confidence intervals';
  return listOption('--metrics <a,b,…>', description, metricNames).default(
    undefined,
    `${defaultMetrics.join(',')}; without labels ${defaultMetrics[0]}`,
  );
}

function seedOption(): Option {
  return new Option('--seed <n>', 'random seed').argParser(integer({ min: 0, max: 0xffff_ffff })).default(1);
}

function roundsOption(): Option {
  return new Option('--rounds <n>', 'random draws per significance test')
    .argParser(integer({ min: 1, max: 10_000_000 }))
    .default(10_000);
}

function limitOption(): Option {
  return new Option('--limit <n>', 'entries in each list')
    .argParser(integer({ min: 1 }))
    .default(undefined, `${PRINTED}; on the page ${ROWS_ON_PAGE}; in JSON and CSV ${KEPT}`);
}

const properties = ['right', 'wrong', 'only-right', 'only-wrong', 'label', 'tag'] as const;

/** Conditions on words, as typed: properties and their values. */
export type AskedWords = readonly (readonly [property: (typeof properties)[number], value: string])[];

function findOption(): Option {
  const description =
    'only list the words that meet all conditions: right, wrong, only-right or only-wrong (name of a parser), label, tag (gold)';
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
