import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import { runJob } from '../../../experiment/cells/run-job.ts';
import { type Job, jobName, type ParserJob, type Selection } from '../../../experiment/jobs/job.ts';
import { type CellResult, cellResultSchema } from '../../../experiment/jobs/job-result.ts';
import { programOf } from '../../../experiment/jobs/program.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import type { TreebankPart } from '../../../src/treebank/catalogue.ts';
import { dependenciesOfPhrases } from '../../../src/treebank/phrases/dependencies.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { FirstSentences } from '../../../src/treebank/treebanks.ts';
import { paradigm, registerLeftNeighbour } from '../../support/left-neighbour.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { treebank } from '../../support/sentences.ts';

const sandbox = new Sandbox('job');

async function selection(part: TreebankPart, to: number, from = 0): Promise<Selection> {
  const path = samplePath(part);
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from, to };
}

async function bracketed(part: TreebankPart, to: number): Promise<Selection> {
  const path = join(packageFolder, 'data', 'sample', `${part}.mrg`);
  return { path, digest: await fileDigest(path), encoding: 'utf-8', from: 0, to };
}

async function job(changes: Partial<ParserJob> = {}): Promise<ParserJob> {
  const { paradigm = 'left-neighbour' } = changes;
  return {
    kind: 'parser',
    program: programOf({ kind: 'parser', paradigm }),
    paradigm,
    options: { epochs: 3 },
    seed: 1,
    train: await selection('train', 100),
    test: await selection('dev', 64),
    ...changes,
  };
}

const cache = await CellCache.open(sandbox.path('cache'));

await registerLeftNeighbour();

async function run(one: Job) {
  const name = jobName(one);
  await cache.writeJob(name, one);
  return (await runJob(name, { cache, cores: 1 })) as CellResult;
}

