import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { fileError } from '../../src/files/file-error.ts';
import { Catalogue } from '../../src/treebank/catalogue.ts';
import { examples } from '../help.ts';
import { quietOption } from '../options.ts';
import { coloursFor, print, warn } from '../output.ts';
import { ExitCode } from '../run.ts';

/** What the demo does: one line to say so, and the commands as a user would type them in its folder. */
const steps: readonly (readonly [what: string, ...commands: string[]])[] = [
  ['What is in the treebank', 'stats train.conllu'],
  [
    'Train the graph parser, once for each way of finding the best tree',
    'train graph --train train.conllu --dev dev.conllu --decoder chu-liu-edmonds --model any-tree.model',
    'train graph --train train.conllu --dev dev.conllu --decoder eisner --model projective.model',
  ],
  [
    'Parse sentences that neither has seen',
    'parse --model any-tree.model test.conllu -o any-tree.conllu',
    'parse --model projective.model test.conllu -o projective.conllu',
  ],
  ['Compare both with the right trees', 'evaluate test.conllu any-tree.conllu projective.conllu'],
  [
    'Draw what was found for a sentence whose arcs cross, and keep it as a picture',
    'draw any-tree.conllu --sentence 63',
    'draw any-tree.conllu --sentence 63 --svg tree.svg',
  ],
];

/** `parliament demo` */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Train, parse, compare and draw on the bundled sample, in less than a minute.')
    .option('-o, --output <folder>', 'where to put what it writes', 'parliament-demo')
    .addOption(quietOption())
    .addHelpText('after', examples('parliament demo', 'parliament demo --output /tmp/parliament-demo'))
    .action(demo);
}

async function demo({ output, quiet }: { readonly output: string; readonly quiet?: boolean }): Promise<void> {
  const start = performance.now();
  await copySample(output);
  print(`The bundled sample is copied to ${output}, and everything below happens in that folder.`);
  for (const [what, ...commands] of steps) {
    print(`\n${coloursFor(process.stdout).bold(what)}`);
    for (const command of commands) {
      const exitCode = await show(command, output, quiet);
      if (exitCode === 0) continue;
      warn('the demo stops here, as this command failed');
      process.exitCode = exitCode;
      return;
    }
  }
  print(
    `\nDone in ${((performance.now() - start) / 1000).toFixed(1)} s. What it wrote is in ${resolve(output)}.`,
  );
  print(next);
}

async function copySample(folder: string): Promise<void> {
  const catalogue = await Catalogue.open();
  const sample = catalogue.entry('sample');
  try {
    await mkdir(folder, { recursive: true });
    for (const file of sample.files) await copyFile(catalogue.pathOf(sample, file), join(folder, file.name));
  } catch (error) {
    throw fileError(error, folder, 'cannot put the sample here');
  }
}

/** Runs a command of this program in a folder, as typed, and gives its exit code. */
async function show(command: string, folder: string, quiet = false): Promise<number> {
  print(coloursFor(process.stdout).cyan(`\n$ parliament ${command}`));
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...command.split(' '), ...(quiet ? ['--quiet'] : [])], {
    cwd: folder,
    stdio: 'inherit',
  });
  const [exitCode] = await once(child, 'close');
  return exitCode ?? ExitCode.interrupted;
}

const next = `
What to try next:
  parliament data list                      real treebanks that can be had by name
  parliament data get ud-english-ewt        a large English one, verified and kept
  parliament train graph --help             every option of the parser
  parliament evaluate GOLD PRED --by label  where the errors are`;
