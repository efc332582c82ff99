import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Sandbox } from './sandbox.ts';

export const sandbox = new Sandbox('experiment');
export const env = { PARLIAMENT_HOME: sandbox.path('home') };

export const options = { bits: 14, epochs: 2 };
/** An experiment that takes seconds. */
export const small = {
  title: 'Small',
  description: 'For tests.',
  report: ['uas', 'las'],
  baseline: 'exact',
  defaults: { treebank: 'sample', trainSentences: 40, options },
  rows: [
    { name: 'exact', options: { distance: 'exact' } },
    { name: 'bucket', seeds: [1, 2] },
  ],
};

/** Saves the experiment with changes; returns the path of the file. */
export function save(name: string, changes: object = {}): string {
  return sandbox.save(`${name}.json`, JSON.stringify({ ...small, ...changes }));
}

/** The lines of the table itself, split into cells. */
export function rows(stdout: string): string[][] {
  const [, table] = stdout.split('\n\n');
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => line.trim().split(/ {2,}/));
}

/** The names of the results in a cache. */
export function results(cache: string): string[] {
  const folder = join(cache, 'results');
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.json$/.test(name)) : [];
}
