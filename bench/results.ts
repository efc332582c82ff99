/** `npm run results`: makes the bundled tables that have changed, and writes them into docs/results.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { Command } from 'commander';
import { integer } from '../cli/options/common.ts';
import { programOf } from '../experiment/cells/program.ts';
import { bundledExperiments, readExperiment } from '../experiment/definition/experiment.ts';
import { planExperiment } from '../experiment/definition/plan.ts';
import { TreebankSurvey } from '../experiment/definition/treebanks.ts';
import {
  cellsDigest,
  definitionDigest,
  type PublishedMarks,
  publishedTables,
  withPublished,
} from '../experiment/results/published.ts';
import { allParadigms } from '../parsers/registry.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { packageFolder } from '../src/files/package.ts';
import { Catalogue } from '../src/treebank/catalogue.ts';

const page = join(packageFolder, 'docs', 'results.md');
const main = join(packageFolder, 'dist', 'cli', 'main.js');

const program = new Command('results')
  .description('Makes the tables of docs/results.md: those named, or else all that have changed since.')
  .argument('[tables...]', `of ${bundledExperiments().join(', ')}`)
  .option('--list', 'only say which have changed')
  .option('--jobs <n>', 'cells at the same time', integer({ min: 1 }), availableParallelism())
  .parse();
const { list, jobs } = program.opts<{ list?: boolean; jobs: number }>();

const tell = (line: string) => process.stderr.write(`${line}\n`);
const context = {
  known: await allParadigms(),
  survey: new TreebankSurvey(await Catalogue.open()),
  programOf,
};
const published = new Map(publishedTables(readFileSync(page, 'utf8')));
for (const name of program.args.length > 0 ? program.args : bundledExperiments()) {
  try {
    const marks = await marksOf(name);
    const before = published.get(name);
    const isSame = before?.cells === marks.cells && before.definition === marks.definition;
    if (isSame) tell(`${name}: as it was`);
    else if (list) tell(`${name}: ${before?.cells === 'none' ? 'not run yet' : 'changed'}`);
    else await publish(name, marks);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    tell(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** What the table would be made of now. */
async function marksOf(name: string): Promise<PublishedMarks> {
  const experiment = await readExperiment(name);
  const plan = await planExperiment(experiment, context);
  return { definition: definitionDigest(experiment), cells: cellsDigest(plan) };
}

/** Makes a table, and writes it down at once: what is stopped later keeps it. */
async function publish(name: string, marks: PublishedMarks): Promise<void> {
  const words = ['experiment', name, '--format', 'markdown', '--jobs', String(jobs)];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [made, [status]] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
  if (status !== 0) throw new InputError('not all of its cells are there, so it stays as it was');
  await writeTextFile(page, withPublished(readFileSync(page, 'utf8'), name, marks, made));
  tell(`${name}: written`);
}
