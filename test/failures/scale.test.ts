/** What existing tools do with sentences, tokens and files of unusual size, and what Parliament does instead. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf, withoutTrees } from '../support/conllu.ts';
import { runCli, runCountingThreads } from '../support/run-cli.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('scale');
const models = {
  'chu-liu-edmonds': sandbox.path('first.model'),
  eisner: sandbox.path('second.model'),
};
beforeAll(async () => {
  for (const [decoder, model] of Object.entries(models)) await trainOnSample(model, '--decoder', decoder);
});

/** A sentence that repeats the sample's words; the head of each word is the one before it. */
function longSentence(length: number): string {
  const rows = rowsOf(sampleText('dev')).flat();
  let text = '';
  for (let d = 1; d <= length; d++) {
    const [, form, , upos, xpos] = rows[d % rows.length]!;
    text += `${d}\t${form}\t_\t${upos}\t${xpos}\t_\t${d - 1}\tx\t_\t_\n`;
  }
  return `${text}\n`;
}

describe('a sentence of thousands of tokens (on which other parsers crash, hang or take gigabytes)', () => {
  test.each(Object.entries(models))('is parsed with %s, in chunks, into one tree', async (_, model) => {
    const text = `${longSentence(7)}${longSentence(2500)}${longSentence(9)}`;
    const file = sandbox.save('long.conllu', text);
    const { status, stdout, stderr } = await runHere(['parse', '--model', model, file]);
    expect(status).toBe(0);
    expect(stderr).toContain(`note: ${file}:9: 2500 tokens, parsed in chunks of 1000\n`);
    expect(withoutTrees(stdout)).toBe(withoutTrees(text));
    const { illFormed } = JSON.parse(
      (await runHere(['evaluate', file, '-', '--json'], { input: stdout })).stdout,
    )[0];
    expect(illFormed).toEqual({ sentences: 0, cycles: 0, severalRoots: 0, noRoot: 0 });
  });

  test('is left out of training, with a note', async () => {
    const file = sandbox.save('long.conllu', `${longSentence(5000)}${sampleText('dev')}`);
    const args = ['--train', file, '--model', sandbox.path('long.model'), '--epochs', '1', '--bits', '10'];
    const { exitCode, stderr } = await runInProcess('train', 'graph', ...args);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/note: 1 sentence of more than 1000 tokens left out of training\n/);
  });

  test('is scored, counted and drawn, but not if the drawing would fill the memory', async () => {
    const long = sandbox.save('long.conllu', longSentence(5000));
    for (const args of [
      ['stats', long, '--json'],
      ['evaluate', long, long, '--by', 'depth'],
      ['draw', long, '--svg', sandbox.path('long.svg'), '--quiet'],
    ]) {
      expect(await runInProcess(...args)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const longer = sandbox.save('longer.conllu', longSentence(10_001));
    expect(await runInProcess('draw', longer)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `parliament: error: ${longer}:1: 10,001 tokens, too many to draw: expected 10,000 at most\n`,
    });
    const chain = sandbox.save('chain.conllu', longSentence(9000));
    expect(await runInProcess('draw', chain)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `parliament: error: ${chain}:1: a drawing of more than 100 million characters, too large for text; --svg draws it\n`,
    });
  });
});

describe('a very deep or wide bracketed tree (at which other scorers crash or hang)', () => {
  const deep = `${'(S '.repeat(40_000)}(NN x)${')'.repeat(40_000)}\n`;
  const flat = `( (S ${'(NN x) (CC and) '.repeat(15_000)}))\n`;

  test.each([
    ['40,000 levels', deep, 1],
    ['30,000 children of one phrase', flat, 30_000],
  ])('is counted and converted, but not drawn as text: %s', async (_, text, tokens) => {
    const file = sandbox.save('large.mrg', text);
    const { exitCode, stdout } = await runInProcess('stats', file, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sentences: 1, tokens });
    const same = await runInProcess('convert', file, sandbox.path('copy.mrg'));
    expect(same.exitCode).toBe(0);
    expect(sandbox.read('copy.mrg')).toBe(text);
    expect((await runInProcess('draw', file)).exitCode).toBe(2);
  });
});

describe('a token of a megabyte', () => {
  test('is trained on, parsed, scored and counted like any other', async () => {
    const giant = 'x'.repeat(1 << 20);
    const text = [
      '1\tbig\t_\tN\tN\t_\t0\troot\t_\t_',
      `2\t${giant}\t${giant}\tN\tN\t${giant}\t1\t${giant}\t_\t${giant}`,
    ];
    const file = sandbox.save('giant.conllu', `${text.join('\n')}\n\n`);
    const other = sandbox.save('other.conllu', `${text.join('\n').replaceAll('xx', 'xy')}\n\n`);
    const model = sandbox.path('giant.model');
    const commands = [
      ['train', 'graph', '--train', file, '--dev', other, '--model', model, '--bits', '10', '--quiet'],
      ['parse', '--model', model, file, '-o', sandbox.path('giant.out'), '--quiet'],
      ['evaluate', file, sandbox.path('giant.out'), '--json'],
      ['stats', file, '--json'],
    ];
    for (const args of commands) {
      expect(await runInProcess(...args)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect(sandbox.read('giant.out')).toBe(sandbox.read('giant.conllu'));
  });
});

describe('training (for which another parser takes 9.3 GB with 5,000 tokens)', () => {
  test('takes less than 200 MB of memory', async () => {
    const args = ['--train', samplePath('train'), '--model', sandbox.path('whole.model'), '--epochs', '2'];
    const { stdout } = runCli(['train', 'graph', ...args, '--json', '--quiet']);
    expect(JSON.parse(stdout).peakMemory).toBeLessThan(200e6);
  });
});

describe('a result (in other parsers it depends on threads and batches)', () => {
  test.each([
    ['a Bayes Point Machine', ['graph', '--learner', 'bayes-point', '--members', '3', '--epochs', '2']],
    ['Yamada–Matsumoto', ['transition', '--system', 'yamada-matsumoto', '--split-by-tag']],
  ])('is the same model of %s, byte for byte, for any --jobs', (_, paradigm) => {
    const [one, three] = ['1', '3'].map((jobs) => {
      const model = sandbox.path(`jobs-${jobs}.model`);
      const files = ['--train', samplePath('train'), '--model', model, '--limit', '40', '--bits', '14'];
      const run = runCountingThreads(['train', ...paradigm, ...files, '--jobs', jobs, '--quiet']);
      expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
      return { threads: run.threads, model: readFileSync(model) };
    });
    expect(one!.threads).toBeLessThan(2);
    expect(three!.threads).toBe(3);
    expect(three!.model.equals(one!.model)).toBe(true);
  });

  test.each(Object.entries(models))(
    'is the same tree whether a sentence is parsed alone or after others (%s)',
    async (_, model) => {
      const parsed = async (text: string) => {
        const files = [sandbox.save('in.conllu', text), '-o', sandbox.path('out.conllu')];
        await runInProcess('parse', '--model', model, '--quiet', '--jobs', '1', ...files);
        return sandbox.read('out.conllu');
      };
      const sentences = sampleText('dev').split(/(?<=\n\n)/);
      const alone: string[] = [];
      for (const sentence of sentences) alone.push(await parsed(sentence));
      expect(alone).toHaveLength(64);
      expect(await parsed(sentences.join(''))).toBe(alone.join(''));
      const backwards = await parsed(sentences.toReversed().join(''));
      expect(backwards).toBe(alone.toReversed().join(''));
    },
  );
});
