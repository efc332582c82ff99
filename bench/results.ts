/**
 * `npm run results`: computes the bundled tables that are out of date, and writes them to docs/results.md; or confirms
 * that the code as it is gives the figures that stand there.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { integer } from '../cli/options/common.ts';
import { figureNames, figures } from '../experiment/cells/figures.ts';
import { placeless } from '../experiment/cells/job.ts';
import { programOf } from '../experiment/cells/program.ts';
import { bundledExperiments, type Experiment, readExperiment } from '../experiment/definition/experiment.ts';
import { type Plan, planExperiment } from '../experiment/definition/plan.ts';
import { TreebankSurvey } from '../experiment/definition/treebanks.ts';
import { allParadigms } from '../parsers/registry.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { packageFolder } from '../src/platform/package.ts';
import { Catalogue } from '../src/treebank/catalogue.ts';

/** Digests that tell whether a published table is up to date. */
interface PublishedMarks {
  readonly definition: string;
  /** Of treebanks and options: see `cellsDigest`. `none`: no figures yet. */
  readonly cells: string;
  /** Of the code that the cells run. `earlier`: unknown, the figures are older than these marks. */
  readonly code: string;
}

const DIGITS = 12;

/** Digest of everything in an experiment file that figures depend on; titles and descriptions do not count. */
export function definitionDigest(experiment: Experiment): string {
  const { report, defaults, rows, columns, sweep, baseline, averages, by, final } = experiment;
  const bare = (entries: Experiment['rows']) => entries?.map(({ reported: _, ...entry }) => entry);
  const { reported: _, ...values } = sweep ?? {};
  return digest([report, defaults, bare(rows), bare(columns), values, baseline, averages, by, final]);
}

/** Digest of a table's jobs: treebanks and options, not the code. */
function cellsDigest({ jobs }: Plan): string {
  const known = new Map<string, string>();
  const codeless = (name: string): string => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const withoutCode = (key: string, value: unknown) =>
      key === 'program' ? undefined : placeless(key, value);
    const text = JSON.stringify(jobs.get(name), withoutCode);
    const own = digest(text.replace(/[0-9a-f]{64}/g, (hash) => (jobs.has(hash) ? codeless(hash) : hash)));
    known.set(name, own);
    return own;
  };
  return digest([...jobs.keys()].map(codeless).sort());
}

/** Digest of the code that a table's jobs can reach, and of the package's version. */
function codeDigest({ jobs }: Plan): string {
  const programs = [...jobs.values()].flatMap((job) =>
    'tags' in job && job.tags !== undefined ? [job.program, job.tags.program] : [job.program],
  );
  return digest([...new Set(programs.map(({ version, code }) => `${version} ${code}`))].sort());
}

const digest = (data: unknown): string =>
  createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, DIGITS);

const beginning = /^<!-- table ([\w-]+): definition (\w+), cells (\w+), code (\w+) -->$/gm;
const beginOf = (name: string, { definition, cells, code }: PublishedMarks) =>
  `<!-- table ${name}: definition ${definition}, cells ${cells}, code ${code} -->`;
const endOf = (name: string) => `<!-- end of ${name} -->`;

export function publishedTables(page: string): [name: string, marks: PublishedMarks][] {
  const found = [...page.matchAll(beginning)];
  return found.map(([, name, definition, cells, code]) => [name, { definition, cells, code }]);
}

export function publishedText(page: string, name: string): string {
  const begin = [...page.matchAll(beginning)].find((match) => match[1] === name)!;
  return page.slice(begin.index + begin[0].length, page.indexOf(endOf(name))).trim();
}

const measured = figureNames
  .filter((name) => figures[name].kind === 'measured')
  .map((name) => figures[name].title);

