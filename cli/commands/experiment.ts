import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  bundledExperiments,
  type Experiment,
  readExperiment,
} from '../../experiment/definition/experiment.ts';
import { layOut } from '../../experiment/definition/layout.ts';
import { type Plan, planExperiment } from '../../experiment/definition/plan.ts';
import { TreebankSurvey } from '../../experiment/definition/treebanks.ts';
import { type NamedTreebank, withTreebanks } from '../../experiment/definition/with-treebanks.ts';
import { type Job, sentencesIn, type TaggingJob } from '../../experiment/jobs/job.ts';
import { type CellResult, hasScores, type JobResult } from '../../experiment/jobs/job-result.ts';
import { programOf } from '../../experiment/jobs/program.ts';
import { figures } from '../../experiment/results/figures.ts';
import { type FilledCells, fill } from '../../experiment/results/fill.ts';
import { provenance } from '../../experiment/results/provenance.ts';
import { experimentRecord } from '../../experiment/results/record.ts';
import { dataTable, readableTables } from '../../experiment/results/result-table.ts';
import { checkPlottable, sweepPlot } from '../../experiment/results/sweep-plot.ts';
import { CellCache } from '../../experiment/run/cell-cache.ts';
import { isResult, type Outcome } from '../../experiment/run/outcome.ts';
import { countCached, type RunProgress, runPlan } from '../../experiment/run/run-plan.ts';
import { ThisMachine } from '../../experiment/run/this-machine.ts';
import { allParadigms } from '../../parsers/registry.ts';
import { UsageError } from '../../src/errors.ts';
import { annotatedColumns, columnScores } from '../../src/evaluate/column-counts.ts';
import type { PhraseScorerName } from '../../src/evaluate/parseval/scorers.ts';
import { writeTextFile } from '../../src/files/text/atomic-file.ts';
import { csvTable, markdownTable, textTable } from '../../src/report/tables/table.ts';
import { Catalogue, cacheFolder } from '../../src/treebank/catalogue/catalogue.ts';
import { integer, jsonOption, quietOption } from '../options/common.ts';
import { checkOutputs } from '../options/output-paths.ts';
import { severalTimes } from '../options/repeated.ts';
import { examples } from '../terminal/help.ts';
import { stoppable } from '../terminal/interrupts.ts';
import {
  count,
  duration,
  fileSize,
  note,
  plural,
  print,
  printJson,
  printText,
  say,
  warn,
} from '../terminal/output.ts';
import { progress } from '../terminal/progress.ts';

const outputFormats = ['text', 'markdown', 'csv', 'json'] as const;

interface ExperimentFlags {
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly treebank?: readonly string[];
  readonly train?: string;
  readonly dev?: string;
  readonly encoding?: string;
  readonly jobs: number;
  readonly memory: number;
  readonly cache?: string;
  readonly format: (typeof outputFormats)[number];
  readonly plot?: string;
  readonly quiet?: boolean;
}

/** `parliament experiment NAME|FILE.json` */
export function experimentCommand(command: Command): Command {
  return command
    .argument('[experiment]', 'name of a bundled one, or a JSON file')
    .option('--list', 'list the bundled experiments')
    .option('--dry-run', 'only check the experiment (or all bundled ones), and say what there is to do')
    .optionsGroup('Treebanks:')
    .addOption(treebankOption())
    .option('--train <file>', 'a treebank of your own to learn from, not the one that the experiment names')
    .option('--dev <file>', 'with --train: the file to score with (default: the last tenth of --train)')
    .option('--encoding <name>', 'character encoding of --train and --dev (default: utf-8)')
    .optionsGroup('Running:')
    .addOption(jobsOption())
    .addOption(memoryOption())
    .option(
      '--cache <folder>',
      'where results are kept (default: experiments, in the cache of parliament data)',
    )
    .addOption(quietOption())
    .optionsGroup('Output:')
    .addOption(
      new Option('--format <name>', 'how the table is printed').choices(outputFormats).default('text'),
    )
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .option('--plot <file.svg>', 'write a line plot, too, where the rows are a sweep over numbers')
    .addHelpText(
      'after',
      examples(
        'parliament experiment --list',
        'parliament experiment ladder',
        'parliament experiment epochs --treebank ud-telugu-mtg --format markdown --plot epochs.svg',
      ),
    )
    .action(experiment);
}

