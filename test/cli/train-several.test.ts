import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { checkNotTrainedOn } from '../../combine/vote/analysis/independence.ts';
import { claim, lockOf } from '../../src/files/lock.ts';
import { ownerText, thisProcess } from '../../src/files/owner.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { CheckpointFile } from '../../src/training/checkpoint-file.ts';
import { registerLeftNeighbour } from '../support/left-neighbour.ts';
import { runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('train-several');
const cwd = sandbox.folder;

await registerLeftNeighbour();

const token = (form: string, xpos = 'N', label = 'root') =>
  `1\t${form}\t_\tNOUN\t${xpos}\t_\t0\t${label}\t_\t_\n\n`;
const dogs = token('Dogs').repeat(3);
const cats = token('Cats').repeat(2);
sandbox.save('dogs.conllu', dogs);
sandbox.save('cats.conllu', cats);
sandbox.save('untagged.conllu', token('Birds', '_'));
sandbox.save('dev.conllu', token('Mice'));
sandbox.save('phrases.mrg', '(S (NP (N Dogs)) (VP (V bark)))\n');

const train = (...args: readonly string[]) =>
  runHere(['train', 'left-neighbour', ...args, '--quiet'], { cwd });
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const headerOf = (model: string) => readModelFile(sandbox.path(model)).header;

describe('several files of --train', () => {
  test('are trained on together, in order, whether after one --train or several', async () => {
    sandbox.save('both.conllu', dogs + cats);
    await train('--train', 'both.conllu', '--model', 'one');
    await train('--train', 'dogs.conllu', 'cats.conllu', '--model', 'two');
    await train('--train', 'dogs.conllu', '--train', 'cats.conllu', '--model', 'three');
    const { train: ofOne, ...one } = headerOf('one');
    const { train: ofTwo, ...two } = headerOf('two');
    expect(two).toEqual(one);
    expect(sandbox.read('three')).toBe(sandbox.read('two'));
    expect(ofOne).toEqual({ file: 'both.conllu', digest: digestOf(dogs + cats) });
    expect(ofTwo).toEqual([
      { file: 'dogs.conllu', digest: digestOf(dogs) },
      { file: 'cats.conllu', digest: digestOf(cats) },
    ]);
  });

  test('can be combined with several files of --dev, all of which the model names', async () => {
    const dev = ['--dev', 'dev.conllu', '--dev', 'cats.conllu'];
    await train('--train', 'dogs.conllu', ...dev, '--model', 'm');
    expect(headerOf('m').dev).toMatchObject([{ file: 'dev.conllu' }, { file: 'cats.conllu' }]);
  });

  test('are limited together by --limit', async () => {
    await train('--train', 'dogs.conllu', 'cats.conllu', '--limit', '4', '--model', 'm');
    expect(headerOf('m').train).toEqual([
      { file: 'dogs.conllu', digest: digestOf(dogs), limit: 4 },
      { file: 'cats.conllu', digest: digestOf(token('Cats')), limit: 1 },
    ]);
    await train('--train', 'dogs.conllu', 'cats.conllu', '--limit', '3', '--model', 'm');
    expect(headerOf('m').train).toMatchObject([{ file: 'dogs.conllu' }]);
  });

  test('are each refused as data from which to learn the weights of a vote', async () => {
    await train('--train', 'dogs.conllu', 'cats.conllu', '--model', 'm');
    const model = readModelFile(sandbox.path('m'));
    const gold = { name: 'cats', digest: digestOf(cats), sentences: [] };
    expect(() => checkNotTrainedOn(model, gold)).toThrow(/m: was trained on cats/);
    expect(() => checkNotTrainedOn(model, { ...gold, digest: digestOf('other') })).not.toThrow();
  });

  test('give a warning that names both if one lacks a column that another has', async () => {
    const { status, stderr } = await train('--train', 'dogs.conllu', 'untagged.conllu', '--model', 'm');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: 'parliament: warning: untagged.conllu has no XPOS, dogs.conllu has some\n',
    });
  });

  test('are refused if only some of them are brackets', async () => {
    expect(await train('--train', 'dogs.conllu', 'phrases.mrg', '--model', 'm')).toMatchObject({
      status: 2,
      stderr:
        'parliament: error: phrases.mrg: brackets, but dogs.conllu is conllu: they cannot be learnt from together\n',
    });
  });

  test('allow a stopped training to resume, unless a file or their order has changed', async () => {
    const stop = new AbortController();
    const learn = (order: readonly string[], resume: boolean) =>
      trainParser(
        'graph',
        order.map((file) => sandbox.path(file)),
        {
          ...{ options: { bits: 10, epochs: 3 }, signal: resume ? undefined : stop.signal },
          checkpoints: new CheckpointFile(sandbox.path('resumed'), { resume }),
          onProgress: ({ isOver }) => void (isOver && stop.abort()),
        },
      );
    const files = ['dogs.conllu', 'cats.conllu'];
    await expect(learn(files, false)).rejects.toThrow();
    const refusal = 'is of a training with other options, data or seed';
    await expect(learn(files.toReversed(), true)).rejects.toThrow(refusal);
    sandbox.save('cats.conllu', token('Lions'));
    await expect(learn(files, true)).rejects.toThrow(refusal);
    sandbox.save('cats.conllu', cats);
    expect((await learn(files, true)).about.train).toMatchObject([
      { file: 'dogs.conllu' },
      { file: 'cats.conllu' },
    ]);
  });

  test('are refused if standard input is to be read twice', async () => {
    expect(await train('--train', '-', '--dev', '-', '--model', 'm')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: standard input (-) can be read only once\n',
    });
  });
});

describe('a training', () => {
  const args = ['--train', 'dogs.conllu', '--model', 'shared'];
  const checkpoint = sandbox.path('shared.checkpoint');

  test('warns if another process trains the same model, and leaves its checkpoint alone', async () => {
    const other = claim(checkpoint);
    sandbox.save('shared.checkpoint', 'of the other');
    const taken = `shared: is being trained by process ${process.pid} (which shared.checkpoint.lock says)`;
    expect(await train(...args)).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        `parliament: warning: ${taken}: this training keeps no checkpoint, and the one that ends last writes the model\n`,
      ),
    });
    expect(await train(...args, '--resume')).toEqual({
      status: 2,
      stdout: '',
      stderr: `parliament: error: ${taken}\n`,
    });
    expect(sandbox.read('shared.checkpoint')).toBe('of the other');
    other?.release();
    expect(await train(...args)).toMatchObject({ status: 0 });
    expect(sandbox.list()).not.toContain('shared.checkpoint.lock');
  });

  test('takes over from an earlier training of the same model that was killed', async () => {
    sandbox.save('shared.checkpoint.lock', ownerText({ ...thisProcess(), pid: 2 ** 22 + 1 }));
    expect(await train(...args)).toMatchObject({ status: 0 });
    expect(sandbox.list()).not.toContain('shared.checkpoint.lock');
  });

  test('removes its lock if it is refused', async () => {
    await train('--train', 'nowhere', '--model', 'shared');
    expect(sandbox.list()).not.toContain('shared.checkpoint.lock');
    expect(lockOf(checkpoint)).toBe(`${checkpoint}.lock`);
  });
});
