import { beforeAll, expect, test, vi } from 'vitest';
import { runHere } from '../../support/run-in-process.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('progress');
const trees = '1\tDogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n';
beforeAll(async () => {
  sandbox.save('in.conllu', trees);
  const train = ['train', 'bigram', '--train', 'in.conllu', '--model', 'bigram.model', '--quiet'];
  expect(await runHere(train, { cwd: sandbox.folder })).toMatchObject({ status: 0 });
});

/** Runs a command as on a terminal; returns what it prints on stderr. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const streams = [process.stdout, process.stderr];
  const before = streams.map(({ isTTY }) => isTTY);
  for (const stream of streams) stream.isTTY = true;
  vi.stubEnv('NO_COLOR', '1');
  try {
    return (await runHere(args, { cwd: sandbox.folder })).stderr;
  } finally {
    for (const [i, stream] of streams.entries()) stream.isTTY = before[i];
    vi.unstubAllEnvs();
  }
}

test.each([
  ['converting', 'convert in.conllu --to conllx'],
  ['parsing', 'parse --model bigram.model in.conllu -o'],
  ['voting', 'vote in.conllu in.conllu -o'],
  ['searching', 'find W[] in.conllu -o'],
])('%s shows progress, but not if the results go to the terminal', async (title, command) => {
  const args = command.split(' ');
  expect(await onTerminal([...args, 'out.conllu'])).toContain(`${title}  `);
  for (const output of ['-', '/dev/stdout'])
    expect(await onTerminal([...args, output])).not.toContain(`${title}  `);
});