/** The figures of a table in Markdown, row by row, without those that vary between runs. */
export function lastingFigures(text: string): string[] {
  const rows: string[] = [];
  let isMeasured = false;
  let kept: readonly number[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('#### ')) isMeasured = measured.some((title) => line.includes(title));
    if (!line.startsWith('|')) kept = undefined;
    else if (!isMeasured) {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/(?<=\d),(?=\d{3})/g, ''));
      // The heading may have changed its words.
      if (kept === undefined)
        kept = [...cells.keys()].filter((i) => !measured.some((title) => cells[i].endsWith(title)));
      else rows.push(kept.map((i) => cells[i]).join(' | '));
    }
  }
  return rows.filter((row) => !/^[-: |]+$/.test(row));
}

/** Replaces a table on a page; throws `InputError` if the page has no marks for it. */
export function withPublished(page: string, name: string, marks: PublishedMarks, text: string): string {
  const begin = [...page.matchAll(beginning)].find((match) => match[1] === name);
  const end = page.indexOf(`${endOf(name)}\n`);
  const expected = `${beginOf(name, marks)} and ${endOf(name)}`;
  if (begin === undefined || end < begin.index)
    throw new InputError(`no place for the table ${name}: expected ${expected}`);
  return `${page.slice(0, begin.index)}${beginOf(name, marks)}\n\n${text.trim()}\n\n${page.slice(end)}`;
}

const page = join(packageFolder, 'docs', 'results.md');
const main = join(packageFolder, 'dist', 'cli', 'main.js');

const program = new Command('results')
  .description('Computes the tables of docs/results.md: those named, or all that are out of date.')
  .argument('[tables...]', `of ${bundledExperiments().join(', ')}`)
  .option('--list', 'only list which are out of date')
  .option(
    '--confirm',
    'compute tables whose code alone has changed; where all figures are the same, note that',
  )
  .option('--jobs <n>', 'number of simultaneous cells', integer({ min: 1 }), availableParallelism())
  .parse();
const { list, confirm, jobs } = program.opts<{ list?: boolean; confirm?: boolean; jobs: number }>();
const CODE = 'its code has changed: --confirm tells whether its figures have';
const tell = (line: string) => process.stderr.write(`${line}\n`);
const survey = new TreebankSurvey(await Catalogue.open());
const context = { known: await allParadigms(), survey, programOf };
const published = new Map(publishedTables(readFileSync(page, 'utf8')));
// Tests import the functions above: only as a program of its own does it compute anything.
const isProgram = import.meta.url === pathToFileURL(realpathSync(process.argv[1]!)).href;
const asked = program.args.length > 0 ? program.args : bundledExperiments();
for (const name of isProgram ? asked : []) {
  try {
    const marks = await marksOf(name);
    const before = published.get(name);
    const isAsked = before?.cells === marks.cells && before.definition === marks.definition;
    if (isAsked && before.code === marks.code) tell(`${name}: as it was`);
    else if (list) tell(`${name}: ${before?.cells === 'none' ? 'not run yet' : isAsked ? CODE : 'changed'}`);
    else if (!confirm) await publish(name, marks);
    else if (isAsked) await confirmFigures(name, marks);
    else tell(`${name}: what it asks for has changed, so there is nothing to confirm`);
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

/** Computes a table whose code alone has changed; if its figures have not, only its marks are written. */
async function confirmFigures(name: string, marks: PublishedMarks): Promise<void> {
  const text = publishedText(readFileSync(page, 'utf8'), name);
  const [before, now] = [text, await compute(name)].map(lastingFigures);
  const differing = before.flatMap((row, i) => (row === now[i] ? [] : [`- ${row}`, `+ ${now[i] ?? ''}`]));
  if (differing.length > 0 || now.length !== before.length)
    throw new InputError(['other figures now:', ...differing].join('\n'));
  await writeTextFile(page, withPublished(readFileSync(page, 'utf8'), name, marks, text));
  tell(`${name}: confirmed`);
}

async function compute(name: string): Promise<string> {
  const words = ['experiment', name, '--to', 'markdown', '--jobs', String(jobs)];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [made, [status]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  if (status !== 0) throw new InputError('some cells failed, so the table stays as it was');
  return made;
}
