import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CorpusFolder, type CorpusSettings } from '../../corpus/folder.ts';
import { corpusInputs } from '../../corpus/inputs.ts';
import type { ParsedShard } from '../../corpus/parse-shard.ts';
import { QueuedShards } from '../../corpus/queue/queued-shards.ts';
import { runShardWorker } from '../../corpus/queue/shard-worker-process.ts';
import { type RunOptions, runShards, type ShardParser } from '../../corpus/run.ts';
import { type Shard, shardsOf } from '../../corpus/shards.ts';
import { queueServer } from '../../experiment/queue/server.ts';
import { digestOf } from '../../src/digest.ts';
import { fileDigest } from '../../src/files/files.ts';
import { needsRedis, RedisServer } from '../support/redis.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('corpus-queue');

const settings: CorpusSettings = {
  version: '1',
  model: { name: 'm', digest: 'd' },
  options: {
    ...{ to: 'conllu', isCompressed: false, field: 'text', keep: [], shardSize: 20 },
    ...{ confidence: false, skipInvalid: false, allowMissing: false },
  },
};
const { shardSize, ...options } = settings.options;

const capitals = ({ bytes }: Shard): ParsedShard => {
  const text = Buffer.from(bytes).toString();
  const words = text.split(/\s+/).length - 1;
  const figures = { sentences: 1, words, skipped: 0, withoutTree: 0, warnings: [] };
  return { ...figures, bytes: Buffer.from(text.toUpperCase()) };
};

const paragraphs = (count: number) => Array.from({ length: count }, (_, i) => `Paragraph number ${i}.`);

