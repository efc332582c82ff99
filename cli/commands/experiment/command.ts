import { basename } from 'node:path';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { isTrained } from '../../../experiment/definition/cell-settings.ts';
import type { Experiment, NamedTreebank } from '../../../experiment/definition/experiment.ts';
import {
  bundledExperiments,
  readExperiment,
  withTreebanks,
} from '../../../experiment/definition/experiment.ts';
import { layOut } from '../../../experiment/definition/layout.ts';
import { type Plan, planExperiment } from '../../../experiment/definition/plan.ts';
import { isScoredElsewhere } from '../../../experiment/definition/schema.ts';
import { TreebankSurvey } from '../../../experiment/definition/treebanks.ts';
import { filesOf, type Job } from '../../../experiment/jobs/job.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import type { WorkerRecord } from '../../../experiment/queue/protocol.ts';
import { releaseText } from '../../../experiment/queue/release.ts';
import { checkPlottable } from '../../../experiment/results/plots.ts';
import { computeTable } from '../../../experiment/results/record.ts';
import { cachedOutcomes } from '../../../experiment/run/run-plan.ts';
import { allParadigms } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { isStandardOutput } from '../../../src/files/atomic-file.ts';
import { withPackages } from '../../../src/optional-packages.ts';
import { text, textTable } from '../../../src/report/tables/table.ts';
import { Catalogue } from '../../../src/treebank/catalogue.ts';
import type { Command } from '../../options/command.ts';
import { jsonOption, quietOption, refuseOthers } from '../../options/common.ts';
import { toOption } from '../../options/formats.ts';
import { checkOutputs } from '../../options/output-paths.ts';
import * as workers from '../../options/workers.ts';
import {
  count,
  duration,
  fileSize,
  plural,
  print,
  printJson,
  printText,
  warn,
} from '../../terminal/output.ts';
import { tableFormats } from '../../terminal/tables.ts';
import { type PageFlags, show } from './page.ts';
import { type RunFlags, runJobs } from './run.ts';

interface ExperimentFlags extends PageFlags, RunFlags {
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly treebank?: readonly string[];
  readonly train?: string;
  readonly dev?: string;
  readonly test?: string;
  readonly encoding?: string;
  readonly cache?: string;
  readonly final?: boolean;
  readonly status?: boolean;
}

export function experimentCommand(command: Command): Command {
  return command
    .argument('[experiment]', 'name of a bundled experiment, or a JSON file')
    .option('--list', 'list the bundled experiments')
    .option('--dry-run', 'only check the experiment (or all bundled ones) and count its jobs')
    .optionsGroup('Treebanks:')
    .repeatable(
      '--treebank <name>',
      'treebank of parliament data, in place of the experiment’s; may be repeated',
    )
    .option('--train <file>', 'training file, in place of the experiment’s treebank')
    .option('--dev <file>', 'with --train: development file (default: the last tenth of --train)')
    .option('--test <file>', 'with --train and --final: test file')
    .option('--encoding <name>', 'character encoding of --train, --dev and --test (default: utf-8)')
    .option('--final', 'also score every cell on the test part, trained on train and dev')
    .optionsGroup('Running:')
    .with(workers.cellsOption(), workers.memoryOption())
    .option('--cache <folder>', 'folder for results (default: experiments, in the cache folder)')
    .with(quietOption())
    .optionsGroup('On other machines (see parliament worker, with its own --jobs and --memory):')
    .with(workers.queueOption('run the cells on the workers of this queue'), workers.storeOption())
    .option('--status', 'with --queue: only show the queue’s workers and progress')
    .optionsGroup('Output:')
    .with(toOption('output format', tableFormats))
    .with(jsonOption('the same as --to json').implies({ to: 'json' }))
    .option('--plot <file.svg>', 'also plot a sweep over numbers, or accuracy against speed')
    .addHelpText('after', workers.queueEnvironment)
    .examples(
      'parliament experiment --list',
      'parliament experiment ladder',
      'parliament experiment ladder --queue redis://queue.example.org',
      'parliament experiment epochs --treebank ud-telugu-mtg --to markdown --plot epochs.svg',
    )
    .action(experiment)
    .acceptOldFormats(tableFormats);
}

