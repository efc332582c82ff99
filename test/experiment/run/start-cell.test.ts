import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../experiment/cells/cell-cache.ts';
import type { Job } from '../../../experiment/jobs/job.ts';
import type { programOf as programOfWork } from '../../../experiment/jobs/program.ts';
import type { CellStart, startCell } from '../../../experiment/run/start-cell.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { samplePath } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('start-cell');

/** Imports a compiled module, because cells run as separate processes. */
const compiled = (path: string) =>
  import(pathToFileURL(join(packageFolder, 'dist', 'experiment', path)).href);
const start: typeof startCell = (await compiled('run/start-cell.js')).startCell;
const programOf: typeof programOfWork = (await compiled('jobs/program.js')).programOf;

async function job(epochs: number): Promise<Job> {
  const path = samplePath('train');
  const file = { path, digest: await fileDigest(path), encoding: 'utf-8' };
  return {
    kind: 'parser',
    program: programOf({ kind: 'parser', paradigm: 'graph' }),
    paradigm: 'graph',
    options: { ...defaults, epochs },
    seed: 1,
    train: { ...file, from: 0, to: 250 },
    test: { ...file, from: 250, to: 303 },
  };
}

/** All options of a small graph parser. */
const { graphOptions } = await import('../../../parsers/graph/options.ts');
const defaults = graphOptions.parse({ bits: 14 });

async function cell(name: string, one: Job | string, changes: Partial<CellStart> = {}): Promise<CellStart> {
  const cache = await CellCache.open(sandbox.path('cache'));
  if (typeof one === 'string') writeFileSync(cache.jobFile(name), one);
  else await cache.writeJob(name, one);
  return {
    ...{ cache, name, cores: 1 },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  };
}

const isDone = async ({ cache, name }: CellStart) => (await cache.result(name)) !== undefined;

describe('the process of a cell', () => {
  it('writes trees and a result, and reports its progress', async () => {
    const one = await job(3);
    const shares: number[] = [];
    const whole = await cell('whole', one, { onProgress: (share) => shares.push(share) });
    await start(whole);
    const result = (await whole.cache.result('whole'))!;
    expect(result.job).toEqual(one);
    expect(result.test.sentences).toBe(53);
    expect(result.peakMemory).toBeGreaterThan(20e6);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('reports faulty input in one line', async () => {
    const missing = { ...(await job(1)), paradigm: 'grph' };
    await expect(start(await cell('unknown', missing))).rejects.toThrow(
      /^no paradigm is called grph, expected one of graph, /,
    );
  });

  it('reports a crash in one line, with the error that the process has written', async () => {
    await expect(start(await cell('crash', '{'))).rejects.toThrow(
      /^SyntaxError: .* \(its process ended with code 1\)$/,
    );
  });

  it('is ended by the signal, and leaves no result', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const endless = await cell('endless', await job(1000), { signal: controller.signal, onProgress });
    await expect(start(endless)).rejects.toThrow(/^its process ended with SIGKILL$/);
    expect(await isDone(endless)).toBe(false);
  });

  it('is not started if the signal has come before', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const never = await cell('never', await job(1), { signal });
    await expect(start(never)).rejects.toThrow('stopped');
    expect(await isDone(never)).toBe(false);
  });
});
