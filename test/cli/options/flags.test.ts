import { describe, expect, test } from 'vitest';
import { runInProcess } from '../../support/run-in-process.ts';
import { samplePath } from '../../support/sample.ts';

const dev = samplePath('dev');

describe('an option that takes one value but is given twice', () => {
  test.each([
    ['--model', ['parse', '--model', 'a', '--model', 'b', dev]],
    ['--output', ['parse', '--model', 'a', '-o', 'x', '--output=y', dev]],
    ['--epochs', ['train', 'graph', '--train', dev, '--model', 'm', '--epochs', '2', '--epochs', '2']],
    ['--model', ['train', 'bigram', '--train', dev, '--model', 'm', '--model', 'n']],
    ['--gold', ['draw', dev, '--gold', dev, '--gold', dev]],
    ['--dev-gold', ['vote', dev, dev, '--dev-gold', dev, '--dev-gold', dev, '--dev', dev, dev]],
    ['--train', ['experiment', 'epochs', '--train', dev, '--train', dev]],
    ['--by', ['evaluate', dev, dev, '--by', 'label', '--by', 'tag']],
    ['--part', ['data', 'path', 'sample', '--part', 'dev', '--part', 'train']],
  ])('is refused: %s', async (flag, args) => {
    expect(await runInProcess(...args)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `parliament: error: ${flag} is given twice, expected one value\n`,
    });
  });
});

test('a switch and its opposite are refused together', async () => {
  const args = ['train', 'graph', '--train', dev, '--model', 'm', '--single-root', '--no-single-root'];
  expect(await runInProcess(...args)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'parliament: error: --single-root or --no-single-root, not both\n',
  });
});

test('a switch may be given twice', async () => {
  expect(await runInProcess('stats', dev, '--json', '--json', '--quiet')).toMatchObject({ exitCode: 0 });
});
