import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { registerLeftNeighbour, stopping } from '../support/left-neighbour.ts';
import { runInProcess } from '../support/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-train-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sentence = '1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n';
const trainFile = join(folder, 'train.conllu');
const devFile = join(folder, 'dev.conllu');
const model = join(folder, 'dogs.model');
const files = ['--train', trainFile, '--dev', devFile, '--model', model];

beforeEach(() => {
  rmSync(model, { force: true });
  rmSync(`${model}.checkpoint`, { force: true });
  writeFileSync(trainFile, sentence.repeat(4));
  writeFileSync(devFile, sentence);
});

function train(...args: string[]) {
  return runInProcess('train', 'left-neighbour', ...args);
}

async function trainUntil(epoch: number, ...args: string[]) {
  stopping.after = epoch;
  try {
    return await train(...args);
  } finally {
    stopping.after = Number.POSITIVE_INFINITY;
  }
}

await registerLeftNeighbour();

describe('parliament train', () => {
  it('writes a model that records its options, seed, data and scores, and removes the checkpoint', async () => {
    expect((await train(...files, '--seed', '7', '--no-single-root')).exitCode).toBe(0);
    const { header } = readModelFile(model);
    expect(Object.keys(header)).toEqual([
      'kind',
      'paradigm',
      'options',
      'seed',
      'version',
      'train',
      'dev',
      'scores',
    ]);
    expect(header).toMatchObject({
      kind: 'model',
      paradigm: 'left-neighbour',
      options: { epochs: 3, singleRoot: false },
      seed: 7,
      train: { file: 'train.conllu', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      dev: { file: 'dev.conllu' },
      scores: { uas: 33, las: 23 },
    });
    expect(existsSync(`${model}.checkpoint`)).toBe(false);
  });

  it('gives the same bytes wherever the files are', async () => {
    await train(...files);
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    for (const file of ['train.conllu', 'dev.conllu'])
      copyFileSync(join(folder, file), join(elsewhere, file));
    const moved = files.map((argument) => argument.replace(folder, elsewhere));
    await train(...moved);
    expect(readFileSync(join(elsewhere, 'dogs.model')).equals(readFileSync(model))).toBe(true);
  });

  it('prints speed and scores after each epoch, and a summary, but nothing with --quiet', async () => {
    const { stdout, stderr } = await train(...files, '--epochs', '2');
    expect(stderr).toMatch(
      /^epoch 1\/2 {2}[\d,]+ sentences\/s {2}training UAS 51\.00 LAS 41\.00 {2}dev UAS 31\.00 LAS 21\.00 {2}ETA [\d.]+ s\nepoch 2\/2 [^\n]* dev UAS 32\.00 LAS 22\.00\n$/,
    );
    expect(stdout).toMatch(/dogs\.model: \d+ bytes, .* dev UAS 32\.00 LAS 22\.00\n$/);
    expect(await train(...files, '--quiet')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('prints the figures as JSON', async () => {
    const { stdout } = await train(...files, '--json', '--quiet', '--epochs', '2');
    const figures = JSON.parse(stdout);
    expect(figures).toMatchObject({ model, bytes: readFileSync(model).length });
    expect(figures.epochs.map((epoch: { epoch: number }) => epoch.epoch)).toEqual([1, 2]);
    expect(figures.peakMemory).toBeGreaterThan(1e7);
    expect(figures.sentencesPerSecond).toBeGreaterThan(0);
  });

  it('reports every epoch even without held-out data, and lists it in the JSON', async () => {
    const files = ['--train', trainFile, '--model', model, '--bits', '10'];
    const args = ['train', 'transition', ...files, '--epochs', '2', '--json'];
    const { stdout, stderr } = await runInProcess(...args);
    expect(stderr).toMatch(
      /\nepoch 1\/2 {2}[\d,]+ sentences\/s {2}ETA [\d.]+ s\nepoch 2\/2 {2}[\d,]+ sentences\/s\n$/,
    );
    expect(JSON.parse(stdout).epochs).toHaveLength(2);
  });

  it('reports only the final scores, and no speed, for a learner that optimises over all examples', async () => {
    const args = ['train', 'transition', ...files, '--bits', '10', '--learner', 'svm', '--json'];
    const { stdout, stderr } = await runInProcess(...args);
    expect(stderr).toMatch(/\npass 20\/20 {2}dev UAS 100\.00 LAS 100\.00\n$/);
    const { sentencesPerSecond, epochs } = JSON.parse(stdout);
    expect(sentencesPerSecond).toBeUndefined();
    expect(epochs).toEqual([{ epoch: 20, seconds: expect.any(Number), dev: { uas: 100, las: 100 } }]);
  });

  it('with --keep best, keeps the best epoch and its scores, but refuses without --dev', async () => {
    const other = sentence.replaceAll('Dogs', 'Cats').replace('bark', 'meow');
    writeFileSync(devFile, other);
    const args = ['train', 'graph', '--train', trainFile, '--model', model, '--bits', '10', '--keep', 'best'];
    const { stdout, stderr } = await runInProcess(...args, '--dev', devFile, '--epochs', '3');
    expect(stderr).toMatch(/\nepoch 3\/3 [^\n]* dev UAS 100\.00 LAS 100\.00\n$/);
    expect(stdout).toMatch(/, epoch 1 kept: dev UAS 100\.00 LAS 100\.00\n$/);
    expect(readModelFile(model).header.scores).toEqual({ epoch: 1, uas: 100, las: 100 });
    const refused = await runInProcess(...args);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/parliament: error: --keep best goes with --dev\n$/);
  });

  it('warns if held-out sentences are also in the training data, even with --quiet', async () => {
    writeFileSync(devFile, sentence + sentence.replaceAll('Dogs', 'Cats'));
    const args = ['--train', trainFile, '--dev', devFile, '--model', model, '--bits', '10', '--epochs', '1'];
    const { exitCode, stderr } = await runInProcess('train', 'graph', ...args, '--quiet');
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      `parliament: warning: 1 of 2 sentences of ${devFile} (50.0% of its tokens) is also in ${trainFile}, with the same trees: scores on them are too high\n`,
    );
  });

  it('learns from the first sentences only, with --limit', async () => {
    await train(...files, '--limit', '3', '--epochs', '1');
    const limited = readModelFile(model);
    expect(limited.section('seen', 'int32')[0]).toBe(3 * 2);
    expect(limited.header).toMatchObject({ train: { file: 'train.conllu', limit: 3 } });
  });

  it('stops at a malformed sentence; with --skip-invalid leaves it out and says which', async () => {
    writeFileSync(trainFile, sentence.replace('\t2\tnsubj', '\t9\tnsubj') + sentence);
    const refused = await train(...files);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/^parliament: error: .*train\.conllu:1: head .*\n$/);
    expect(existsSync(model)).toBe(false);
    const skipped = await train(...files, '--skip-invalid', '--quiet');
    expect(skipped.exitCode).toBe(0);
    expect(skipped.stderr).toMatch(/left out: .*train\.conllu:1: .*\n.*1 malformed sentence left out\n$/);
    expect(readModelFile(model).section('seen', 'int32')[0]).toBe(3 * 2);
  });
});

describe('parliament train --from', () => {
  const small = ['--train', trainFile, '--bits', '10', '--epochs', '1', '--quiet'];
  const graph = (...args: string[]) => runInProcess('train', 'graph', ...small, ...args);
  const further = join(folder, 'further.model');

  it('keeps the options of the model, which may be repeated, and refuses others, even defaults', async () => {
    await graph('--model', model, '--decoder', 'eisner', '--no-normalize');
    const again = ['--from', model, '--model', further];
    expect(await graph(...again, '--decoder', 'eisner', '--order', '1')).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    const options = { decoder: 'eisner', normalize: false, bits: 10 };
    expect(readModelFile(further).header).toMatchObject({ options });
    expect(await graph(...again, '--decoder', 'chu-liu-edmonds')).toMatchObject({
      exitCode: 2,
      stderr: 'parliament: error: --decoder chu-liu-edmonds does not go with --from, whose options stay\n',
    });
  });

  it('skips malformed sentences of --old and --silver with --skip-invalid', async () => {
    await graph('--model', model);
    const old = join(folder, 'old.conllu');
    writeFileSync(old, sentence.replace('\t2\tnsubj', '\t9\tnsubj') + sentence);
    const replay = ['--from', model, '--model', further, '--old', old, '--replay', '1'];
    expect((await graph(...replay)).stderr).toMatch(/^parliament: error: .*old\.conllu:1: head .*\n$/);
    for (const args of [replay, ['--model', model, '--silver', old]]) {
      const { exitCode, stderr } = await graph(...args, '--skip-invalid');
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/left out: .*old\.conllu:1: .*\n.*1 malformed sentence left out\n$/);
    }
  });
});

