import { InputError } from '../../src/errors.ts';
import { fileDigest } from '../../src/files/files.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { FirstSentences, JoinedTreebanks } from '../../src/treebank/treebanks.ts';
import type { Job, Selection } from './job.ts';

/** How many sentences a selection has, before those are left out that are too long. */
export function countOf({ from, to, followedBy }: Selection): number {
  return to - from + (followedBy === undefined ? 0 : countOf(followedBy));
}

/** The sentences of one selection, and after them those of another; each of one file. */
export function followed(first: Selection, second: Selection): Selection {
  return { ...first, followedBy: second };
}

/** The first so many sentences of a selection, which are at most all. */
export function firstOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined || count <= here) return { ...own, to: own.from + count };
  return followed(own, firstOf(followedBy, count - here));
}

/** The sentences after the first so many. */
export function restOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined) return { ...own, from: own.from + count };
  return count >= here
    ? restOf(followedBy, count - here)
    : followed({ ...own, from: own.from + count }, followedBy);
}

/** Whether some sentence is in both. */
export function overlap(a: Selection, b: Selection): boolean {
  return inFiles(a).some((x) =>
    inFiles(b).some((y) => x.digest === y.digest && x.from < y.to && y.from < x.to),
  );
}

/** The sentences that a job reads, file by file; but for those that other jobs leave in the cache. */
export function readBy(job: Job): Selection[] {
  const named = [job.test, ...besideTest(job)];
  return named.flatMap((selection) => (selection === undefined ? [] : inFiles(selection)));
}

function besideTest(job: Job): (Selection | undefined)[] {
  switch (job.kind) {
    case 'parser':
      return [job.train, job.heldOut, job.tags?.learn];
    case 'tagging':
      return [job.learn];
    case 'vote':
      return [job.setAside?.test];
    case 'file':
      return [job.trees];
  }
}

function inFiles({ followedBy, ...own }: Selection): Selection[] {
  return [own, ...(followedBy === undefined ? [] : [followedBy])];
}

export interface SelectedTreebank extends Treebank {
  readonly format: TreebankFormat;
}

/**
 * Opens the selected sentences of a file.
 *
 * @throws InputError where the file is not what it was when the selection was made
 */
export async function openSelection(selection: Selection): Promise<SelectedTreebank> {
  const { followedBy, ...first } = selection;
  const treebank = await openFile(first);
  return followedBy === undefined ? treebank : new Followed(treebank, await openFile(followedBy));
}

async function openFile(selection: Selection): Promise<SelectedTreebank> {
  const { path, digest, encoding, to } = selection;
  if ((await fileDigest(path)) !== digest) {
    throw new InputError('changed since the experiment began', { file: path });
  }
  const file = await openTreebank(path, { encoding });
  return new Selected(new FirstSentences(file, to), file.format, selection);
}

/** One after the other, in the format of the first. */
class Followed extends JoinedTreebanks implements SelectedTreebank {
  readonly format: TreebankFormat;

  constructor(first: SelectedTreebank, second: SelectedTreebank) {
    super([first, second]);
    this.format = first.format;
  }
}

class Selected implements SelectedTreebank {
  readonly name: string;

  constructor(
    private readonly first: FirstSentences,
    readonly format: TreebankFormat,
    private readonly selection: Selection,
  ) {
    this.name = first.name;
  }

  get digest(): string | undefined {
    return this.first.digest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const { from, maxTokens = Number.POSITIVE_INFINITY } = this.selection;
    let number = 0;
    for await (const sentence of this.first) {
      if (number++ >= from && sentence.length <= maxTokens) yield sentence;
    }
  }
}