needsRedis.describe('a corpus in the queue', () => {
  let redis: RedisServer;
  let stop = new AbortController();
  const workers: Promise<unknown>[] = [];
  let folders = 0;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    stop.abort(new DOMException('the test is done', 'AbortError'));
    await Promise.allSettled(workers);
    stop = new AbortController();
  });
  afterAll(() => redis.remove());

  /** Starts a worker that writes shards in capitals; `begun` holds the shards that it was given. */
  function work(parse: (shard: Shard) => Promise<ParsedShard> | ParsedShard = capitals, patience = 1000) {
    const ending = new AbortController();
    const ended = once(ending.signal, 'abort').then(() => {
      throw new Error('ended');
    });
    ended.catch(() => undefined);
    const own = new AbortController();
    const begun: number[] = [];
    let [now, most] = [0, 0];
    const run = async (shard: Shard) => {
      begun.push(shard.number);
      most = Math.max(most, ++now);
      await setTimeout(10);
      now--;
      return Promise.race([parse(shard), ended]);
    };
    const open = (): ShardParser => ({ run, end: async () => ending.abort() });
    const folder = sandbox.path(`worker${folders++}`);
    const signal = AbortSignal.any([stop.signal, own.signal]);
    const running = runShardWorker({
      ...{ server: queueServer(redis.url), folder, jobs: 2, signal, patience, open },
    }).catch(() => undefined);
    workers.push(running);
    return { begun, most: () => most, stop: () => own.abort(new DOMException('stopped', 'AbortError')) };
  }

  async function coordinate(name: string, all: readonly string[], more: Partial<RunOptions> = {}) {
    const path = sandbox.save(`${name}.txt`, all.map((one) => `${one}\n\n`).join(''));
    const inputs = await corpusInputs([path]);
    const folder = await CorpusFolder.begin(sandbox.path(name), settings);
    const file = sandbox.save('m.model', 'a model');
    const model = { name: 'm', path: file, digest: await fileDigest(file) };
    const { signal } = stop;
    const parser = await QueuedShards.open({ server: queueServer(redis.url), model, options, signal });
    const figures = await runShards(folder, shardsOf(inputs, shardSize), parser, {
      jobs: 4,
      signal,
      ...more,
    });
    const shards = `${sandbox.path(name)}/shards`;
    const files = readdirSync(shards).sort();
    return { ...figures, text: files.map((one) => readFileSync(`${shards}/${one}`, 'utf8')).join('') };
  }

  async function keysOf(pattern: string): Promise<string[]> {
    const client = redis.client();
    const keys = await client.keys(pattern);
    client.disconnect();
    return keys;
  }
  const keysLeft = () => keysOf('parliament:shard:*');

  test('is parsed by several workers, and leaves nothing in Redis', async () => {
    const [a, b] = [work(), work()];
    const all = paragraphs(30);
    const { shards, failed, words, text } = await coordinate('several', all);
    expect({ shards, failed, words }).toEqual({ shards: 30, failed: [], words: 90 });
    expect(text).toBe(all.map((one) => `${one.toUpperCase()}\n\n`).join(''));
    expect([...a.begun, ...b.begun].sort((x, y) => x - y)).toEqual(all.map((_, i) => i + 1));
    expect(Math.min(a.begun.length, b.begun.length)).toBeGreaterThan(0);
    // A worker of two threads also fetches a third shard, but does not parse it yet.
    expect(Math.max(a.most(), b.most())).toBe(2);
    expect(await keysLeft()).toEqual([]);
  });

  test('may contain the same text many times', async () => {
    work();
    const all = paragraphs(12).map(() => 'Always the same.');
    const warnings: string[] = [];
    const { failed, text } = await coordinate('same', all, { onWarning: (one) => warnings.push(one) });
    expect({ failed, warnings, words: text.match(/SAME/g)?.length }).toEqual({
      failed: [],
      warnings: [],
      words: 12,
    });
    const shard = digestOf(['Always the same.\n\n'.repeat(2)]);
    expect(await keysOf(`parliament:data:${shard}*`)).toEqual([]);
  });

  test('warns why a shard fails, tries it again, and leaves it out after the second failure', async () => {
    work((shard) => {
      if (shard.number === 2) throw new Error('out of order');
      return capitals(shard);
    });
    const warnings: string[] = [];
    const { failed } = await coordinate('failing', paragraphs(3), { onWarning: (one) => warnings.push(one) });
    expect(failed).toMatchObject([{ shard: 2, failed: { problem: 'out of order' }, attempts: 2 }]);
    expect(warnings).toEqual([
      expect.stringMatching(/out of order; shard 2 is tried again$/),
      expect.stringMatching(/out of order; shard 2 is left out$/),
    ]);
  });

  test('loses no shard if the disk of a worker is full, which makes the worker fail', async () => {
    const folder = sandbox.path('full-disk');
    const run = async () => {
      rmSync(folder, { recursive: true, force: true });
      writeFileSync(folder, 'no folder');
      throw new Error('no space left');
    };
    const open = (): ShardParser => ({ run, end: async () => undefined });
    const common = { server: queueServer(redis.url), folder, jobs: 1, signal: stop.signal };
    const full = runShardWorker({ ...common, open });
    full.catch(() => undefined);
    const result = coordinate('given-up', paragraphs(4));
    await expect(full).rejects.toThrow(/: cannot make this folder: /);
    work();
    expect(await result).toMatchObject({ shards: 4, failed: [] });
  }, 30_000);

  test('gets its shards back at once from a worker that is stopped', async () => {
    const begun = sandbox.path('first');
    const first = work(async (shard) => {
      sandbox.save('first', '');
      return setTimeout(60_000, capitals(shard), { ref: false });
    }, 60_000);
    const result = coordinate('back', paragraphs(4));
    while (!existsSync(begun)) await setTimeout(20);
    first.stop();
    work(capitals, 60_000);
    expect(await result).toMatchObject({ shards: 4, failed: [] });
  }, 30_000);

  test('is parsed to the end even if a worker stops and Redis loses all its data', async () => {
    const mark = sandbox.path('begun');
    const lost = work(async (shard) => {
      if (shard.number !== 3) return capitals(shard);
      sandbox.save('begun', '');
      return setTimeout(60_000, capitals(shard));
    });
    const result = coordinate('lost', paragraphs(8));
    while (!existsSync(mark)) await setTimeout(20);
    lost.stop();
    const client = redis.client();
    await client.flushall();
    client.disconnect();
    work();
    const { shards, failed } = await result;
    expect({ shards, failed }).toEqual({ shards: 8, failed: [] });
  }, 40_000);
});
