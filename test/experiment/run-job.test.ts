import { appendFileSync, copyFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { paradigms } from '../../combine/paradigms.ts';
import { cellResultSchema, type Job, jobName } from '../../experiment/job.ts';
import { runJob } from '../../experiment/run-job.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { fileDigest } from '../../src/files/download.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { openTreebank } from '../../src/treebank/treebank-file.ts';
import { leftNeighbour } from '../support/left-neighbour.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { treebank } from '../support/sentences.ts';

const sandbox = new Sandbox('job');

async function job(changes: Partial<Job> = {}): Promise<Job> {
  const file = async (path: string) => ({ path, digest: await fileDigest(path) });
  return {
    program: { version: '1.0.0', code: '0'.repeat(64) },
    paradigm: 'left-neighbour',
    options: { epochs: 3 },
    seed: 1,
    train: await file(samplePath('train')),
    dev: await file(samplePath('dev')),
    encoding: 'utf-8',
    trainSentences: 100,
    ...changes,
  };
}

const run = (one: Job) => runJob(one, { known: [...paradigms, leftNeighbour()], cores: 1 });

/** The trees of the left neighbour for sentences from number `from` on, scored by `evaluate` itself. */
async function leftNeighbourScores(path: string, from: number, punctuation: 'include' | 'upos') {
  const gold: Sentence[] = [];
  for await (const sentence of await openTreebank(path)) gold.push(sentence);
  const held = gold.slice(from);
  const predicted = held.map((sentence) => ({
    ...sentence,
    heads: sentence.heads.map((_, d) => d - 1),
    labels: sentence.labels.map(() => 'next'),
  }));
  return evaluate(treebank('gold', ...held), treebank('predicted', ...predicted), { punctuation });
}

describe('a job', () => {
  it('gives the scores of evaluate, under every punctuation rule, as plain data', async () => {
    const result = await run(await job());
    expect(cellResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
    for (const rule of ['include', 'upos'] as const) {
      const { uas, las, completeRate, tokens, punctuation } = await leftNeighbourScores(
        samplePath('dev'),
        0,
        rule,
      );
      const { excluded } = punctuation;
      expect(result.scores[rule]).toMatchObject({ uas, las, completeRate, tokens, excluded });
      const { sentences } = result.scores[rule];
      const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
      expect(sum(sentences.tokens)).toBe(tokens);
      expect((100 * sum(sentences.uas)) / tokens).toBe(uas);
    }
    expect(result.dev).toEqual({ sentences: 64, tokens: 1117 });
  });

  it('learns from the first sentences only, and scores the last ones where there is no dev part', async () => {
    const { dev: _, ...devless } = await job({ devFrom: 270, trainSentences: 20 });
    let seen = 0;
    const paradigm = leftNeighbour();
    const spy = {
      ...paradigm,
      train: async (...[data, ...rest]: Parameters<typeof paradigm.train>) => {
        for await (const _ of data) seen++;
        return paradigm.train(data, ...rest);
      },
    };
    const result = await runJob(devless, { known: [spy], cores: 1 });
    expect(seen).toBe(20);
    expect(result.dev.sentences).toBe(303 - 270);
    const { uas } = await leftNeighbourScores(samplePath('train'), 270, 'include');
    expect(result.scores.include.uas).toBe(uas);
  });

  it('that scores every epoch gives of each what a training of so many epochs gives: graph', async () => {
    const options = (epochs: number) => ({ ...graphOptions, epochs });
    const all = await run(await job({ paradigm: 'graph', options: options(3), scoreEvery: 'epoch' }));
    for (const epochs of [1, 2, 3]) {
      const { scores } = await run(await job({ paradigm: 'graph', options: options(epochs) }));
      const { uas, las } = scores.include;
      expect(all.steps![epochs - 1]).toEqual({ uas, las });
    }
  });

  it('is refused where a file has changed since it was written', async () => {
    const path = sandbox.path('dev.conllu');
    copyFileSync(samplePath('dev'), path);
    const one = await job({ dev: { path, digest: await fileDigest(path) } });
    appendFileSync(path, '\n');
    await expect(run(one)).rejects.toThrow(`${path}: changed since the experiment began`);
  });
});

const graphOptions = paradigms.find(({ name }) => name === 'graph')!.options.parse({ bits: 14 }) as object;

describe('a job’s name', () => {
  it('changes with every input', async () => {
    const digest = 'f'.repeat(64);
    const changes: Partial<Job>[] = [
      {},
      { program: { version: '1.0.1', code: '0'.repeat(64) } },
      { program: { version: '1.0.0', code: '1'.repeat(64) } },
      { paradigm: 'graph' },
      { options: { epochs: 4 } },
      { seed: 2 },
      { train: { path: samplePath('train'), digest } },
      { dev: { path: samplePath('dev'), digest } },
      { devFrom: 5 },
      { encoding: 'latin1' },
      { trainSentences: 99 },
      { scoreEvery: 'epoch' },
    ];
    const names = await Promise.all(changes.map(async (change) => jobName(await job(change))));
    expect(new Set(names).size).toBe(changes.length);
    expect(names.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });

  it('does not depend on where the files lie', async () => {
    const one = await job();
    expect(jobName({ ...one, train: { ...one.train, path: '/elsewhere' } })).toBe(jobName(one));
  });
});