describe('a training that was stopped', () => {
  it('leaves a checkpoint and exits with 130; --resume gives the same bytes as an uninterrupted training', async () => {
    await train(...files);
    const uninterrupted = readFileSync(model);
    for (const epoch of [1, 2, 3]) {
      rmSync(model);
      const stopped = await trainUntil(epoch, ...files);
      expect(stopped.exitCode).toBe(130);
      expect(stopped.stderr).toMatch(/\nparliament: stopped; continue with --resume\n$/);
      expect(existsSync(model)).toBe(false);
      const resumed = await train(...files, '--resume', '--json');
      expect(resumed.exitCode).toBe(0);
      expect(JSON.parse(resumed.stdout).epochs).toHaveLength(3);
      expect(readFileSync(model)).toEqual(uninterrupted);
      expect(existsSync(`${model}.checkpoint`)).toBe(false);
    }
  });

  it('starts from the beginning without --resume, or if there is no checkpoint', async () => {
    await trainUntil(2, ...files);
    await train(...files);
    expect(readModelFile(model).section('seen', 'int32')[0]).toBe(3 * 4 * 2);
    const anew = await train(...files, '--resume');
    expect(anew.stderr).toContain(
      'dogs.model.checkpoint to resume from: training starts from the beginning\n',
    );
    expect(readModelFile(model).section('seen', 'int32')[0]).toBe(3 * 4 * 2);
  });

  it('causes a warning before another training overwrites its checkpoint', async () => {
    await trainUntil(2, ...files);
    const { stderr } = await train(...files);
    expect(stderr).toContain(
      'dogs.model.checkpoint is from an interrupted training: without --resume it will be overwritten\n',
    );
    expect(existsSync(`${model}.checkpoint`)).toBe(false);
  });

  it('keeps its checkpoint when a training without checkpoints writes the same model', async () => {
    await trainUntil(2, ...files);
    const checkpoint = readFileSync(`${model}.checkpoint`);
    const svm = ['train', 'transition', '--learner', 'svm', ...files];
    expect((await runInProcess(...svm)).exitCode).toBe(0);
    expect(readFileSync(`${model}.checkpoint`)).toEqual(checkpoint);
    const { exitCode, stderr } = await runInProcess(...svm, '--resume');
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'parliament: error: --resume: train transition keeps no checkpoint with these options; train again without it\n',
    );
  });

  it.each([
    ['other sentences', sentence.repeat(2)],
    ['no sentences', undefined],
  ])(
    'is not resumed with other held-out data (%s), so that all epochs are scored on the same',
    async (_, dev) => {
      await trainUntil(2, ...files);
      if (dev !== undefined) writeFileSync(devFile, dev);
      const given = files.filter((file) => dev !== undefined || !['--dev', devFile].includes(file));
      const { exitCode, stderr } = await train(...given, '--resume');
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(
        /dogs\.model\.checkpoint is of a training with other options, data or seed: train without --resume\n$/,
      );
      expect(existsSync(`${model}.checkpoint`)).toBe(true);
    },
  );

  it('is not resumed from a damaged checkpoint', async () => {
    await trainUntil(2, ...files);
    const checkpoint = readFileSync(`${model}.checkpoint`);
    writeFileSync(`${model}.checkpoint`, checkpoint.subarray(0, -1));
    const { exitCode, stderr } = await train(...files, '--resume');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/dogs\.model\.checkpoint: truncated: \d+ of \d+ bytes\n$/);
  });
});

