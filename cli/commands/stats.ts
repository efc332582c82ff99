import type { Command } from 'commander';
import { figures, type Table, textTable } from '../../src/report/tables/table.ts';
import { COLUMN_FORMATS, type TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import {
  type Share,
  type TreebankStatistics,
  treebankStatistics,
  type ValueCount,
} from '../../src/treebank/statistics.ts';
import * as shared from '../options/common.ts';
import { examples } from '../terminal/help.ts';
import { count, plural, print, printJson, printText, SkippedSentences, styled } from '../terminal/output.ts';
import { watch } from '../terminal/progress.ts';

interface StatsFlags extends shared.CommonFlags {
  readonly format?: TreebankFormat;
  readonly skipInvalid?: boolean;
}

const MOST_FREQUENT = 12;

export function statsCommand(command: Command): Command {
  return command
    .argument('<file>', 'a treebank (-: standard input)')
    .addOption(shared.formatOption())
    .addOption(shared.encodingOption())
    .addOption(shared.skipInvalidOption())
    .addOption(shared.jsonOption('print all figures as JSON, with every tag and label'))
    .addOption(shared.quietOption())
    .addHelpText('after', examples('parliament stats train.conllu', 'parliament stats train.conllu --json'))
    .action(stats);
}

async function stats(path: string, { json, quiet, ...flags }: StatsFlags): Promise<void> {
  const skipped = new SkippedSentences();
  const treebank = await openTreebank(path, { ...flags, expect: 'partial-trees', onSkip: skipped.add });
  const statistics = await treebankStatistics(watch(treebank, 'counting', quiet));
  skipped.summarize();
  if (json) {
    return printJson({ file: treebank.name, format: treebank.format, skipped: skipped.count, ...statistics });
  }
  const columns = [
    ['UPOS', statistics.upos],
    ['XPOS', statistics.xpos],
    ['label', statistics.labels],
  ] as const;
  const tables = columns
    .filter(([, values]) => values.some(({ value }) => value !== '_'))
    .map(([name, values]) => frequencies(name, values, statistics.tokens));
  print(styled('bold', treebank.name), ` (${titleOf(treebank.format)})\n`);
  printText([summary(statistics), ...tables].join('\n'));
}

function titleOf(format: TreebankFormat): string {
  if (format === 'brackets') return 'brackets, as dependencies';
  if (format === 'conllup') return 'CoNLL-U Plus';
  return format === 'json' ? 'JSON Lines' : COLUMN_FORMATS[format].title;
}

function summary(statistics: TreebankStatistics): string {
  const { sentences, tokens, length, forms, lemmas, withoutHead, arcs } = statistics;
  const lines: readonly Line[] = [
    ['sentences', count(sentences)],
    ['tokens', count(tokens)],
    [
      'tokens per sentence',
      `${length.min} to ${length.max}, mean ${length.mean.toFixed(1)}, median ${length.median}`,
    ],
    ['different forms', count(forms)],
    ...(lemmas > 1 ? [['different lemmas', count(lemmas)] as const] : []),
    ...(withoutHead.count > 0 ? [['tokens without a head', share(withoutHead)] as const] : []),
    ...(withoutHead.count === 0 || arcs.count > 0 ? treeLines(statistics) : []),
  ];
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  return lines.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join('');
}

type Line = readonly [name: string, value: string];

function treeLines(statistics: TreebankStatistics): Line[] {
  return [
    ['non-projective arcs', share(statistics.nonProjectiveArcs)],
    ['non-projective sentences', share(statistics.nonProjectiveSentences)],
    ['sentences with several roots', share(statistics.severalRoots)],
    ['tokens from dependent to head', `mean ${statistics.arcs.meanLength.toFixed(2)}`],
    ['heads left of their dependent', `${statistics.arcs.headLeft.toFixed(2)}%`],
  ];
}

function share({ count: n, percent }: Share): string {
  return `${count(n)} (${percent.toFixed(2)}%)`;
}

function frequencies(name: string, values: readonly ValueCount[], tokens: number): string {
  const table: Table = {
    columns: [
      { key: 'value', title: name },
      { ...figures('count', 'tokens', 0), format: (value) => count(Number(value)) },
      figures('percent', '%', 2),
    ],
    rows: values.slice(0, MOST_FREQUENT).map(({ value, count: n }) => [value, n, (100 * n) / tokens]),
  };
  const more = values.length - MOST_FREQUENT;
  return textTable(table) + (more > 0 ? `… and ${plural(more, 'other')}\n` : '');
}
