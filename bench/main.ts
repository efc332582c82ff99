/** `npm run bench`: speed and memory of training and parsing, as tables or JSON. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { integer } from '../cli/options/common.ts';
import { fileSize } from '../cli/terminal/output.ts';
import { mean } from '../experiment/cells/figures.ts';
import { packageFolder } from '../src/platform/package.ts';
import type { Cell, Column, Table } from '../src/report/tables/table.ts';
import { figures, text, textTable } from '../src/report/tables/table.ts';
import { benchDecoders, benchSvm } from './algorithms.ts';
import type { BenchTreebank, ParserBench, ParserRow, VoteRow } from './commands.ts';
import { benchParser, benchVote } from './commands.ts';
import { candidateOf, type Fold, measureFold } from './cross-validation.ts';
import { ewt, found, partsOf, realTreebanks } from './real-treebanks.ts';

const sample = join(packageFolder, 'data', 'sample');
const treebanks: readonly BenchTreebank[] = [
  { name: 'sample', train: join(sample, 'train.conllu'), dev: join(sample, 'dev.conllu') },
  ewt,
];

const dynamic = ['--beam', '1', '--oracle', 'dynamic'];
const transition = (system: string) => ['transition', '--system', system];

const parserColumns = [
  text('treebank'),
  text('parser'),
  figures('runs', 'runs', 0),
  figures('trainSeconds', 'training s', 1),
  figures('trainCpuSeconds', 'processor s', 1),
  memory('trainMemory', 'training memory'),
  memory('modelBytes', 'model'),
  figures('uas', 'UAS', 2),
  figures('las', 'LAS', 2),
  figures('parseSentencesPerSecond', 'parsing sent./s', 0),
  figures('parseTokensPerSecond', 'tokens/s', 0),
  figures('firstSentencesPerSecond', 'first time', 0),
  memory('parseMemory', 'parsing memory'),
];

const voteColumns = [
  text('treebank'),
  text('method', 'vote by'),
  figures('members', 'members', 0),
  figures('sentences', 'sentences', 0),
  figures('seconds', 's, start included', 2),
];

const decoderColumns = [
  text('decoder'),
  figures('tokens', 'tokens', 0),
  figures('microseconds', 'µs a sentence', 1),
];

/** Dual objectives, to be minimised; empty if LIBLINEAR is not installed or has no such solver. */
const svmColumns = [
  text('problem', 'examples × features'),
  text('machine'),
  figures('passes', 'passes', 0),
  figures('seconds', 'training s', 2),
  figures('liblinearSeconds', 'LIBLINEAR s', 2),
  figures('objective', 'objective', 2),
  figures('liblinearObjective', "LIBLINEAR's", 2),
];

const program = new Command('bench')
  .description(
    'Times training and parsing with every kind of parser, one thread each, and voting; medians over the runs.',
  )
  .option('--runs <n>', 'runs of training and parsing, to report their median', integer({ min: 1 }), 5)
  .addOption(new Option('--treebank <name>', 'only this treebank').choices(treebanks.map(({ name }) => name)))
  .option('--parser <text>', 'only parsers whose names contain this')
  .option('--json', 'JSON with full precision')
  .parse();
const { runs, treebank, json, parser } = program.opts<{
  runs: number;
  parser?: string;
  treebank?: string;
  json?: boolean;
}>();

const rows: ParserRow[] = [];
const votes: VoteRow[] = [];
for (const bank of treebanks.filter(({ name }) => treebank === undefined || name === treebank)) {
  if (!existsSync(bank.train)) {
    process.stderr.write(`${bank.name}: not found, skipped\n`);
    continue;
  }
  for (const bench of benches()) rows.push(await benchParser(bank, bench));
  votes.push(...(await benchVote(bank, runs)));
}
// Means over treebanks make no sense for a single one.
const accuracy: AccuracyRow[] = treebank === undefined ? await benchAccuracy(benches(), rows) : [];
const decoders = benchDecoders();
const svm = await benchSvm();
if (json) {
  const records = { parsers: rows, accuracy, votes, decoders, svm };
  process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
} else {
  const tables = [
    recordTable(parserColumns, rows),
    ...(accuracy.length > 0 ? [accuracyTable(accuracy)] : []),
    recordTable(voteColumns, votes),
    recordTable(decoderColumns, decoders),
    recordTable(svmColumns, svm),
  ];
  process.stdout.write(tables.map(textTable).join('\n'));
}

