/**
 * `npm run results`: computes the bundled tables that are out of date, and writes them to docs/results.md; or confirms that
 * the current code computes the figures published there.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Argument, Command, Option } from 'commander';
import { integer } from '../cli/options/common.ts';
import { bundledExperiments, readExperiment } from '../experiment/definition/experiment.ts';
import { planExperiment } from '../experiment/definition/plan.ts';
import { TreebankSurvey } from '../experiment/definition/treebanks.ts';
import { programOf } from '../experiment/jobs/program.ts';
import { allParadigms } from '../parsers/registry.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { packageFolder } from '../src/platform/package.ts';
import { Catalogue } from '../src/treebank/catalogue.ts';
import {
  cellsDigest,
  codeDigest,
  definitionDigest,
  lastingFigures,
  type PublishedMarks,
  publishedTables,
  publishedText,
  withPublished,
} from './published-tables.ts';

const page = join(packageFolder, 'docs', 'results.md');

const program = new Command('results')
  .description('Computes the tables of docs/results.md: those named, or all that are out of date.')
  .addArgument(new Argument('[tables...]', 'names of tables').choices(bundledExperiments()))
  .option('--list', 'only list which are out of date')
  .option('--all', 'also compute those that are up to date; cells that are finished are kept')
  .option(
    '--confirm',
    'compute the tables of which only the code has changed, and mark those with the same figures as up to date',
  )
  .addOption(
    new Option(
      '--like <folder>',
      'the same by comparing, on the bundled sample, the figures of this code and of a built clone in which the tables are up to date: in seconds, not hours',
    ).implies({ confirm: true }),
  )
  .option('--jobs <n>', 'number of simultaneous cells', integer({ min: 1 }), availableParallelism())
  .parse();
const { list, all, confirm, like, jobs } = program.opts<{
  list?: boolean;
  all?: boolean;
  confirm?: boolean;
  like?: string;
  jobs: number;
}>();
const CODE = 'its code has changed: --confirm tells whether its figures have';
const tell = (line: string) => process.stderr.write(`${line}\n`);
const survey = new TreebankSurvey(await Catalogue.open());
const context = { known: await allParadigms(), survey, programOf };
const published = new Map(publishedTables(readFileSync(page, 'utf8')));
for (const name of program.args.length > 0 ? program.args : bundledExperiments()) {
  try {
    const marks = await marksOf(name);
    const before = published.get(name);
    const isAsked = before?.cells === marks.cells && before.definition === marks.definition;
    if (isAsked && before.code === marks.code && !all) tell(`${name}: up to date`);
    else if (list) tell(`${name}: ${before?.cells === 'none' ? 'not run yet' : isAsked ? CODE : 'changed'}`);
    else if (!confirm) await publish(name, marks);
    else if (isAsked) await confirmFigures(name, marks);
    else tell(`${name}: its definition or treebanks have changed, so that its figures cannot be confirmed`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    tell(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

async function marksOf(name: string): Promise<PublishedMarks> {
  const experiment = await readExperiment(name);
  const plan = await planExperiment(experiment, context);
  return { definition: definitionDigest(experiment), cells: cellsDigest(plan), code: codeDigest(plan) };
}

/** Computes a table and writes it at once, so that it is kept if a later one is interrupted. */
async function publish(name: string, marks: PublishedMarks): Promise<void> {
  const made = await compute(name);
  await writeTextFile(page, withPublished(readFileSync(page, 'utf8'), name, marks, made));
  tell(`${name}: written`);
}

/** Computes a table of which only the code has changed; if its figures are the same, writes only its marks. */
async function confirmFigures(name: string, marks: PublishedMarks): Promise<void> {
  const text = publishedText(readFileSync(page, 'utf8'), name);
  const both = like === undefined ? [text, await compute(name)] : await computeSmall(name, like);
  const [before, now] = both.map(lastingFigures);
  const differing = before.flatMap((row, i) => (row === now[i] ? [] : [`- ${row}`, `+ ${now[i] ?? ''}`]));
  if (differing.length > 0 || now.length !== before.length)
    throw new InputError(['other figures now:', ...differing].join('\n'));
  await writeTextFile(page, withPublished(readFileSync(page, 'utf8'), name, marks, text));
  tell(`${name}: confirmed`);
}

/** Computes a table on the bundled sample, with the clone whose code made the published table and with this one. */
async function computeSmall(name: string, folder: string): Promise<[before: string, now: string]> {
  const path = join(folder, 'docs', 'results.md');
  const marks = new Map(publishedTables(readFileSync(path, 'utf8'))).get(name);
  const results = join(folder, 'dist', 'bench', 'results.js');
  const status = await new Promise<string>((resolve) => {
    execFile(process.execPath, [results, '--list', name], (_, __, stderr) => resolve(stderr.trim()));
  });
  if (status !== `${name}: up to date` || marks?.code !== published.get(name)!.code)
    throw new InputError(`${folder} is not a clone of the commit that made the table: ${status}`);
  const experiment = await readExperiment(name);
  const { jobs: cells } = await planExperiment(experiment, context);
  const kind = JSON.stringify([...cells.values()]).includes('.mrg') ? 'mrg' : 'conllu';
  const file = (part: string) => [`--${part}`, join('data', 'sample', `${part}.${kind}`)];
  const test = experiment.final ? [...file('test'), '--final'] : [];
  const words = [...file('train'), ...file('dev'), ...test];
  return [await compute(name, folder, words), await compute(name, packageFolder, words)];
}

/** @param folder the clone whose program computes it */
async function compute(name: string, folder = packageFolder, more: readonly string[] = []): Promise<string> {
  const main = join(folder, 'dist', 'cli', 'main.js');
  const words = ['experiment', name, ...more, '--to', 'markdown', '--jobs', String(jobs)];
  const child = spawn(process.execPath, [main, ...words], {
    cwd: packageFolder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [made, [status]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  if (status !== 0) throw new InputError('some cells failed, so the table stays as it was');
  return made;
}
