import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../../src/platform/package.ts';
import { startCli, startScript } from '../../support/processes.ts';
import { needsRedis, RedisServer } from '../../support/redis.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('queue-away');
const env = { PARLIAMENT_HOME: sandbox.path('home') };
const table = sandbox.save(
  'table.json',
  JSON.stringify({
    title: 'One cell',
    description: 'For a signal',
    report: ['las'],
    defaults: { paradigm: 'graph' },
    columns: [{ name: 'Sample', treebank: 'sample' }],
    rows: [{ name: 'Baseline' }],
  }),
);

needsRedis.describe('SIGTERM while Redis is away', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    await redis.kill();
    return () => redis.remove();
  });

  it.each([
    ['a worker', () => ['worker', '--cache', sandbox.path('worker')]],
    ['an experiment', () => ['experiment', table, '--cache', sandbox.path('cells')]],
  ])(
    'ends %s within seconds',
    async (_, args) => {
      await redis.start();
      const client = redis.client();
      await client.flushall();
      const running = startCli([...args(), '--queue', redis.url], env);
      while ((await client.dbsize()) === 0) await setTimeout(20);
      client.disconnect();
      await redis.kill('SIGKILL');
      while (!running.stderr().includes('is away')) await setTimeout(20);
      const began = Date.now();
      running.process.kill('SIGTERM');
      expect(await running.ended()).toBe(143);
      expect(Date.now() - began).toBeLessThan(15_000);
      expect(running.stderr()).toContain('stopped; ');
    },
    60_000,
  );
});

it('SIGTERM ends a job that does not stop within its time limit', async () => {
  const module = pathToFileURL(join(packageFolder, 'dist', 'cli', 'terminal', 'process.js')).href;
  const script = `
    const { handleInterrupts, stoppable } = await import('${module}');
    handleInterrupts();
    setInterval(() => undefined, 1000);
    console.error('begun');
    await stoppable(() => new Promise(() => undefined), 0.1);`;
  const running = startScript(sandbox.save('endless.mjs', script), []);
  await running.said('begun');
  running.process.kill('SIGTERM');
  expect(await running.ended()).toBe(143);
});
