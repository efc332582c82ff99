import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, makeFolder } from './files.ts';
import { replaceFile } from './replacement.ts';

/** The first line of a file, up to the digest; a comment in CoNLL-U. */
const LABEL = '# sha256 = ';
const LINE_FEED = 10;

/** A cache in a folder: one file per name, whose first line is a digest of name and content; a damaged file counts as missing. */
export class Store {
  private constructor(readonly folder: string) {}

  static async open(folder: string): Promise<Store>;
  /** @param folder undefined: there is no cache */
  static async open(folder: string | undefined): Promise<Store | undefined>;
  static async open(folder: string | undefined): Promise<Store | undefined> {
    if (folder === undefined) return undefined;
    await makeFolder(folder);
    return new Store(folder);
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): Buffer | undefined {
    const bytes = attempt(() => readFileSync(this.file(name)));
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf(LINE_FEED) + 1;
    const content = bytes.subarray(end);
    return bytes.subarray(0, end).toString('latin1') === firstLine(name, content) ? content : undefined;
  }

  write(name: string, content: Uint8Array): void {
    replaceFile(this.file(name), [Buffer.from(firstLine(name, content)), content]);
  }
}

function firstLine(name: string, content: Uint8Array): string {
  const digest = createHash('sha256').update(`${name}\n`).update(content).digest('hex');
  return `${LABEL}${digest}\n`;
}
