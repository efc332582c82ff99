import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Treebank } from '../treebank/sentence.ts';
import type { EpochScores, NamedScores, TrainingEnd } from './training-run.ts';

/** A treebank, as a model's header names it: no folders, so that the same training gives the same bytes anywhere. */
export interface TreebankRecord {
  readonly file: string;
  /** SHA-256 of its bytes, or of the text of its first sentences. */
  readonly digest?: string | undefined;
  /** Where only the first so many sentences were read. */
  readonly limit?: number | undefined;
}

/** What a model's header says of how it came about; nobody needs it to work with the model. */
export interface AboutModel<S extends NamedScores = EpochScores> {
  /** Of its paradigm, or of what it annotates. */
  readonly options?: unknown;
  readonly seed?: number | undefined;
  /** Several, in order, where it was put together from several files. */
  readonly train?: TreebankRecord | readonly TreebankRecord[] | undefined;
  readonly dev?: TreebankRecord | readonly TreebankRecord[] | undefined;
  /** The last scores on the held-out data. */
  readonly scores?: S | undefined;
  /** Where training was to end when it has converged: after how many epochs it did, and why. */
  readonly end?: TrainingEnd | undefined;
}

/** Names a treebank that has been learnt from, file by file; reads it where nobody has yet. */
export async function recordOf(treebank: Treebank): Promise<TreebankRecord | TreebankRecord[]> {
  // Known after one pass, which a resumed training may not have made.
  if (treebank.digest === undefined) for await (const _ of treebank);
  const record = ({ name, digest, limit }: Treebank) => ({ file: basename(name), digest, limit });
  return treebank.parts?.map(record) ?? record(treebank);
}

/**
 * Names a training run: its data, and all else that it depends on, as data for JSON. Two runs of one name go
 * through the same states.
 */
export function fingerprint({ digest }: Treebank, ...rest: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, ...rest]))
    .digest('hex');
}