async function experiment(name: string | undefined, flags: ExperimentFlags, command: Command): Promise<void> {
  if (flags.list) {
    refuseOthers(command, 'list', 'only lists the bundled experiments', ['to', 'format']);
    return list(flags.to);
  }
  if (flags.status)
    refuseOthers(command, 'status', 'shows the whole queue', ['queue', 'store', 'to', 'format']);
  await checkQueueFlags(flags);
  if (flags.status) return showStatus(flags.queue!, flags.to);
  checkOwnFlags(name, flags);
  if (name === undefined) {
    if (flags.dryRun) return checkBundled();
    throw new UsageError(`name an experiment: one of ${bundledExperiments().join(', ')}, or a JSON file`);
  }
  const catalogue = await Catalogue.open();
  const table = withFlags(await readExperiment(name), catalogue, flags);
  const plan = await planExperiment(table, {
    known: await allParadigms(),
    survey: new TreebankSurvey(catalogue),
    programOf,
  });
  if (flags.plot !== undefined) checkPlot(plan, flags.plot);
  for (const warning of plan.warnings) warn(warning);
  const cache = await CellCache.open(flags.cache);
  if (flags.dryRun) return print(await describePlan(name, plan, cache));
  const { outcomes, stopped } = await runJobs(plan, cache, flags);
  if (stopped === undefined || outcomes.size > 0) {
    const computed = await computeTable(plan, outcomes, cache);
    await show({ ...computed, command: commandLine(name, flags) }, flags);
  }
  if (stopped !== undefined) throw stopped;
}

async function checkQueueFlags({ queue, store, status, to }: ExperimentFlags) {
  if (queue === undefined && (store ?? status) !== undefined)
    throw new UsageError(`--${store === undefined ? 'status' : 'store'} belongs to --queue`);
  if (status) checkListed('--status', to);
  if (queue === undefined) return;
  const load = () => import('../../../experiment/queue/server.ts');
  const { queueServer } = await withPackages('parliament experiment --queue', 'queue', load);
  queueServer(queue);
}

function checkOwnFlags(name: string | undefined, flags: ExperimentFlags): void {
  if (flags.dryRun && flags.to !== 'text') throw new UsageError('--dry-run: expected --to text');
  const ofOne = ['treebank', 'train', 'dev', 'test', 'encoding', 'final', 'plot'] as const;
  const given = name === undefined && ofOne.find((each) => flags[each] !== undefined);
  if (given) throw new UsageError(`--${given}: name the experiment that it is for`);
  if (flags.plot !== undefined && isStandardOutput(flags.plot))
    throw new UsageError(`--plot ${flags.plot}: expected a file, as standard output has the table`);
}

function checkListed(option: string, to: string): void {
  if (to !== 'text' && to !== 'json') throw new UsageError(`${option}: expected --to text or json`);
}

async function list(to: string): Promise<void> {
  checkListed('--list', to);
  const named = await Promise.all(
    bundledExperiments().map(async (name) => ({ name, title: (await readExperiment(name)).title })),
  );
  if (to === 'json') return printJson(named);
  const columns = [text('name'), text('title', 'table')];
  printText(textTable({ columns, rows: named.map(({ name, title }) => [name, title]) }));
}

async function checkBundled(): Promise<void> {
  const known = await allParadigms();
  for (const name of bundledExperiments()) {
    const { rows, columns, cells } = layOut(await readExperiment(name), known);
    const runs = cells.flat().reduce((sum, cell) => sum + (isTrained(cell) ? cell.seeds.length : 1), 0);
    print(`${name}: ${rows.length} × ${columns.length} cells, ${plural(runs, 'run')}`);
  }
}