function treebankOption(): Option {
  const meaning =
    'a treebank of parliament data, not the one that the experiment names; may be given several times';
  return severalTimes(new Option('--treebank <name>', meaning));
}

function jobsOption(): Option {
  return new Option('--jobs <n>', 'cells to work on at the same time, a processor core each')
    .argParser(integer({ min: 1, max: 1024 }))
    .default(availableParallelism(), 'all cores');
}

function memoryOption(): Option {
  return new Option('--memory <size>', 'memory that all cells together may take, for example 8GB')
    .argParser(bytes)
    .default(0.75 * process.availableMemory(), 'three quarters of what is free');
}

const units = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `8GB`, `500 M`, `1.5G` in bytes. */
function bytes(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?([kMGT]?)B?$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError('Expected a size such as 500MB or 8GB.');
  return Number(number) * units[unit as keyof typeof units];
}

async function experiment(name: string | undefined, flags: ExperimentFlags): Promise<void> {
  if (flags.list) return list();
  if (name === undefined) {
    if (flags.dryRun) return checkBundled();
    throw new UsageError(`name an experiment: one of ${bundledExperiments().join(', ')}, or a JSON file`);
  }
  const catalogue = await Catalogue.open();
  const table = withGivenTreebanks(await readExperiment(name), catalogue, flags);
  const plan = await planExperiment(table, {
    known: await allParadigms(),
    survey: new TreebankSurvey(catalogue),
    programOf,
  });
  if (flags.plot !== undefined) checkPlot(plan, flags.plot);
  const cache = await CellCache.open(flags.cache ?? join(await cacheFolder(), 'experiments'));
  if (flags.dryRun) return print(await describePlan(name, plan, cache));
  const outcomes = await run(plan, cache, flags);
  await show(plan, fill(plan, outcomes), commandLine(name, flags), flags);
}

async function list(): Promise<void> {
  const all = await Promise.all(
    bundledExperiments().map(async (name) => [name, await readExperiment(name)] as const),
  );
  const columns = [
    { key: 'name', title: 'name' },
    { key: 'title', title: 'table' },
  ];
  printText(textTable({ columns, rows: all.map(([name, { title }]) => [name, title]) }));
}

/** Whether all options of all bundled experiments are such as the paradigms take. */
async function checkBundled(): Promise<void> {
  const known = await allParadigms();
  for (const name of bundledExperiments()) {
    const { rows, columns, cells } = layOut(await readExperiment(name), known);
    const runs = cells.flat().reduce((sum, cell) => sum + ('of' in cell ? 1 : cell.seeds.length), 0);
    print(`${name}: ${rows.length} × ${columns.length} cells, ${plural(runs, 'run')}`);
  }
}

async function describePlan(name: string, { rows, columns, jobs }: Plan, cache: CellCache): Promise<string> {
  const cached = await countCached({ jobs }, cache);
  const cells = `${rows.length} × ${columns.length} cells`;
  const ofKind = (kind: Job['kind']) => [...jobs.values()].filter((job) => job.kind === kind).length;
  const [taggings, votes] = [ofKind('tagging'), ofKind('vote')];
  const work = [
    plural(ofKind('parser'), 'training'),
    ...(taggings === 0 ? [] : [plural(taggings, 'tagging')]),
    ...(votes === 0 ? [] : [plural(votes, 'vote')]),
  ];
  return `${name}: ${cells}, ${new Intl.ListFormat('en-GB').format(work)}, of which ${count(cached)} done`;
}