describe('parliament train refuses', () => {
  it.each([
    [
      'a model in a folder that does not exist',
      ['--model', join(folder, 'no', 'm')],
      /no such file or folder/,
    ],
    ['a folder as the model', ['--model', folder], /not a regular file: a model cannot be written there/],
    ['standard output as the model', ['--model', '-'], /not a regular file: a model cannot be written there/],
    [
      'to replace its own training data',
      ['--model', trainFile],
      /--model \S+ would replace the input \S+\/train\.conllu$/m,
    ],
    [
      'a treebank that does not exist',
      ['--model', model, '--dev', join(folder, 'no')],
      /no such file or folder/,
    ],
    ['an option out of range', ['--model', model, '--epochs', '0'], /Expected a whole number from 1 to 100/],
    [
      'a mistyped option',
      ['--model', model, '--epoch', '1'],
      /unknown option '--epoch' \(Did you mean --epochs\?\)/,
    ],
  ])('%s, in one line and with exit code 2', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await train('--train', trainFile, ...args);
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('a negative number of final epochs on gold trees', async () => {
    const words = ['--train', trainFile, '--silver', trainFile, '--model', model, '--gold-epochs', '-1'];
    const { exitCode, stderr } = await runInProcess('train', 'graph', ...words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Expected a whole number of at least 0')]);
  });

  it('an unknown paradigm, and lists the known ones if none is named', async () => {
    const unknown = await runInProcess('train', 'left-neighbor');
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toBe(
      "parliament: error: unknown command 'left-neighbor' (Did you mean left-neighbour?)\n",
    );
    const none = await runInProcess('train');
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain('every token hangs on the one before it');
  });
});

describe('Yamada–Matsumoto', () => {
  it.each([['--system', 'yamada-matsumoto'], ['--system=yamada-matsumoto']])(
    'is a paradigm that gives the same model as train transition %s %s',
    async (...system) => {
      const options = ['--train', trainFile, '--model', model, '--bits', '10', '--quiet'];
      expect((await runInProcess('train', 'yamada-matsumoto', ...options)).exitCode).toBe(0);
      const { header } = readModelFile(model);
      expect(header.paradigm).toBe('yamada-matsumoto');
      const bytes = readFileSync(model);
      expect((await runInProcess('train', 'transition', ...options, ...system)).exitCode).toBe(0);
      expect(readFileSync(model).equals(bytes)).toBe(true);
    },
  );

  it('has options that transition does not have, and refuses those of other systems', async () => {
    const files = ['--train', trainFile, '--model', model];
    const degree = await runInProcess('train', 'transition', ...files, '--degree', '2');
    expect(degree).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("unknown option '--degree'"),
    });
    const beam = await runInProcess('train', 'yamada-matsumoto', ...files, '--beam', '2');
    expect(beam).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("unknown option '--beam'") });
  });
});

it('--keep-members is refused for a part of a model, since the model is one file', async () => {
  const point = 'graph --learner bayes-point --keep-members';
  const guided = await runInProcess('train', 'graph', ...files, '--guide', point);
  expect(guided.stderr).toBe(
    `parliament: error: option '--guide': ${point}: --keep-members goes with train graph alone\n`,
  );
  const pipeline = ['train', 'pipeline', ...files, '--parser', ...point.split(' ')];
  expect((await runInProcess(...pipeline)).stderr).toContain("unknown option '--keep-members'");
});

it('contradictory options are reported as flags, not as options of the library', async () => {
  const options = [
    '--train',
    trainFile,
    '--model',
    model,
    '--mira-trees',
    '5',
    '--decoder',
    'chu-liu-edmonds',
  ];
  const { exitCode, stderr } = await runInProcess('train', 'graph', ...options);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'parliament: error: --mira-trees 5 goes with --learner mira and --decoder eisner, not with mira and chu-liu-edmonds\n',
  );
  const wide = ['--train', trainFile, '--model', model, '--learner', 'svm', '--no-shuffle'];
  expect((await runInProcess('train', 'transition', ...wide)).stderr).toBe(
    'parliament: error: --no-shuffle does not go with --learner svm\n',
  );
});
