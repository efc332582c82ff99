/** `npm run bench`: how fast training and parsing are here, as a table or as JSON. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { integer } from '../cli/options.ts';
import { fileSize } from '../cli/output.ts';
import { packageFolder } from '../src/files/package-folder.ts';
import { figures, type Table, tableRecords, textTable } from '../src/report/table.ts';
import { benchDecoders } from './decoders.ts';
import { type BenchTreebank, benchGraph, type GraphBench, type GraphRow } from './graph.ts';

const sample = join(packageFolder, 'data', 'sample');
const english = join(packageFolder, '..', 'shared', 'treebanks', 'ud-english-ewt');
const treebanks: readonly BenchTreebank[] = [
  { name: 'sample', train: join(sample, 'train.conllu'), dev: join(sample, 'dev.conllu') },
  {
    name: 'ud-english-ewt',
    train: join(english, 'en_ewt-ud-train.conllu'),
    dev: join(english, 'en_ewt-ud-dev.conllu'),
  },
];

const program = new Command('bench')
  .description('Trains and parses with every decoder, one thread each; medians over the runs.')
  .option('--runs <n>', 'trainings and parses of which the median counts', integer({ min: 1 }), 5)
  .option('--epochs <n>', 'passes over the training sentences', integer({ min: 1 }), 10)
  .addOption(new Option('--treebank <name>', 'only this treebank').choices(treebanks.map(({ name }) => name)))
  .option('--json', 'figures in full, for programs')
  .parse();
const { runs, epochs, treebank, json } = program.opts<{
  runs: number;
  epochs: number;
  treebank?: string;
  json?: boolean;
}>();

const rows: GraphRow[] = [];
for (const bank of treebanks.filter(({ name }) => treebank === undefined || name === treebank)) {
  if (!existsSync(bank.train)) process.stderr.write(`${bank.name}: not here, left out\n`);
  else for (const bench of benches()) rows.push(benchGraph(bank, bench));
}
const decoders = benchDecoders();
if (json)
  process.stdout.write(`${JSON.stringify({ graph: tableRecords(graphTable(rows)), decoders }, null, 2)}\n`);
else process.stdout.write(`${textTable(graphTable(rows))}\n${textTable(decoderTable())}`);

/** The naive decoder is there to be compared with: once is enough. */
function benches(): GraphBench[] {
  return [
    { decoder: 'chu-liu-edmonds', epochs, runs },
    { decoder: 'eisner', epochs, runs },
    { decoder: 'matrix-power', epochs: 1, runs: 1 },
  ];
}

function graphTable(rows: readonly GraphRow[]): Table {
  const columns = [
    { key: 'treebank', title: 'treebank' },
    { key: 'decoder', title: 'decoder' },
    figures('epochs', 'epochs', 0),
    figures('runs', 'runs', 0),
    figures('trainSeconds', 'training s', 1),
    figures('trainSentencesPerSecond', 'training sent./s', 0),
    memory('trainMemory', 'training memory'),
    memory('modelBytes', 'model'),
    figures('uas', 'UAS', 2),
    figures('las', 'LAS', 2),
    figures('parseSentencesPerSecond', 'parsing sent./s', 0),
    figures('parseTokensPerSecond', 'tokens/s', 0),
    figures('firstSentencesPerSecond', 'first time', 0),
    memory('parseMemory', 'parsing memory'),
  ];
  return { columns, rows: rows.map((row) => columns.map(({ key }) => row[key as keyof GraphRow])) };
}

function decoderTable(): Table {
  const columns = [
    { key: 'decoder', title: 'decoder' },
    figures('tokens', 'tokens', 0),
    figures('microseconds', 'µs a sentence', 1),
  ];
  return {
    columns,
    rows: decoders.map(({ decoder, tokens, microseconds }) => [decoder, tokens, microseconds]),
  };
}

function memory(key: string, title: string) {
  return { key, title, align: 'right' as const, format: (value: string | number) => fileSize(Number(value)) };
}