function withGivenTreebanks(table: Experiment, catalogue: Catalogue, flags: ExperimentFlags): Experiment {
  const { treebank: names = [], train, dev, encoding } = flags;
  if (train === undefined && (dev ?? encoding) !== undefined) {
    throw new UsageError(`--${dev === undefined ? 'encoding' : 'dev'} belongs to --train`);
  }
  const given: NamedTreebank[] = names.map((name) => ({ name: catalogue.entry(name).title, treebank: name }));
  if (train !== undefined) given.push({ name: basename(train), treebank: { train, dev, encoding } });
  return given.length === 0 ? table : withTreebanks(table, given);
}

/** Refuses, before hours of training, a plot that could not be drawn, or would replace a treebank. */
function checkPlot({ experiment, jobs }: Plan, path: string): void {
  checkPlottable(experiment);
  const treebanks = [...jobs.values()].flatMap((job) => [sentencesIn(job).path, job.test.path]);
  checkOutputs([{ path, name: '--plot' }], treebanks);
}

async function run(plan: Plan, cache: CellCache, flags: ExperimentFlags): Promise<Map<string, Outcome>> {
  const { jobs: atOnce, memory, quiet } = flags;
  const bar = progress('sentences', quiet);
  const onProgress = ({ finished, jobs, elsewhere, done, total }: RunProgress) => {
    const others = elsewhere === 0 ? '' : `, ${elsewhere} at work elsewhere`;
    bar.update(`${finished} of ${plural(jobs, 'job')}${others}`, done, total);
  };
  const onFinished = (name: string, outcome: Outcome, { finished, jobs }: RunProgress) => {
    bar.clear();
    const at = `[${String(finished).padStart(String(jobs).length)}/${jobs}]`;
    if (!isResult(outcome)) warn(`${jobLabel(name, plan)}: ${outcome.problem}`);
    else if (!quiet) say(`${at} ${jobLabel(name, plan)}  ${figuresLine(outcome, scorersOf(name, plan))}`);
  };
  try {
    return await stoppable((signal) =>
      runPlan(plan, {
        ...{ cache, signal, onProgress, onFinished },
        executor: new ThisMachine({ atOnce, memory }),
      }),
    );
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    throw new DOMException('stopped; what is done is kept, the same command goes on', error.name);
  } finally {
    bar.clear();
  }
}

function figuresLine(result: JobResult, scorers: ReadonlySet<PhraseScorerName>): string {
  const { seconds, peakMemory } = result;
  const scores = hasScores(result) ? treeScores(result, scorers) : tagScores(result);
  return `${scores.join(' ')}  ${duration(seconds)}, ${fileSize(peakMemory)}`;
}

function treeScores({ scores, phrases }: CellResult, scorers: ReadonlySet<PhraseScorerName>): string[] {
  const { uas, las } = scores.include;
  const trees = `UAS ${score(uas)} LAS ${score(las)}`;
  if (phrases === undefined) return [trees];
  return [trees, ...[...scorers].map((scorer) => `F1 ${score(phrases[scorer].f1)} (${scorer})`)];
}

function tagScores({ tags }: JobResult): string[] {
  return annotatedColumns
    .filter((column) => tags[column] !== undefined)
    .map((column) => `${columnScores[column]} ${score(tags[column]!)}`);
}

function score(value: number | null): string {
  return value?.toFixed(2) ?? '–';
}

/** The scorers of brackets of the cells that a job is for. */
function scorersOf(name: string, { cells }: Plan): Set<PhraseScorerName> {
  const own = cells.flat().filter(({ jobs }) => jobs.includes(name));
  return new Set(own.map(({ settings }) => settings.brackets));
}

/**
 * `Baseline, English, seed 3`; `1 … 14, seed 3` where a job is for several cells; `graph, for the weights of a
 * vote` where it is for none.
 */
