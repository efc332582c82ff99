import { InputError } from '../../src/errors.ts';
import { fileDigest } from '../../src/files/file-digest.ts';
import { FirstSentences } from '../../src/treebank/first-sentences.ts';
import { JoinedTreebanks } from '../../src/treebank/joined-treebanks.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import type { Selection } from './job.ts';

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
