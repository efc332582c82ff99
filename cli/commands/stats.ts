import { parserNames } from '../../src/evaluate/comparison/names.ts';
import type { ColumnOf, Table } from '../../src/report/tables/table.ts';
import {
  figures,
  markdownTable,
  tableOf,
  text,
  textTable,
  withoutEmptyColumns,
} from '../../src/report/tables/table.ts';
import { COLUMN_FORMATS, type TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank, type TreebankFile } from '../../src/treebank/reading/treebank-file.ts';
import type { Share, TreebankStatistics, ValueCount } from '../../src/treebank/statistics.ts';
import { treebankStatistics } from '../../src/treebank/statistics.ts';
import type { Command } from '../options/command.ts';
import * as shared from '../options/common.ts';
import { toOption } from '../options/formats.ts';
import { count, plural, print, printJson, printText, SkippedSentences, styled } from '../terminal/output.ts';
import { watch } from '../terminal/progress.ts';

interface StatsFlags extends shared.CommonFlags {
  readonly train?: string;
  readonly to: 'text' | 'markdown';
}

const MOST_FREQUENT = 12;

export function statsCommand(command: Command): Command {
  return command
    .argument('<files...>', 'treebank (-: standard input); several are compared in one table')
    .with(shared.formatOption(), shared.encodingOption(), shared.skipInvalidOption())
    .option('--train <file>', 'training treebank, to count the tokens with unknown forms')
    .with(toOption('output format; in Markdown, one treebank is a table of one row', ['text', 'markdown']))
    .with(shared.jsonOption('print all figures as JSON, with every tag and label'), shared.quietOption())
    .examples('parliament stats train.conllu', 'parliament stats dev.conllu test.conllu --train train.conllu')
    .action(stats);
}

async function stats(paths: readonly string[], flags: StatsFlags): Promise<void> {
  const { format, encoding, skipInvalid } = flags;
  const skipped = new SkippedSentences();
  const open = async (path: string) => {
    const reading = { format, encoding, skipInvalid, expect: 'partial-trees', onSkip: skipped.add } as const;
    const treebank = await openTreebank(path, reading);
    return { treebank, sentences: watch(treebank, 'counting', flags.quiet) };
  };
  const known = flags.train === undefined ? undefined : new Set<string>();
  if (flags.train !== undefined)
    for await (const { forms } of (await open(flags.train)).sentences)
      for (const form of forms) known?.add(form);
  const counted: Counted[] = [];
  for (const path of paths) {
    const { treebank, sentences } = await open(path);
    const before = skipped.count;
    const statistics = await treebankStatistics(sentences, known);
    counted.push({ treebank, statistics, skipped: skipped.count - before });
  }
  skipped.summarize();
  if (flags.json) return printJson(counted.length === 1 ? records(counted)[0] : records(counted));
  if (counted.length > 1 || flags.to === 'markdown') return printText(comparison(counted, flags.to));
  const [{ treebank, statistics }] = counted as [Counted];
  const { upos, xpos, labels } = statistics;
  const columns = Object.entries({ UPOS: upos, XPOS: xpos, label: labels });
  const tables = columns
    .filter(([, values]) => values.some(({ value }) => value !== '_'))
    .map(([name, values]) => frequencies(name, values, statistics.tokens));
  print(styled('bold', treebank.name), ` (${titleOf(treebank.format)})\n`);
  printText([summary(statistics), ...tables].join('\n'));
}

interface Counted {
  readonly treebank: TreebankFile;
  readonly statistics: TreebankStatistics;
  readonly skipped: number;
}

function records(counted: readonly Counted[]) {
  return counted.map(({ treebank: { name, format }, skipped, statistics }) => ({
    ...{ file: name, format, skipped },
    ...statistics,
  }));
}

function comparison(counted: readonly Counted[], to: StatsFlags['to']): string {
  const names = parserNames(counted.map(({ treebank }) => treebank.name));
  const number = (title: string, of: (statistics: TreebankStatistics) => number | undefined, decimals = 0) =>
    [figures(title, title, decimals), ({ statistics }: Counted) => of(statistics) ?? null] as const;
  const different = (values: readonly ValueCount[]) =>
    values.filter(({ value }) => value !== '_').length || undefined;
  const columns: ColumnOf<Counted>[] = [
    [text('treebank'), (one) => names[counted.indexOf(one)]!],
    number('sentences', ({ sentences }) => sentences),
    number('tokens', ({ tokens }) => tokens),
    number('forms', ({ forms }) => forms),
    number('unknown %', ({ unknownForms }) => unknownForms?.percent, 1),
    number('lemmas', ({ lemmas }) => lemmas || undefined),
    number('UPOS', ({ upos }) => different(upos)),
    number('XPOS', ({ xpos }) => different(xpos)),
    number('features', ({ features }) => features || undefined),
    number('combinations', ({ featureCombinations }) => featureCombinations || undefined),
    number('labels', ({ labels }) => different(labels)),
    number('mean length', ({ length }) => length.mean, 1),
    number('mean depth', ({ meanDepth }) => meanDepth, 2),
    number('crossing arcs %', ({ nonProjectiveArcs }) => nonProjectiveArcs.percent, 2),
    number('trees with them %', ({ nonProjectiveSentences }) => nonProjectiveSentences.percent, 2),
  ];
  const table = withoutEmptyColumns(tableOf(counted, columns));
  return to === 'markdown' ? markdownTable(table) : textTable(table);
}

function titleOf(format: TreebankFormat): string {
  if (format === 'brackets') return 'brackets, as dependencies';
  if (format === 'conllup') return 'CoNLL-U Plus';
  return format === 'json' ? 'JSON Lines' : COLUMN_FORMATS[format].title;
}

function summary(statistics: TreebankStatistics): string {
  const { sentences, tokens, length, forms, unknownForms, lemmas, withoutHead, arcs } = statistics;
  const lines: readonly Line[] = [
    ['sentences', count(sentences)],
    ['tokens', count(tokens)],
    [
      'tokens per sentence',
      `${length.min} to ${length.max}, mean ${length.mean.toFixed(1)}, median ${length.median}`,
    ],
    ['different forms', count(forms)],
    ...(unknownForms ? [['tokens with unknown forms', share(unknownForms)] as const] : []),
    ...(lemmas > 0 ? [['different lemmas', count(lemmas)] as const] : []),
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

const share = ({ count: n, percent }: Share) => `${count(n)} (${percent.toFixed(2)}%)`;

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