/** The parsers to time. Slow ones run once. */
function benches(): ParserBench[] {
  const all = [
    { name: 'graph, Chu–Liu–Edmonds', arguments: ['graph'], runs },
    { name: 'graph, Eisner', arguments: ['graph', '--decoder', 'eisner'], runs },
    {
      name: 'graph, second order, Eisner',
      arguments: ['graph', '--order', '2', '--decoder', 'eisner'],
      runs: 1,
    },
    { name: 'arc-swap, SVM', arguments: [...transition('arc-swap'), '--learner', 'svm'], runs },
    { name: 'arc-eager, dynamic oracle', arguments: [...transition('arc-eager'), ...dynamic], runs },
    { name: 'arc-eager, beam', arguments: transition('arc-eager'), runs: 1 },
    { name: 'Yamada–Matsumoto', arguments: ['yamada-matsumoto'], runs: 1 },
    { name: 'network', arguments: ['network'], runs: 1 },
    { name: 'bigram', arguments: ['bigram'], runs },
  ];
  return all.filter(({ name }) => parser === undefined || name.includes(parser));
}

function recordTable(columns: readonly Column[], records: readonly object[]): Table {
  const cell = (record: object, key: string) => (record as Readonly<Record<string, Cell>>)[key] ?? null;
  return { columns, rows: records.map((record) => columns.map(({ key }) => cell(record, key))) };
}

function memory(key: string, title: string): Column {
  return { key, title, align: 'right' as const, format: (value: string | number) => fileSize(Number(value)) };
}

type Accuracy = Pick<ParserRow, 'uas' | 'las'>;

interface AccuracyRow extends Accuracy {
  readonly parser: string;
  readonly treebanks: readonly (Accuracy & { readonly name: string })[];
}

async function benchAccuracy(benches: readonly ParserBench[], measured: readonly ParserRow[]) {
  const here = found(realTreebanks);
  if (here.length === 0) return [];
  const parts = new Map<string, Fold>();
  for (const treebank of here) parts.set(treebank.name, await partsOf(treebank));
  const rows: AccuracyRow[] = [];
  for (const bench of benches) {
    const treebanks: AccuracyRow['treebanks'][number][] = [];
    for (const { name } of here) {
      const known = measured.find(({ treebank, parser }) => treebank === name && parser === bench.name);
      const { uas, las } = known ?? (await accuracyOf(bench, parts.get(name)!));
      treebanks.push({ name, uas, las });
    }
    const [uas, las] = (['uas', 'las'] as const).map((score) => mean(treebanks.map((one) => one[score])));
    rows.push({ parser: bench.name, treebanks, uas, las });
  }
  return rows;
}

async function accuracyOf({ arguments: [name, ...words] }: ParserBench, parts: Fold) {
  const candidate = await candidateOf(name, words.join(' '));
  return (await measureFold(candidate, parts, { seed: 1, everyEpoch: false })).scores[0];
}

function accuracyTable(rows: readonly AccuracyRow[]): Table {
  const names = rows[0].treebanks.map(({ name }) => name);
  const columns = [
    text('parser'),
    ...[figures('ewtUas', 'EWT UAS', 2), figures('ewtLas', 'EWT LAS', 2)],
    ...[figures('uas', `mean UAS of ${names.length}`, 2), figures('las', 'mean LAS', 2)],
    ...names.map((name) => figures(name, `${name} LAS`, 2)),
  ];
  return {
    columns,
    rows: rows.map(({ parser, treebanks, uas, las }) => {
      const english = treebanks.find(({ name }) => name === ewt.name);
      const ofEnglish = [english?.uas ?? null, english?.las ?? null];
      return [parser, ...ofEnglish, uas, las, ...treebanks.map(({ las }) => las)];
    }),
  };
}