/** The scores that `evaluate` gives the left-neighbour parser for the sentences from number `from` on. */
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
    expect(result.test).toEqual({ sentences: 64, tokens: 1117 });
  });

  it('is trained on the first sentences only, and scores the last ones if there is no dev part', async () => {
    const [train, test] = [await selection('train', 20), await selection('train', 303, 270)];
    let seen = 0;
    const { train: learn } = paradigm;
    const spy = vi.spyOn(paradigm, 'train').mockImplementation(async (data, ...rest) => {
      for await (const _ of data) seen++;
      return learn(data, ...rest);
    });
    const result = await run(await job({ train, test }));
    spy.mockRestore();
    expect(seen).toBe(20);
    expect(result.test.sentences).toBe(303 - 270);
    const { uas } = await leftNeighbourScores(samplePath('train'), 270, 'include');
    expect(result.scores.include.uas).toBe(uas);
  });

  it('scores only sentences up to the maximum length, if there is one', async () => {
    const result = await run(await job({ test: { ...(await selection('dev', 64)), maxTokens: 15 } }));
    const lengths: number[] = [];
    for await (const { length } of await openTreebank(samplePath('dev'))) lengths.push(length);
    expect(result.test.sentences).toBe(lengths.filter((length) => length <= 15).length);
  });

  it('saves the test sentences with the predicted trees', async () => {
    const one = await job();
    await run(one);
    for await (const { heads, labels, length } of await openTreebank(cache.treesFile(jobName(one)))) {
      expect([...heads]).toEqual([...Array(length + 1).keys()].map((d) => d - 1));
      expect(labels.slice(1)).toEqual(Array(length).fill('next'));
    }
  });

  it.each(['ignore', 'resolve'])(
    'scores the dependencies that the parser itself gives: traces %s',
    async (traces) => {
      const train = await bracketed('train', 200);
      const test = await bracketed('dev', 20);
      const options = await optionsOf('pcfg', { vertical: 1, horizontal: '0', splits: [], traces });
      const { scores } = await run(await job({ paradigm: 'pcfg', options, train, test }));
      const learn = new FirstSentences(await openTreebank(train.path), 200);
      const { parser } = await trainParser('pcfg', learn, { options });
      const gold: Sentence[] = [];
      for await (const sentence of new FirstSentences(await openTreebank(test.path), 20)) gold.push(sentence);
      const parses = gold.map((sentence) => parser.parse(sentence));
      const predicted = gold.map((sentence, k) => ({ ...sentence, ...parses[k]! }));
      const { uas, las } = await evaluate(treebank('gold', ...gold), treebank('predicted', ...predicted));
      expect(scores.include).toMatchObject({ uas, las });
      // If no phrase were moved back, this test could not tell whether that works.
      const plain = parses.map(({ phrases }) => dependenciesOfPhrases(phrases!).heads.join());
      const isOther = predicted.some(({ heads }, k) => heads.join() !== plain[k]);
      expect(isOther).toBe(traces === 'resolve');
    },
  );

  it('scores phrase-structure trees by every scorer, and the dependencies in them', async () => {
    const train = await bracketed('train', 200);
    const test = { ...(await bracketed('dev', 64)), maxTokens: 15 };
    const options = await optionsOf('pcfg', { vertical: 1, horizontal: '0', splits: [] });
    const { phrases, scores } = await run(await job({ paradigm: 'pcfg', options, train, test }));
    for (const { f1, sentences } of [phrases!.evalb, phrases!.sets]) {
      const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
      expect(f1).toBeCloseTo((100 * sum(sentences.matched)) / sum(sentences.brackets), 9);
      expect(f1!).toBeGreaterThan(20);
    }
    expect(scores.include.uas!).toBeGreaterThan(20);
    const once = { ...graphOptions, epochs: 1 };
    const graph = await run(await job({ paradigm: 'graph', options: once, train, test }));
    expect(graph.phrases).toBeUndefined();
  });

  it('that scores every epoch has after each the scores of a training that ends with it: graph', async () => {
    const train = await selection('train', 30);
    const options = (epochs: number) => ({ ...graphOptions, epochs });
    const all = await run(await job({ paradigm: 'graph', options: options(3), train, scoreEvery: 'epoch' }));
    for (const epochs of [1, 2, 3]) {
      const { scores } = await run(await job({ paradigm: 'graph', options: options(epochs), train }));
      const { uas, las } = scores.include;
      expect(all.steps![epochs - 1]).toEqual({ uas, las });
    }
  });

  it('is trained on silver trees in addition to the treebank, if it has some', async () => {
    const own = { paradigm: 'graph', options: { epochs: 1, bits: 12 }, train: await selection('train', 40) };
    const silver = { trees: await selection('test', 66), weight: 0.5 };
    const [alone, student] = [await run(await job(own)), await run(await job({ ...own, silver }))];
    const scores = ({ scores: { include } }: CellResult) => include.uas;
    // The expected score is that of a parser trained directly on both.
    const { parser } = await trainParser(
      'graph',
      new FirstSentences(await openTreebank(samplePath('train')), 40),
      {
        options: own.options,
        silver: { treebank: await openTreebank(samplePath('test')), weight: 0.5 },
      },
    );
    const gold = await openTreebank(samplePath('dev'));
    const predicted: Sentence[] = [];
    for await (const sentence of gold) {
      const { heads, labels } = parser.parse(sentence);
      predicted.push({ ...sentence, heads, labels });
    }
    const { uas } = await evaluate(gold, treebank('predicted', ...predicted), { punctuation: 'include' });
    expect(scores(student)).toBe(uas);
    expect(scores(student)).not.toBe(scores(alone));
  });

  it('is refused if the epoch to keep would be chosen on the scored sentences', async () => {
    const options = { ...graphOptions, epochs: 2, keep: 'best' };
    const cell = await job({ paradigm: 'graph', options, scoreEvery: 'epoch' });
    await expect(run(cell)).rejects.toThrow('cannot be chosen on the sentences that are scored');
  });

  it('stops its training early by held-out sentences, never by the scored ones', async () => {
    const options = { ...graphOptions, epochs: 30, patience: 1 };
    const train = { ...(await selection('train', 60)), to: 50 };
    const heldOut = { ...train, from: 50, to: 60 };
    const result = await run(await job({ paradigm: 'graph', options, train, heldOut }));
    const [said] = result.notices.filter((notice) => notice.startsWith('training ended with epoch'));
    const epochs = Number(/epoch (\d+)/.exec(said)![1]);
    expect(epochs).toBeLessThan(30);
    const fixed = await run(await job({ paradigm: 'graph', options: { ...graphOptions, epochs }, train }));
    expect(result.trees).toBe(fixed.trees);
    await expect(run(await job({ paradigm: 'graph', options, train }))).rejects.toThrow(
      'patience 1 goes with dev',
    );
  });

  it('is refused if a file has changed since the job was planned', async () => {
    const path = sandbox.path('dev.conllu');
    copyFileSync(samplePath('dev'), path);
    const one = await job({ test: { ...(await selection('dev', 64)), path } });
    appendFileSync(path, '\n');
    await expect(run(one)).rejects.toThrow(`${path}: changed since the experiment began`);
  });
});

async function optionsOf(name: string, changes: object): Promise<ParserJob['options']> {
  return (await findParadigm(name)).options.parse(changes) as ParserJob['options'];
}

const graphOptions = await optionsOf('graph', { bits: 14 });

describe('a job planned by another version of the program', () => {
  it('is refused in one line, as this version may give other figures', async () => {
    const program = { ...(await job()).program, code: '0'.repeat(64) };
    const other = await job({ program });
    await expect(run(other)).rejects.toThrow(
      /^planned by another version of the program \(\S+, 00000000\) than this one \(.*\): start the experiment again$/,
    );
    expect(await cache.result(jobName(other))).toBeUndefined();
  });
});

describe('a job’s name', () => {
  it('changes with every input', async () => {
    const digest = 'f'.repeat(64);
    const { program, train, test } = await job();
    const changes: Partial<ParserJob>[] = [
      {},
      { program: { version: '1.0.1', code: '0'.repeat(64) } },
      { program: { version: '1.0.0', code: '1'.repeat(64) } },
      { paradigm: 'graph' },
      { options: { epochs: 4 } },
      { seed: 2 },
      { train: { ...train, digest } },
      { train: { ...train, to: 99 } },
      { train: { ...train, encoding: 'latin1' } },
      { test: { ...test, digest } },
      { test: { ...test, from: 5 } },
      { test: { ...test, maxTokens: 40 } },
      { scoreEvery: 'epoch' },
      { tags: { program, inTraining: false } },
      { tags: { program, inTraining: true, folds: 10 } },
      { tags: { program, inTraining: true, folds: 5 } },
      { tags: { program: { ...program, code: '2'.repeat(64) }, inTraining: true, folds: 5 } },
      { tags: { program, inTraining: true, learn: test } },
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