async function describePlan(name: string, { rows, columns, jobs }: Plan, cache: CellCache): Promise<string> {
  const cached = await cachedOutcomes({ jobs }, cache);
  const cells = `${rows.length} × ${columns.length} cells`;
  const ofKind = (kind: Job['kind']) => [...jobs.values()].filter((job) => job.kind === kind).length;
  const others = (['tagging', 'file', 'vote'] as const).filter((kind) => ofKind(kind) > 0);
  const work = [plural(ofKind('parser'), 'training'), ...others.map((kind) => plural(ofKind(kind), kind))];
  return `${name}: ${cells}, ${new Intl.ListFormat('en-GB').format(work)}, of which ${count(cached.size)} done`;
}

/** The experiment with the treebanks that the flags name, and scored on test parts with `--final`. */
function withFlags(table: Experiment, catalogue: Catalogue, flags: ExperimentFlags): Experiment {
  const { treebank: names = [], train, dev, test, encoding, final = table.final } = flags;
  const ofTrain = Object.entries({ dev, test, encoding }).find(([, value]) => value !== undefined);
  if (train === undefined && ofTrain !== undefined)
    throw new UsageError(`--${ofTrain[0]} belongs to --train`);
  const given: NamedTreebank[] = names.map((name) => ({ name: catalogue.entry(name).title, treebank: name }));
  if (train !== undefined) given.push({ name: basename(train), treebank: { train, dev, test, encoding } });
  const filled = given.length === 0 ? table : withTreebanks(table, given);
  if (test !== undefined && !final) throw new UsageError('--test goes with --final');
  // With --final, the dev part is learnt from, too.
  const scored = final ? 'test' : 'dev';
  if (flags[scored] !== undefined && isScoredElsewhere(filled))
    throw new UsageError(
      `--${scored} has no effect: this table is scored on other treebanks, by its scoreOn`,
    );
  return { ...filled, final };
}

/** Checks, before hours of training, that the plot can be drawn and would not replace a treebank. */
function checkPlot({ experiment, jobs }: Plan, path: string): void {
  checkPlottable(experiment);
  const read = [...jobs.values()].flatMap((job) => filesOf(job).map(({ path }) => path));
  checkOutputs([{ path, name: '--plot' }], read);
}

function commandLine(name: string, { treebank = [], train, dev, test, encoding, final }: ExperimentFlags) {
  const words = ['parliament', 'experiment', name, ...treebank.flatMap((each) => ['--treebank', each])];
  for (const [flag, value] of Object.entries({ train, dev, test, encoding }))
    if (value !== undefined) words.push(`--${flag}`, value);
  if (final) words.push('--final');
  return words
    .map((word) => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

async function showStatus(queue: string, to: string): Promise<void> {
  const { queueServer } = await import('../../../experiment/queue/server.ts');
  const { queueStatus } = await import('../../../experiment/queue/registry.ts');
  const status = await queueStatus(queueServer(queue));
  if (to === 'json') return printJson(status);
  const { release, workers, waiting, active, failed, rate, left } = status;
  print(`Cells for version ${releaseText(release)}: ${count(waiting)} waiting, ${count(active)} at work`);
  if (failed > 0) print(`Failed three times: ${count(failed)}`);
  if (rate !== undefined) print(`Done lately: ${rate.toFixed(1)} a minute; time left: ${duration(left!)}`);
  const ours = workers.filter(({ code }) => code === release.code).length;
  const others =
    workers.length === ours ? '' : `; and ${count(workers.length - ours)} of other versions, for other cells`;
  print(`Workers: ${plural(ours, 'worker')}${others}`);
  if (workers.length > 0) printText('\n', textTable(workerTable(workers)));
}

function workerTable(workers: readonly WorkerRecord[]) {
  const titles = ['machine', 'process', 'version', 'at work', 'done', 'failed', 'memory', 'since'];
  const columns = titles.map((title) => ({ key: title, title }));
  const rows = workers.map(({ host, process, version, code, running, jobs, ...worker }) => [
    ...[host, String(process), releaseText({ version, code }), `${running} of ${jobs}`],
    ...[count(worker.done), count(worker.failed), fileSize(worker.memory)],
    new Date(worker.since).toISOString().slice(0, 16).replace('T', ' '),
  ]);
  return { columns, rows };
}
