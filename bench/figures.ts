/** `npm run figures`: measures the figures that the pages quote again, and writes them to docs/figures.json. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { log } from '../cli/terminal/output.ts';
import { jsonDigest } from '../src/digest.ts';
import { InputError } from '../src/errors.ts';
import { writeTextFile } from '../src/files/atomic-file.ts';
import { cacheFolder } from '../src/files/cache-folder.ts';
import { packageFolder } from '../src/platform/package.ts';
import { codeThatRuns, commandsOf, type Figure, type Groups, measuredValues } from './quoted-figures.ts';
import { realTreebanks } from './real-treebanks.ts';

const file = join(packageFolder, 'docs', 'figures.json');
const shared = join(packageFolder, '..', 'shared');
const code = ['annotators', 'combine', 'experiment', 'parsers', 'src', ':!src/report'];

const program = new Command('figures')
  .description(
    'Measures the accuracies of docs/figures.json again: those named, or all that are of other code than the present one.',
  )
  .argument('[names...]', 'groups, or group/figure')
  .option('--list', 'only list which are of other code, and which have no command')
  .option('--all', 'also measure those of the present code')
  .parse();
const { list, all } = program.opts<{ list?: boolean; all?: boolean }>();
/** Whether the code at a commit runs as the present code does, by commit. */
const present = new Map<string, boolean>();
const version = git('log', '-1', '--format=%h', '--abbrev=8', '--', ...code);
/** Models and reports that figures share are kept in it. */
const folder = join(cacheFolder(), 'figures', version);
const names = Object.entries(readGroups()).flatMap(([group, { figures }]) =>
  Object.keys(figures).map((figure) => ({ group, figure, name: `${group}/${figure}` })),
);
const isAsked = ({ group, name }: (typeof names)[number]) =>
  program.args.length === 0 || program.args.includes(group) || program.args.includes(name);
const unknown = program.args.find((arg) => !names.some(({ group, name }) => [group, name].includes(arg)));
if (unknown !== undefined) program.error(`error: no group or figure “${unknown}” in ${file}`);
if (!list && git('status', '--porcelain', '--', ...code) !== '')
  program.error('error: the code has changes that are not committed: figures name the commit that gave them');
for (const { group, figure, name } of names.filter(isAsked)) {
  const { command, source, commit } = readGroups()[group]!.figures[figure]!;
  if (command === undefined) {
    if (list) log(`${name}: no command (${source ?? 'see its group'})`);
  } else if (isPresent(commit) && !all) log(`${name}: up to date`);
  else if (list) log(`${name}: of ${commit}`);
  else await measure(group, figure);
}

function readGroups(): Groups {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: packageFolder, encoding: 'utf8' }).trim();
}

function isPresent(commit: string): boolean {
  const isSame = present.get(commit) ?? !changedSince(commit).some((file) => runsOtherwise(commit, file));
  present.set(commit, isSame);
  return isSame;
}

function changedSince(commit: string): string[] {
  const files = git('diff', '--name-only', '--no-renames', commit, 'HEAD', '--', ...code);
  return files.split('\n').filter((file) => file !== '');
}

function runsOtherwise(commit: string, file: string): boolean {
  const [before, now] = [commit, 'HEAD'].map((version) => {
    const isThere = git('ls-tree', '--name-only', version, '--', file) !== '';
    return isThere ? codeThatRuns(file, git('show', `${version}:${file}`)) : '';
  });
  return before !== now;
}

/** Measures a figure and writes it at once, so that it is kept if a later one is interrupted. */
async function measure(group: string, figure: string): Promise<void> {
  const name = `${group}/${figure}`;
  const entry = readGroups()[group]!.figures[figure]!;
  try {
    let values = entry.values;
    for (const { command, keys } of commandsOf(entry))
      values = { ...values, ...measuredValues(keys, entry.values, await run(command)) };
    await writeFigure(group, figure, { ...entry, values, commit: version });
    const [before, now] = [entry.values, values].map((of) => JSON.stringify(of));
    log(before === now ? `${name}: as before` : `${name}: now ${now}, before ${before}`);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    log(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Only this one: another process may have written others meanwhile. */
async function writeFigure(group: string, figure: string, entry: Figure): Promise<void> {
  const groups = readGroups();
  const figures = { ...groups[group]!.figures, [figure]: entry };
  const changed = { ...groups, [group]: { ...groups[group]!, figures } };
  await writeTextFile(file, `${JSON.stringify(changed, null, 2)}\n`);
  execFileSync(join(packageFolder, 'node_modules', '.bin', 'biome'), ['format', '--write', file]);
}

/**
 * The JSON that the last step prints, or has printed for another figure. Steps before it whose model is there already are
 * not run again.
 */
async function run(command: string): Promise<unknown> {
  const report = join(folder, `${jsonDigest(command)}.json`);
  if (!existsSync(report)) {
    mkdirSync(folder, { recursive: true });
    await writeTextFile(report, runSteps(command.split('; ')));
  }
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** What the last step prints. */
function runSteps(steps: readonly string[]): string {
  for (const step of steps.slice(0, -1)) {
    const model = /^parliament train .*--model (\S+)/.exec(step)?.[1];
    if (model === undefined || !existsSync(join(folder, model))) shell(step);
  }
  return shell(steps.at(-1)!);
}

/** Runs a step in the folder; `ud-tamil-ttb/dev` stands for that file, `texts/` and `oracles/` for these folders. */
function shell(step: string): string {
  const line = step
    .replace(/^parliament\b/, `${process.execPath} ${join(packageFolder, 'dist', 'cli', 'main.js')}`)
    .replace(/(\S+)\/(train|dev)\b/g, (_, name: string, part: 'train' | 'dev') => {
      const file = realTreebanks.find((treebank) => treebank.name === name)?.[part];
      if (file === undefined) throw new InputError(`no ${part} part of “${name}”`);
      return file;
    })
    .replace(/\b(texts|oracles)\//g, `${shared}/$1/`);
  try {
    return execFileSync(line, { cwd: folder, shell: true, encoding: 'utf8' });
  } catch {
    throw new InputError(`failed: ${line}`);
  }
}
