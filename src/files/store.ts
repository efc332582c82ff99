import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, makeFolder } from './files.ts';
import { Replacement } from './replacement.ts';

/** What the first line of a file says before the digest. In CoNLL-U it is a comment. */
const LABEL = '# sha256 = ';
const LINE_FEED = 10;

/**
 * Results kept in a folder by the names of what they are the results of, for whoever needs them again: each in a file
 * that is there as a whole or not at all. Its first line has a digest of the name and of what follows: what has been
 * damaged, or put under another name, is as good as not there. Any of the files may be removed at any time.
 */
export class Store {
  private constructor(readonly folder: string) {}

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<Store> {
    await makeFolder(folder);
    return new Store(folder);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** What is kept by that name, if it is whole. */
  read(name: string): Buffer | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.file(name));
    } catch {
      return undefined;
    }
    const end = bytes.indexOf(LINE_FEED) + 1;
    const content = bytes.subarray(end);
    return bytes.subarray(0, end).toString('latin1') === firstLine(name, content) ? content : undefined;
  }

  /** Throws `InputError` where it cannot be written. */
  write(name: string, content: Uint8Array): void {
    try {
      const file = new Replacement(this.file(name));
      try {
        file.write(Buffer.from(firstLine(name, content)));
        file.write(content);
        file.commit();
      } finally {
        file.discard();
      }
    } catch (error) {
      throw fileError(error, this.file(name), 'cannot be written');
    }
  }
}

function firstLine(name: string, content: Uint8Array): string {
  const digest = createHash('sha256').update(`${name}\n`).update(content).digest('hex');
  return `${LABEL}${digest}\n`;
}
