import { InvalidArgumentError, Option } from 'commander';
import { type BreakdownName, breakdownNames } from '../../../src/evaluate/breakdowns/buckets.ts';
import { compare } from '../../../src/evaluate/comparison/compare.ts';
import { defaultMetrics, type MetricName, metricNames } from '../../../src/evaluate/comparison/metrics.ts';
import { ROWS_ON_PAGE } from '../../../src/report/html/comparison-page.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { toOption } from '../../options/formats.ts';
import { type PunctuationFlags, punctuationChoice, punctuationOptions } from '../../options/scoring.ts';
import { clearProgress } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { type TableFormat, tableFormats } from '../../terminal/tables.ts';
import { rethrowWithAdvice } from '../evaluate/phrases.ts';

export interface CompareFlags extends PunctuationFlags, shared.CommonFlags {
  readonly names?: readonly string[];
  readonly by?: readonly BreakdownName[];
  readonly metrics?: readonly MetricName[];
  readonly seed: number;
  readonly rounds: number;
  readonly limit?: number;
  readonly all?: boolean;
  readonly members?: readonly string[];
  readonly find?: TypedConditions;
  readonly html?: string;
  readonly to: TableFormat;
}

/** Default number of entries per list, in print and in JSON or CSV. */
export const PRINTED = 10;
const KEPT = 100;

export function compareOptions(command: Command): Command {
  return command
    .optionsGroup('Comparison:')
    .option(
      '--names <a,b,…>',
      'names of the parsers (default: what differs between their file names)',
      shared.list,
    )
    .with(
      ...punctuationOptions(),
      shared
        .listOption('--by <a,b,…>', 'properties of arcs for breakdowns of the scores', breakdownNames)
        .default(undefined, 'all'),
      shared
        .listOption(
          '--metrics <a,b,…>',
          'scores for significance tests and confidence intervals',
          metricNames,
        )
        .default(undefined, `${defaultMetrics.join(',')}; without labels ${defaultMetrics[0]}`),
      shared.seedOption(),
    )
    .integer('--rounds <n>', 'random draws per significance test', { min: 1, max: 10_000_000 }, 10_000)
    .option('--members <a,b,…>', 'names of the parsers whose vote to analyse (default: all)', shared.list)
    .with(
      findOption(),
      shared.formatOption('format of the treebanks; brackets are compared as brackets and as dependencies'),
      shared.encodingOption(),
    )
    .optionsGroup('Output:')
    .with(toOption('output format', tableFormats))
    .with(shared.jsonOption('the same as --to json').implies({ to: 'json' }))
    .option('--all', 'also print every test, breakdown and list of errors, agreement and the vote')
    .integer(
      '--limit <n>',
      'entries in each list',
      { min: 1 },
      undefined,
      `${PRINTED}; on the page ${ROWS_ON_PAGE}; in JSON and CSV ${KEPT}; with --find all`,
    )
    .option(
      '--html <file>',
      'also write a page of plots, tables and trees (-: only that, to standard output)',
    )
    .with(shared.quietOption());
}

const properties = ['right', 'wrong', 'only-right', 'only-wrong', 'label', 'tag'] as const;
/** Conditions on words as typed with `--find`. */
export type TypedConditions = readonly (readonly [property: (typeof properties)[number], value: string])[];

function findOption(): Option {
  const description =
    'only list the words that meet all conditions: right, wrong, only-right or only-wrong (name of a parser), label, tag (gold)';
  return new Option('--find <property=value,…>', description)
    .argParser(typedConditions)
    .conflicts(['by', 'metrics', 'rounds', 'seed', 'members', 'all', 'html']);
}

function typedConditions(typed: string): TypedConditions {
  return shared.list(typed).map((pair) => {
    const [, name, value] = /^([\w-]+)=(.+)$/.exec(pair) ?? [];
    const property = properties.find((each) => each === name);
    if (property !== undefined) return [property, value];
    throw new InvalidArgumentError(`'${pair}' is not a property and its value: ${properties.join(', ')}.`);
  });
}

/** Opens and compares the files, with progress on stderr. */
export async function compareFiles(goldFile: string, predictedFiles: readonly string[], flags: CompareFlags) {
  const { format, encoding, quiet, names, by, metrics, seed, rounds, limit = KEPT } = flags;
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted = await Promise.all(
    predictedFiles.map((file) => openTreebank(file, { format, encoding, expect: 'heads' })),
  );
  const options = { names, by, metrics, seed, rounds, limit, punctuation: punctuationChoice(flags) };
  const scoring = progress('sentences', quiet);
  const testing = progress('rounds', quiet);
  const compared = await compare(gold, predicted, {
    ...options,
    onSentence: (done) => scoring('scoring', done),
    onProgress: (done, total) => testing('testing', done, total),
  })
    .catch((error) =>
      rethrowWithAdvice(
        error,
        predicted.map((file) => ({ trees: file, file })),
        'expected one of each',
      ),
    )
    .finally(clearProgress);
  const areBrackets = [gold, ...predicted].every((file) => file.format === 'brackets');
  return { ...compared, areBrackets };
}
