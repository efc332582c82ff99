import { InputError } from '../../src/errors.ts';
import { fileDigest } from '../../src/files/files.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { FirstSentences, JoinedTreebanks } from '../../src/treebank/treebanks.ts';
import type { FileSelection, Selection } from './job.ts';

export const countOf = ({ from, to, followedBy }: Selection): number =>
  to - from + (followedBy === undefined ? 0 : countOf(followedBy));

export function firstOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined || count <= here) return { ...own, to: own.from + count };
  return { ...own, followedBy: firstOf(followedBy, count - here) };
}

export function restOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined) return { ...own, from: own.from + count };
  return count < here ? { ...own, from: own.from + count, followedBy } : restOf(followedBy, count - here);
}

export function overlap(a: Selection, b: Selection): boolean {
  return inFiles(a).some((x) =>
    inFiles(b).some((y) => x.digest === y.digest && x.from < y.to && y.from < x.to),
  );
}

/** The parts of a selection, each of one file. */
export function inFiles({ followedBy, ...own }: Selection): FileSelection[] {
  return [own, ...(followedBy === undefined ? [] : [followedBy])];
}

export interface SelectedTreebank extends Treebank {
  readonly format: TreebankFormat;
}

/** Opens the selected sentences; `format` is the first file's. Throws `InputError` if a file has changed. */
export async function openSelection({ followedBy, ...first }: Selection): Promise<SelectedTreebank> {
  const treebank = await openFile(first);
  if (followedBy === undefined) return treebank;
  const joined = new JoinedTreebanks([treebank, await openFile(followedBy)]);
  return Object.assign(joined, { format: treebank.format });
}

async function openFile({ path, digest, encoding, from, to, maxTokens }: FileSelection) {
  if ((await fileDigest(path)) !== digest)
    throw new InputError('changed since the experiment began', { file: path });
  const file = await openTreebank(path, { encoding });
  const first = new FirstSentences(file, to);
  const most = maxTokens ?? Number.POSITIVE_INFINITY;
  return {
    name: first.name,
    format: file.format,
    get digest(): string | undefined {
      return first.digest;
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
      let number = 0;
      for await (const sentence of first) if (number++ >= from && sentence.length <= most) yield sentence;
    },
  };
}
