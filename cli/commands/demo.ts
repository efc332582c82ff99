import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../src/errors.ts';
import { fileDigest, fileError, makeFolder } from '../../src/files/files.ts';
import { readyModel } from '../../src/model/ready-model.ts';
import { Catalogue, type CatalogueFile } from '../../src/treebank/catalogue.ts';
import type { Command } from '../options/command.ts';
import { quietOption } from '../options/common.ts';
import { print, styled, warn } from '../terminal/output.ts';
import { interruptedStatus, stoppable } from '../terminal/process.ts';

const members: Readonly<Record<string, string>> = {
  graph: 'graph --train train.conllu --decoder eisner',
  beam: 'transition --train train.conllu',
  yamada: 'yamada-matsumoto --train train.conllu',
  network: 'network --train train.conllu --epochs 15 --units 48 --rate 0.006',
  bigram: 'bigram --train train.conllu',
  pcfg: 'pcfg --train train.mrg',
};
const names = Object.keys(members);
const outputs = names.map((name) => `${name}.conllu`).join(' ');
const models = names.map((name) => `--model ${name}.model`).join(' ');

/** The steps of the demo: a title, and commands to run in its folder. */
const steps: readonly (readonly [what: string, ...commands: string[]])[] = [
  ['What is in the treebank', 'stats train.conllu'],
  [
    'Train a parser of every family: graph, transitions, support vector machines, a network, bigrams, phrase structure',
    ...names.map((name) => `train ${members[name]} --model ${name}.model`),
  ],
  [
    'Parse sentences that none of them has seen',
    ...names.map((name) => `parse --model ${name}.model test.conllu -o ${name}.conllu`),
  ],
  [
    'Let them vote, each with a weight learnt from other sentences',
    `vote ${models} test.conllu --dev-gold dev.conllu -o vote.conllu`,
  ],
  ['Score them all against the right trees', `evaluate test.conllu ${outputs} vote.conllu`],
  [
    'Which differences are significant, and where do they come from? Also as a page',
    `compare test.conllu ${outputs} vote.conllu --members ${names} --by distance --limit 3 --html report.html`,
  ],
  [
    'Draw the tree of the vote for a sentence, also as a picture',
    'draw vote.conllu --sentence 63 --gold test.conllu',
    'draw vote.conllu --sentence 63 --gold test.conllu --svg tree.svg',
  ],
];

const SENTENCE = 'Nobody expected the small parser to win.';

export function demoCommand(command: Command): Command {
  return command
    .option('-o, --output <folder>', 'output folder, new or empty', 'parliament-demo')
    .with(quietOption())
    .examples('parliament demo', 'parliament demo --output /tmp/parliament-demo')
    .action((flags: DemoFlags) => stoppable((signal) => demo(flags, signal), { advice }));
}

const advice = () => 'the same command begins again';

interface DemoFlags {
  readonly output: string;
  readonly quiet?: boolean;
}

async function demo({ output, quiet }: DemoFlags, signal: AbortSignal): Promise<void> {
  const run = async (what: string, commands: readonly string[], text?: string) => {
    print('\n', styled('bold', what));
    for (const command of commands) {
      const exitCode = await show(command, { cwd: output, signal }, quiet, text);
      if (exitCode === 0) continue;
      warn('the demo stops here, as this command failed');
      process.exitCode = exitCode;
      return false;
    }
    return true;
  };
  const start = performance.now();
  await copySample(output);
  print(`The bundled sample is copied to ${output}, and everything below happens in that folder.`);
  const ready = 'Nothing is needed to parse English: a ready model takes text';
  const parse = ['parse --model english --draw'];
  if (readyModel('english') !== undefined && !(await run(ready, parse, SENTENCE))) return;
  for (const [what, ...commands] of steps) if (!(await run(what, commands))) return;
  print(
    `\nDone in ${((performance.now() - start) / 1000).toFixed(1)} s. What it wrote is in ${resolve(output)}.`,
  );
  print(`
Open ${join(output, 'report.html')} in a browser: the comparison as a page, with every tree.

What to try next:
  parliament data list                      real treebanks to download by name
  parliament data get ud-english-ewt        a large English one, verified and stored
  parliament train transition --help        every option of a parser
  parliament experiment --list              whole tables from one command`);
}

async function copySample(folder: string): Promise<void> {
  const catalogue = await Catalogue.open();
  const files = ['sample', 'sample-phrases'].flatMap((name) => {
    const entry = catalogue.entry(name);
    return entry.files.map((file) => ({ ...file, path: catalogue.pathOf(entry, file) }));
  });
  try {
    await makeFolder(folder);
    if (await hasSample(folder, files)) return;
    try {
      for (const { name, path } of files) await copyFile(path, join(folder, name));
    } catch (error) {
      // With a part of the sample the folder would not count as one of the demo.
      for (const { name } of files) await rm(join(folder, name), { force: true });
      throw error;
    }
  } catch (error) {
    throw fileError(error, folder, 'cannot copy the sample here');
  }
}

/** Whether the folder contains the unchanged sample from an earlier demo; throws `UsageError` unless it is empty. */
async function hasSample(folder: string, sample: readonly CatalogueFile[]): Promise<boolean> {
  const present = new Set(await readdir(folder));
  if (present.size === 0) return false;
  for (const { name, sha256 } of sample) {
    if (present.has(name) && (await fileDigest(join(folder, name))) === sha256) continue;
    throw new UsageError(`${folder}: has other files, expected a new or empty folder, or one of the demo`);
  }
  return true;
}

/** Runs a command, with a line of text as its input if one is given; returns its exit status. */
async function show(
  command: string,
  options: { readonly cwd: string; readonly signal: AbortSignal },
  quiet = false,
  text?: string,
): Promise<number> {
  const echo = text === undefined ? '' : `echo "${text}" | `;
  print('\n', styled('cyan', `$ ${echo}parliament ${command}`));
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...command.split(' '), ...(quiet ? ['--quiet'] : [])], {
    ...options,
    killSignal: 'SIGINT',
    stdio: [text === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
  });
  child.stdin?.end(`${text}\n`);
  const [exitCode, signal] = await once(child, 'close');
  return exitCode ?? interruptedStatus(signal);
}
