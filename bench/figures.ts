/** `npm run figures`: measures the figures that the pages quote again, and writes them to docs/figures.json. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { log } from '../cli/terminal/output.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { cacheFolder } from '../src/files/cache-folder.ts';
import { packageFolder } from '../src/platform/package.ts';
import { FigureCommands, writeFirstSentences } from './figure-commands.ts';
import type { Figure, Groups } from './quoted-figures.ts';
import { codeThatRuns, commandsOf, measuredValues, scoresOf } from './quoted-figures.ts';
import { found, realTreebanks } from './real-treebanks.ts';

const file = join(packageFolder, 'docs', 'figures.json');
const code = ['annotators', 'combine', 'parsers', 'src', ':!src/report'];

const program = new Command('figures')
  .description(
    'Measures the accuracies of docs/figures.json again: those named, or all that are of other code than the present one.',
  )
  .argument('[names...]', 'groups, or group/figure')
  .option('--list', 'only list which are of other code, and which have no command')
  .option('--all', 'also measure those of the present code')
  .option(
    '--like <folder>',
    'do not measure, but compare, on the first sentences of the same files, what this code gives and what a built clone of the commit that measured them gives: in minutes, not hours',
  )
  .parse();
const { list, all, like } = program.opts<{ list?: boolean; all?: boolean; like?: string }>();
/** Whether the code of two commits runs alike, by their names. */
const alike = new Map<string, boolean>();
const version = git('log', '-1', '--format=%h', '--abbrev=8', '--', ...code);
const cache = join(cacheFolder(), 'figures');
interface Clone {
  readonly folder: string;
  readonly head: string;
}
const clone = like === undefined ? undefined : cloneIn(resolve(like));
const names = Object.entries(readGroups()).flatMap(([group, { figures }]) =>
  Object.keys(figures).map((figure) => ({ group, figure, name: `${group}/${figure}` })),
);
const isAsked = ({ group, name }: (typeof names)[number]) =>
  program.args.length === 0 || program.args.includes(group) || program.args.includes(name);
const unknown = program.args.find((arg) => !names.some(({ group, name }) => [group, name].includes(arg)));
if (unknown !== undefined) program.error(`error: no group or figure “${unknown}” in ${file}`);
if (!list && git('status', '--porcelain', '--', ...code) !== '')
  program.error('error: the code has changes that are not committed: figures name the commit that gave them');
if (!list && found(realTreebanks).length === 0)
  program.error('error: no treebank to measure on: is ../shared/treebanks there?');
for (const { group, figure, name } of names.filter(isAsked)) {
  const entry = readGroups()[group]!.figures[figure]!;
  const commit = entry.confirmed ?? entry.commit;
  try {
    if (entry.command === undefined) {
      if (list) log(`${name}: no command (${entry.source ?? 'see its group'})`);
    } else if (isAlike(commit, 'HEAD') && !all) log(`${name}: up to date`);
    else if (list) log(`${name}: of ${commit}`);
    else if (clone === undefined) await measure(group, figure);
    else if (isAlike(commit, clone.head)) await confirm(group, figure, clone);
    else log(`${name}: of ${commit}, not of the clone's commit`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    log(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

function readGroups(): Groups {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The clone in a folder; ends the program with an error if there is none. */
function cloneIn(folder: string): Clone {
  if (!existsSync(join(folder, '.git')) || !existsSync(join(folder, 'dist')))
    program.error(`error: ${folder} is not a built clone of this repository`);
  return { folder, head: git('-C', folder, 'rev-parse', 'HEAD') };
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: packageFolder, encoding: 'utf8' }).trim();
}

/** Whether the code of two commits runs alike. */
function isAlike(one: string, other: string): boolean {
  const key = `${one} ${other}`;
  const known = alike.get(key);
  if (known !== undefined) return known;
  const files = git('diff', '--name-only', '--no-renames', one, other, '--', ...code).split('\n');
  const isSame = files.every((file) => file === '' || codeAt(one, file) === codeAt(other, file));
  alike.set(key, isSame);
  return isSame;
}

function codeAt(commit: string, file: string): string {
  const isThere = git('ls-tree', '--name-only', commit, '--', file) !== '';
  return isThere ? codeThatRuns(file, git('show', `${commit}:${file}`)) : '';
}

/** Measures a figure and writes it at once, so that it is kept if a later one is interrupted. */
async function measure(group: string, figure: string): Promise<void> {
  const { confirmed: _, ...entry } = readGroups()[group]!.figures[figure]!;
  const values = await valuesOf(entry, new FigureCommands(packageFolder, join(cache, version)));
  await writeFigure(group, figure, { ...entry, values, commit: version });
  const [before, now] = [entry.values, values].map((of) => JSON.stringify(of));
  const change = before === now ? 'as before' : `now ${now}, before ${before}`;
  log(`${group}/${figure}: ${change}`);
}

/** Notes that this code gives what the clone's gives, on the first sentences of the same files. */
async function confirm(group: string, figure: string, clone: Clone): Promise<void> {
  const entry = readGroups()[group]!.figures[figure]!;
  const inputs = join(cache, 'first-sentences');
  writeFirstSentences(inputs);
  const there = new FigureCommands(clone.folder, join(inputs, clone.head), inputs);
  const here = new FigureCommands(packageFolder, join(inputs, version), inputs);
  for (const { command } of commandsOf(entry)) {
    const reports = [await there.report(command), await here.report(command)];
    const [before, now] = reports.map((report) => JSON.stringify(scoresOf(report)));
    if (before !== now) throw new InputError(`other figures on small data: now ${now}, before ${before}`);
  }
  await writeFigure(group, figure, { ...entry, confirmed: version });
  log(`${group}/${figure}: confirmed`);
}

async function valuesOf(entry: Figure, commands: FigureCommands): Promise<Figure['values']> {
  let { values } = entry;
  for (const { command, keys } of commandsOf(entry))
    values = { ...values, ...measuredValues(keys, entry.values, await commands.report(command)) };
  return values;
}

/** Only this one: another process may have written others meanwhile. */
async function writeFigure(group: string, figure: string, entry: Figure): Promise<void> {
  const groups = readGroups();
  const figures = { ...groups[group]!.figures, [figure]: entry };
  const changed = { ...groups, [group]: { ...groups[group]!, figures } };
  await writeTextFile(file, `${JSON.stringify(changed, null, 2)}\n`);
  execFileSync(join(packageFolder, 'node_modules', '.bin', 'biome'), ['format', '--write', file]);
}
