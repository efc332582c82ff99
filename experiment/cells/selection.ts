import { InputError } from '../../src/errors.ts';
import { fileDigest } from '../../src/files/files.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { FirstSentences, JoinedTreebanks } from '../../src/treebank/treebanks.ts';
import type { FileSelection, Selection } from './job.ts';

export function countOf({ from, to, followedBy }: Selection): number {
  return to - from + (followedBy === undefined ? 0 : countOf(followedBy));
}

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

function inFiles({ followedBy, ...own }: Selection): FileSelection[] {
  return [own, ...(followedBy === undefined ? [] : [followedBy])];
}

export interface SelectedTreebank extends Treebank {
  readonly format: TreebankFormat;
}

/** Opens the selected sentences. Throws `InputError` if a file has changed since the selection was made. */
export async function openSelection(selection: Selection): Promise<SelectedTreebank> {
  const { followedBy, ...first } = selection;
  const treebank = await openFile(first);
  return followedBy === undefined ? treebank : new Followed(treebank, await openFile(followedBy));
}

async function openFile(selection: FileSelection): Promise<SelectedTreebank> {
  const { path, digest, encoding, to } = selection;
  if ((await fileDigest(path)) !== digest)
    throw new InputError('changed since the experiment began', { file: path });
  const file = await openTreebank(path, { encoding });
  return new Selected(new FirstSentences(file, to), file.format, selection);
}

/** Two selections in succession, in the format of the first. */
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
    private readonly selection: FileSelection,
  ) {
    this.name = first.name;
  }

  get digest(): string | undefined {
    return this.first.digest;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const { from, maxTokens = Number.POSITIVE_INFINITY } = this.selection;
    let number = 0;
    for await (const sentence of this.first)
      if (number++ >= from && sentence.length <= maxTokens) yield sentence;
  }
}