function jobLabel(name: string, { cells, jobs }: Plan): string {
  const job = jobs.get(name)!;
  if (job.kind === 'tagging') return taggingLabel(job);
  const all = cells.flat().filter((each) => each.jobs.includes(name));
  const trained = all.filter(({ settings }) => !('of' in settings));
  const own = trained.length > 0 ? trained : all;
  if (own.length === 0) return `${'paradigm' in job ? job.paradigm : ''}, for the weights of a vote`;
  const span = (names: readonly string[]) => [...new Set([names[0], names.at(-1)])].join(' … ');
  const seed = own[0].jobs.length > 1 && 'seed' in job ? `seed ${job.seed}` : '';
  const parts = [span(own.map(({ row }) => row)), span(own.map(({ column }) => column)), seed];
  return parts.filter((part) => part !== '').join(', ');
}

/** `tags of dev.conllu, learnt from train.conllu`, `tags of train.conllu in 10 folds`. */
function taggingLabel({ learn, test, folds }: TaggingJob): string {
  const way = folds === undefined ? `, learnt from ${basename(learn.path)}` : ` in ${folds} folds`;
  return `tags of ${basename(test.path)}${way}`;
}

/** What was asked for; what only changes how it is done or printed is left out. */
function commandLine(name: string, { treebank = [], train, dev, encoding }: ExperimentFlags): string {
  const words = ['parliament', 'experiment', name, ...treebank.flatMap((each) => ['--treebank', each])];
  for (const [flag, value] of Object.entries({ train, dev, encoding })) {
    if (value !== undefined) words.push(`--${flag}`, value);
  }
  return words
    .map((word) => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

async function show(
  plan: Plan,
  cells: FilledCells,
  command: string,
  { format, plot, quiet }: ExperimentFlags,
): Promise<void> {
  for (const warning of warnings(cells, plan.experiment)) warn(warning);
  if (plot !== undefined) {
    await writeTextFile(plot, sweepPlot(plan, cells));
    if (!quiet) note(`${plot}: written`);
  }
  if (cells.flat().some(({ problem }) => problem !== undefined)) process.exitCode = 1;
  if (format === 'json') return printJson(experimentRecord(plan, cells, command));
  if (format === 'csv') return printText(csvTable(dataTable(plan, cells)));
  const lines = provenance(cells, plan, command);
  printText(format === 'markdown' ? markdownPage(plan, cells, lines) : textPage(plan, cells, lines));
}

/** Of the figures that the table shows; an oracle's answers need not be trees. */
function warnings(cells: FilledCells, { report }: Experiment): Set<string> {
  const real = cells
    .flat()
    .filter(({ cell: { settings } }) => !('of' in settings) || settings.vote?.method !== 'oracle');
  const runs = real.flatMap((filled) => filled.runs);
  return new Set(report.flatMap((name) => runs.flatMap((run) => figures[name].warnings(run))));
}

function textPage(plan: Plan, cells: FilledCells, lines: readonly string[]): string {
  const { title, source } = plan.experiment;
  const heading = source === undefined ? title : `${title} (${source})`;
  const tables = readableTables(plan, cells).map(({ title, table }) => titled(title, textTable(table)));
  return `${heading}\n\n${tables.join('\n')}\n${lines.join('\n')}\n`;
}

function markdownPage(plan: Plan, cells: FilledCells, lines: readonly string[]): string {
  const { title, source, description } = plan.experiment;
  const origin = source === undefined ? '' : ` (${source})`;
  const tables = readableTables(plan, cells).map(({ title, table }) =>
    titled(title === '' ? '' : `#### ${title}`, markdownTable(table)),
  );
  const facts = lines.map((line) => `- ${line}\n`).join('');
  return `### ${title}${origin}\n\n${description}\n\n${tables.join('\n')}\n${facts}`;
}

function titled(title: string, table: string): string {
  return title === '' ? table : `${title}\n\n${table}`;
}
