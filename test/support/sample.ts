import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';
import type { TreebankPart } from '../../src/treebank/catalogue.ts';
import { lastOf } from './last-of.ts';
import { runHere } from './run-in-process.ts';

/** A file of the bundled treebank. */
export function samplePath(part: TreebankPart): string {
  return join(packageFolder, 'data', 'sample', `${part}.conllu`);
}

export function sampleText(part: TreebankPart): string {
  return readFileSync(samplePath(part), 'utf8');
}

/** The sentences of a part as bracketed trees. */
export function sampleBrackets(part: TreebankPart): string {
  return readFileSync(join(packageFolder, 'data', 'sample', `${part}.mrg`), 'utf8');
}

/**
 * Trains a small graph parser on the bundled treebank in a fraction of a second. It is good enough to give different
 * trees to different sentences.
 */
export async function trainOnSample(model: string, ...options: readonly string[]): Promise<void> {
  const name = options.join(' ');
  const bytes = trained.get(name);
  if (bytes === undefined) {
    await trainAnew(model, options);
    trained.set(name, readFileSync(model));
  } else writeFileSync(model, bytes);
}

/** The bytes of the models by their options, so that test files in one process train each model only once. */
const trained = new Map<string, Buffer>();

async function trainAnew(model: string, options: readonly string[]): Promise<void> {
  const small = ['--limit', '150', '--epochs', '2', '--bits', '16', '--quiet'];
  const { status, stderr } = await runHere([
    ...['train', 'graph', '--train', samplePath('train'), '--model', model],
    ...lastOf(...small, ...options),
  ]);
  if (status !== 0 || stderr !== '') throw new Error(`training failed (${status}): ${stderr}`);
}
