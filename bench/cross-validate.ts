/** `npm run cross-validate`: compares options of a paradigm by cross-validation on many treebanks. */
import { Command } from 'commander';
import { integer } from '../cli/options/common.ts';
import { mean } from '../experiment/cells/figures.ts';
import { figures, type Table, text, textTable } from '../src/report/tables/table.ts';
import type { Candidate, Fold, FoldResult } from './cross-validation.ts';
import { blocksOf, candidateOf, foldsOf, measureFold, Results } from './cross-validation.ts';
import { found, partsOf, realTreebanks } from './real-treebanks.ts';

interface Options {
  readonly try: readonly string[];
  readonly tokens: number;
  readonly folds: number;
  readonly measure?: number;
  readonly seed: number;
  readonly everyEpoch?: boolean;
  readonly treebank?: readonly string[];
  readonly results?: string;
  readonly json?: boolean;
}

interface Row {
  readonly words: string;
  readonly epoch: number | null;
  readonly uas: readonly number[];
  readonly las: readonly number[];
  readonly cpuSeconds: number;
}

const names = realTreebanks.map(({ name }) => name);
const program = new Command('cross-validate')
  .description(
    'Compares options of a parser by k-fold cross-validation on the training parts of many treebanks. Dev parts are not used.',
  )
  .argument('<paradigm>', 'as in parliament train')
  .option(
    '--try <options>',
    "options of parliament train to compare with the defaults, as one argument: '--beam 4'; may be repeated",
    (words: string, before: string[]) => [...before, words],
    [],
  )
  .option(
    '--tokens <n>',
    'tokens per treebank, approximately, in blocks of sentences',
    integer({ min: 100 }),
    12_000,
  )
  .option('--folds <n>', 'number of folds', integer({ min: 2 }), 3)
  .option('--measure <n>', 'measure the first n folds only', integer({ min: 1 }))
  .option('--seed <n>', 'seed of the training runs', integer({ min: 0 }), 1)
  .option('--every-epoch', 'score after every epoch, in a row each')
  .option('--treebank <names>', `only these treebanks, of ${names.join(', ')}`, (list) => list.split(','))
  .option('--results <file>', 'save measurements and resume from them; invalid after changes to the program')
  .option('--json', 'JSON with full precision')
  .addHelpText(
    'after',
    "\nExample: npm run cross-validate -- transition --try '--beam 4' --try '--update early'",
  )
  .parse();
const given = program.opts<Options>();
const [paradigmName] = program.args;
const candidates = await Promise.all(['', ...given.try].map((words) => candidateOf(paradigmName, words)));
const results = new Results(given.results);
const treebanks = await cutTreebanks();
if (treebanks.length === 0) program.error('error: no treebank to measure on: is ../shared/treebanks there?');
const rows: Row[] = [];
for (const candidate of candidates) rows.push(...(await measureCandidate(candidate)));
const table = tableOfRows(rows);
process.stdout.write(given.json ? `${JSON.stringify(recordsOf(table), null, 2)}\n` : textTable(table));

async function cutTreebanks(): Promise<{ name: string; folds: Fold[] }[]> {
  const asked = realTreebanks.filter(({ name }) => given.treebank?.includes(name) ?? true);
  const cut = [];
  for (const treebank of found(asked)) {
    const { train } = await partsOf(treebank);
    cut.push({ name: treebank.name, folds: foldsOf(blocksOf(train, given.tokens), given.folds) });
  }
  return cut;
}

async function measureCandidate(candidate: Candidate): Promise<Row[]> {
  const measured: FoldResult[][] = [];
  for (const treebank of treebanks) measured.push(await measureTreebank(candidate, treebank));
  const cpuSeconds = measured.flat().reduce((sum, fold) => sum + fold.cpuSeconds, 0);
  const epochs = measured[0][0].scores.length;
  const scoresAt = (epoch: number, score: 'uas' | 'las') => measured.map((own) => pooled(own, epoch, score));
  const { words } = candidate;
  const scored = Array.from({ length: epochs }, (_, e) => {
    const epoch = epochs > 1 ? e + 1 : null;
    return { words, epoch, cpuSeconds, uas: scoresAt(e, 'uas'), las: scoresAt(e, 'las') };
  });
  const { uas, las } = scored[epochs - 1];
  const scores = `${mean(uas).toFixed(2)} / ${mean(las).toFixed(2)}`;
  process.stderr.write(`${candidate.words || 'defaults'}: ${scores}, ${cpuSeconds.toFixed(0)} s\n`);
  return scored;
}

async function measureTreebank(candidate: Candidate, { name, folds }: { name: string; folds: Fold[] }) {
  const { tokens, seed, everyEpoch = false } = given;
  const measured: FoldResult[] = [];
  for (const [f, fold] of folds.slice(0, given.measure).entries()) {
    const sampling = [name, tokens, folds.length, f];
    const key = JSON.stringify([paradigmName, candidate.words, ...sampling, seed, everyEpoch]);
    measured.push(await results.get(key, () => measureFold(candidate, fold, { seed, everyEpoch })));
  }
  return measured;
}

function pooled(folds: readonly FoldResult[], epoch: number, score: 'uas' | 'las'): number {
  const tokens = folds.reduce((sum, fold) => sum + fold.tokens, 0);
  return folds.reduce((sum, fold) => sum + (fold.scores[epoch][score] * fold.tokens) / tokens, 0);
}

function tableOfRows(rows: readonly Row[]): Table {
  const columns = [
    text('options'),
    figures('epoch', 'epoch', 0),
    figures('uas', 'mean UAS', 2),
    figures('las', 'mean LAS', 2),
    ...treebanks.map(({ name }) => figures(name, name, 2)),
    figures('cpuSeconds', 'processor s', 0),
  ];
  const cells = rows.map(({ words, epoch, uas, las, cpuSeconds }) => {
    return [words || 'defaults', epoch, mean(uas), mean(las), ...las, cpuSeconds];
  });
  return { columns, rows: cells };
}

function recordsOf({ columns, rows }: Table) {
  return rows.map((row) => Object.fromEntries(columns.map(({ key }, i) => [key, row[i]])));
}
