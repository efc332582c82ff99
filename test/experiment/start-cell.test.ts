import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CellResult, Job } from '../../experiment/job.ts';
import type { CellStart, startCell } from '../../experiment/start-cell.ts';
import { fileDigest } from '../../src/files/download.ts';
import { packageFolder } from '../../src/files/package-folder.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('start-cell');

/** Compiled, as cells are processes of their own. */
const compiled = pathToFileURL(join(packageFolder, 'dist', 'experiment', 'start-cell.js')).href;
const start: typeof startCell = (await import(compiled)).startCell;

async function job(epochs: number): Promise<Job> {
  const path = samplePath('train');
  return {
    program: { version: '1.0.0', code: '0'.repeat(64) },
    paradigm: 'graph',
    options: { ...defaults, epochs },
    seed: 1,
    train: { path, digest: await fileDigest(path) },
    devFrom: 250,
    encoding: 'utf-8',
    trainSentences: 250,
  };
}

/** Those of a small graph parser, in full. */
const { paradigms } = await import('../../combine/paradigms.ts');
const defaults = paradigms[0].options.parse({ bits: 14 }) as object;

function cell(name: string, content: string, changes: Partial<CellStart> = {}): CellStart {
  return {
    jobFile: sandbox.save(`${name}.job.json`, content),
    resultFile: sandbox.path(`${name}.json`),
    cores: 1,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...changes,
  };
}

describe('the process of a cell', () => {
  it('leaves a result file, and tells of its progress', async () => {
    const one = await job(3);
    const shares: number[] = [];
    await start(cell('whole', JSON.stringify(one), { onProgress: (share) => shares.push(share) }));
    const result: CellResult = JSON.parse(sandbox.read('whole.json'));
    expect(result.job).toEqual(one);
    expect(result.dev.sentences).toBe(53);
    expect(result.peakMemory).toBeGreaterThan(20e6);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it('tells in one line what input is at fault', async () => {
    const missing = { ...(await job(1)), paradigm: 'grph' };
    await expect(start(cell('unknown', JSON.stringify(missing)))).rejects.toThrow(/^unknown paradigm grph$/);
  });

  it('tells in one line of a crash, with the fault that the process has written', async () => {
    await expect(start(cell('crash', '{'))).rejects.toThrow(
      /^SyntaxError: .* \(its process ended with code 1\)$/,
    );
  });

  it('is ended by the signal, and leaves nothing', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const endless = cell('endless', JSON.stringify(await job(1000)), {
      signal: controller.signal,
      onProgress,
    });
    await expect(start(endless)).rejects.toThrow(/^its process ended with SIGKILL$/);
    expect(sandbox.list()).not.toContain('endless.json');
  });

  it('is not begun where the signal has come before', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(start(cell('never', JSON.stringify(await job(1)), { signal }))).rejects.toThrow('stopped');
    expect(sandbox.list()).not.toContain('never.json');
  });
});
