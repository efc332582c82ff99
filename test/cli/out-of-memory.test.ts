import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { isOutOfMemory } from '../../cli/run.ts';
import { needs } from '../support/needs.ts';
import { cliPath } from '../support/run-cli.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('memory');

function failureOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing failed');
}

describe('errors from lack of memory', () => {
  test.each([
    ['a buffer larger than memory', () => new ArrayBuffer(2 ** 52), true],
    ['an array longer than possible', () => new Float64Array(2 ** 40), true],
    ['a string longer than possible', () => 'x'.repeat(2 ** 30), true],
    ['a typed array of negative length', () => new Float64Array(-1), false],
    ['an array of negative length', () => new Array(-1), false],
  ])('are distinguished from other errors: %s', (_, action, isMemory) =>
    expect(isOutOfMemory(failureOf(action))).toBe(isMemory),
  );

  test('include the error of a thread whose heap is full', async () => {
    const worker = new Worker('const all = []; for (;;) all.push({});', {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 8 },
    });
    const error = await new Promise<Error>((resolve) => worker.once('error', resolve));
    expect(isOutOfMemory(error)).toBe(true);
  });
});

const limited = process.platform === 'linux' ? needs('sh') : needs('Linux', false);

limited.describe('training with too little', () => {
  const noAddresses = 'not enough address space (ulimit -v; a network reserves about 10 GB of addresses)';
  test.each([
    ['memory', 1_500_000, 'graph --bits 28', 'not enough memory for this: Array buffer allocation failed'],
    [
      'address space',
      4_000_000,
      'network --units 8',
      `${noAddresses}: WebAssembly.Memory(): could not allocate memory`,
    ],
  ])('%s ends with a one-line error and leaves no files', (_, limit, kind, message) => {
    const args = `train ${kind} --train ${samplePath('dev')} --model m --epochs 1 --jobs 1 --quiet`;
    const command = `ulimit -v ${limit}; exec ${process.execPath} ${cliPath} ${args}`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: sandbox.folder });
    expect({ status, stderr }).toEqual({ status: 2, stderr: `parliament: error: ${message}\n` });
    expect(sandbox.list()).toEqual([]);
  });
});

test('a file whose first sentence never ends is refused even with a small heap', () => {
  const file = sandbox.save('comments.conllu', '# x\n'.repeat(1 << 23));
  const args = ['--max-old-space-size=100', cliPath, 'stats', file];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `parliament: error: ${file}:1: a sentence longer than 16777216 characters, expected blank lines between sentences\n`,
  });
});
