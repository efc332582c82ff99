import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { samplePath, sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('sample');
const [a, b] = [sandbox.path('a.model'), sandbox.path('b.model')];
const output = sandbox.path('chosen.conllu');

beforeAll(async () => {
  for (const [model, epochs] of [
    [a, '1'],
    [b, '2'],
  ] as const) {
    const small = ['--train', samplePath('train'), '--epochs', epochs, '--bits', '16', '--model', model];
    const { exitCode, stderr } = await runInProcess('train', 'graph', ...small, '--quiet');
    expect([exitCode, stderr]).toEqual([0, '']);
  }
});

/** The dev part, and once more its first sentence with one word changed. */
const dev = () => {
  const [first] = sampleText('dev').split(/(?<=\n\n)/);
  return sandbox.save('dev.conllu', sampleText('dev') + first!.replace('\tdraft\t', '\tsketch\t'));
};

const sample = async (...args: string[]) => {
  const { exitCode, stderr, stdout } = await runInProcess(
    'sample',
    dev(),
    ...args,
    '-o',
    output,
    '--json',
    '--quiet',
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  return { ...JSON.parse(stdout), chosen: readSentences(sandbox.read('chosen.conllu')) };
};

describe('parliament sample', () => {
  test('chooses the sentences with the least probable trees, but no near-duplicates', async () => {
    const { by, sentences, chosen } = await sample('--model', a, '--count', '100');
    expect(by).toBe('probability');
    expect(sentences).toHaveLength(64);
    const scores = sentences.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one));
    const confidences = chosen[0].misc
      .slice(1)
      .map((misc: string) => Number(/Confidence=([\d.]+)/.exec(misc)![1]));
    const logs = confidences.map((confidence: number) => Math.log(Math.max(0.03, confidence)));
    expect(-logs.reduce((sum: number, log: number) => sum + log, 0)).toBeCloseTo(scores[0], 9);
    expect(sandbox.read('chosen.conllu')).toMatch(
      /^# uncertainty = \d+\.\d{3}\n# sent_id = sample-dev-\d+\n/,
    );
  });

  test('keeps the confidences of sentences that look like CoNLL-X', async () => {
    const rows = sampleText('dev')
      .replace(/^#.*\n/gm, '')
      .replace(/^((?:[^\t\n]+\t){5})_/gm, '$1sing');
    const input = sandbox.save('bare.conllx', rows);
    const words = ['sample', input, '--model', a, '--count', '5', '-o', output, '--json', '--quiet'];
    const { exitCode, stdout } = await runInProcess(...words);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).sentences[0].score).toBeGreaterThan(1);
  });

  test('reads and writes in the encoding of --encoding', async () => {
    const text = sampleText('dev').replaceAll('\tdet\t', '\té\t').split('\n\n').slice(0, 3).join('\n\n');
    const input = sandbox.save('latin.conllu', Buffer.from(`${text}\n\n`, 'latin1'));
    const output = sandbox.path('latin-chosen.conllu');
    const words = ['sample', input, '--model', a, '-o', output, '--encoding', 'iso-8859-1', '--quiet'];
    const { exitCode, stderr } = await runInProcess(...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(readFileSync(output, 'latin1').match(/^# uncertainty/gm)).toHaveLength(3);
  });

  test('writes one comment on the uncertainty of each sentence, with the line ends of the file', async () => {
    const [first, ...others] = sampleText('dev')
      .split(/(?<=\n\n)/)
      .slice(0, 3);
    const text = ['\ufeff', '\n', '# uncertainty = 7\n', first, ...others].join('').trimEnd();
    const input = sandbox.save('crlf.conllu', text.replaceAll('\n', '\r\n'));
    const { exitCode } = await runInProcess('sample', input, '--model', a, '-o', output, '--quiet');
    expect(exitCode).toBe(0);
    const written = sandbox.read('chosen.conllu');
    expect(written).toMatch(/^(# uncertainty = \d+\.\d{3}\r\n# sent_id = .*\r\n(.+\r\n)+\r\n){3}$/);
    expect(written).not.toMatch(/[^\r]\n|\ufeff|= 7\r/);
  });

  test('chooses the sentences on which several models differ most', async () => {
    const { by, sentences } = await sample('--model', a, '--model', b, '--count', '3');
    expect(by).toBe('disagreement');
    for (const [i, model] of [a, b].entries())
      await runInProcess('parse', '--model', model, dev(), '-o', sandbox.path(`${i}.conllu`), '--quiet');
    const [one, other] = [0, 1].map((i) => readSentences(sandbox.read(`${i}.conllu`)));
    const differing = one!.map(({ heads, labels }, i) => {
      const second = other![i]!;
      return [...heads.keys()].filter((d) => heads[d] !== second.heads[d] || labels[d] !== second.labels[d])
        .length;
    });
    expect(sentences[0].score).toBe(Math.max(...differing));
    expect(differing[sentences[2].number - 1]).toBe(sentences[2].score);
  });

  test('chooses sentences with new words, and with --per-token does not prefer long ones', async () => {
    const { chosen } = await sample(
      '--model',
      a,
      '--by',
      'new-words',
      '--known',
      samplePath('dev'),
      '--count',
      '1',
      '--per-token',
    );
    expect(chosen[0].forms).toContain('sketch');
  });

  test.each([
    [['--by', 'disagreement'], '--by disagreement needs several models'],
    [['--by', 'new-words'], '--by new-words and --known FILE go together'],
    [['--by', 'probability', '--model', b], '--by probability takes one model'],
    [['--json'], '--json needs -o'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await runInProcess('sample', dev(), '--model', a, ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
