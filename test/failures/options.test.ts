/** What existing parsers do with options that they do not know, and what Parliament does instead. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { graph } from '../../parsers/graph/paradigm.ts';
import { lastOf } from '../support/last-of.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('options');
const model = sandbox.path('small.model');
beforeAll(() => trainOnSample(model));

const train = ['train', 'graph', '--train', samplePath('train'), '--model', sandbox.path('new.model')];
const parse = ['parse', '--model', model, samplePath('dev'), '-o', sandbox.path('out.conllu')];

describe('a mistyped option or value (which other parsers ignore)', () => {
  test.each([
    [train, '--epoch 2', "unknown option '--epoch' (Did you mean --epochs?)"],
    [train, '--lerner perceptron', "unknown option '--lerner' (Did you mean --learner?)"],
    [train, '-epochs 2', "unknown option '-epochs'"],
    [train, '--singleRoot', "unknown option '--singleRoot' (Did you mean --single-root?)"],
    [train, '--no-normalise', "unknown option '--no-normalise' (Did you mean --no-normalize?)"],
    [train, 'epochs:2', "too many arguments for 'graph'. Expected 0 arguments but got 1."],
    [train, 'learner=perceptron', "too many arguments for 'graph'. Expected 0 arguments but got 1."],
    [parse, 'beams:1', "too many arguments for 'parse'. Expected 1 argument but got 2."],
    [parse, '--job 2', "unknown option '--job' (Did you mean --jobs?)"],
  ])('$1 is refused', async (command, mistyped, message) => {
    const before = sandbox.list();
    const stderr = `parliament: error: ${message}\n`;
    expect(await runHere([...command, ...mistyped.split(' ')])).toMatchObject({
      status: 2,
      stdout: '',
      stderr,
    });
    expect(sandbox.list()).toEqual(before);
  });

  test.each([
    ['--learner', 'perceptrom', /Allowed choices are .*averaged-perceptron/],
    ['--decoder', 'cle', /Allowed choices are .*chu-liu-edmonds/],
    ['--templates', 'mcdonald,bonnet', /'bonnet' is not one of mcdonald, /],
    ['--distance', 'buckets', /Allowed choices are bucket, /],
    ['--tag', 'pos', /Allowed choices are upos, xpos, both/],
    ['--stem', 'prefix', /expected none, lemma, first-char or prefix:N/],
    ['--epochs', '1.5', /Expected a whole number from 1 to/],
    ['--epochs', '', /Expected a whole number from 1 to/],
    ['--epochs', '0x10', /Expected a whole number from 1 to/],
    ['--bits', '99', /Expected a whole number from 10 to/],
    ['--seed', '-1', /Expected a whole number from 0 to/],
    ['--limit', '0', /Expected a whole number of at least 1/],
    ['--encoding', 'latin-99', /unknown encoding “latin-99”/],
    ['--format', 'conll', /Allowed choices are conllu, /],
  ])('train graph %s %j is refused', async (option, value, message) => {
    const { exitCode, stdout, stderr } = await runInProcess(...train, option, value);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^parliament: error: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(sandbox.list()).not.toContain('new.model');
  });
});

describe('a trained model (which other parsers let users run with the wrong options)', () => {
  test.each([
    '--decoder',
    '--templates',
    '--tag',
    '--stem',
    '--distance',
    '--no-normalize',
    '--single-root',
    '--bits',
  ])('contains its options: parse refuses %s', async (option) => {
    const { exitCode, stderr } = await runInProcess(...parse, option, 'eisner');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`^parliament: error: unknown option '${option}'[^\\n]*\\n$`));
  });

  test('refuses input without a column that it reads; with --allow-missing it parses with a warning', async () => {
    const text = sampleText('dev').replace(/^(\d+(?:\t[^\t\n]*){3})\t[^\t\n]*/gm, '$1\t_');
    const input = sandbox.save('untagged.conllu', text);
    const command = ['parse', '--model', model, input, '-o', sandbox.path('untagged.out'), '--quiet'];
    const problem = `${input}:1: no XPOS, which the model was trained to read`;
    expect(await runInProcess(...command)).toMatchObject({
      exitCode: 2,
      stderr: `parliament: error: ${problem}: fill in what is missing, or add --allow-missing and expect worse trees\n`,
    });
    expect(sandbox.list()).not.toContain('untagged.out');
    expect(await runInProcess(...command, '--allow-missing')).toMatchObject({
      exitCode: 0,
      stderr: `parliament: warning: ${problem}: expect worse trees\n`,
    });
  });

  test('is not trained further with other options, data or seed than at first', async () => {
    const checkpoint = sandbox.path('stopped.model.checkpoint');
    const begun = [...train.slice(0, -1), sandbox.path('stopped.model'), '--bits', '10', '--epochs', '2'];
    // This leaves the checkpoint that kill -9 between two epochs would leave.
    const killed = killedAfterFirstEpoch(graph.train);
    const spy = vi.spyOn(graph, 'train').mockImplementation(killed);
    const { exitCode } = await runInProcess(...begun, '--quiet');
    spy.mockRestore();
    expect(exitCode).toBe(70);
    const before = readFileSync(checkpoint);
    for (const other of [
      ['--seed', '9'],
      ['--no-shuffle'],
      ['--epochs', '3'],
      ['--limit', '20'],
      ['--bits', '11'],
    ]) {
      const resumed = await runInProcess(...lastOf(...begun, ...other), '--resume');
      expect(resumed.exitCode).toBe(2);
      expect(resumed.stderr).toContain(
        `parliament: error: ${checkpoint} is of a training with other options, data or seed: train without --resume\n`,
      );
      expect(readFileSync(checkpoint)).toEqual(before);
    }
    expect((await runInProcess(...begun, '--resume', '--quiet')).stderr).toBe('');
    expect(sandbox.list()).toContain('stopped.model');
    expect(sandbox.list()).not.toContain('stopped.model.checkpoint');
  });
});

/** A training function that fails as soon as a checkpoint has been saved. */
function killedAfterFirstEpoch(train: typeof graph.train): typeof graph.train {
  return (treebank, options, run) =>
    train(treebank, options, {
      ...run,
      checkpoints: {
        load: () => run.checkpoints?.load(),
        save: (write) => {
          run.checkpoints?.save(write);
          throw new Error('killed');
        },
      },
    });
}
