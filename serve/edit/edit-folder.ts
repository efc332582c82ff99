import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { textProblem } from '../../src/checks.ts';
import { digestOf } from '../../src/digest.ts';
import { InputError } from '../../src/errors.ts';
import { writeTextFile } from '../../src/files/atomic-file.ts';
import { claim, lockOf } from '../../src/files/lock.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { RequestError } from '../http/errors.ts';

/** Maximum size of a file in bytes: a page loads it as a whole. */
export const LARGEST_FILE = 64 * 2 ** 20;

/** Maximum length in bytes of the name of a file or of its lock: file systems have this limit. */
const LONGEST_NAME = 255;

interface EditedFile {
  readonly text: string;
  readonly version: string;
}

/** The folder whose CoNLL-U files the page edits: no other file is read or written. */
export class EditFolder {
  private constructor(readonly path: string) {}

  static async open(path: string): Promise<EditFolder> {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isDirectory())
      throw new InputError('not a folder, expected one with treebanks', { file: path });
    return new EditFolder(path);
  }

  async files(): Promise<string[]> {
    const entries = await readdir(this.path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && isName(entry.name))
      .map(({ name }) => name)
      .sort();
  }

  /** Reads a file; throws `RequestError` if it does not exist or cannot be edited. */
  async read(name: string): Promise<EditedFile> {
    const file = await this.find(name);
    if (file === undefined) throw new RequestError(`there is no file ${name}`, 404);
    return file;
  }

  /**
   * Replaces a file, if its version is still `version` (undefined: if there is no file). Returns the new version.
   *
   * @throws RequestError (409) if the file has another version; (400) if the name is not allowed; (413) if the text
   *   is too large; (507) if the file cannot be written
   * @throws InputError if the text is not CoNLL-U
   */
  async save(name: string, text: string, version: string | undefined): Promise<string> {
    if (Buffer.byteLength(text) > LARGEST_FILE) throw tooLarge(name);
    const problem = textProblem(text);
    if (problem !== undefined) throw new RequestError(`${name}: ${problem}`);
    readSentences(text, { format: 'conllu', name });
    const path = this.pathOf(name);
    if (Buffer.byteLength(lockOf(name)) > LONGEST_NAME)
      throw new RequestError(`${name} is too long a name for a file`);
    try {
      return await this.replace(path, name, text, version);
    } catch (error) {
      // Names the file as the client does: the folder is not for clients to see.
      if (error instanceof InputError) throw new RequestError(`${name}: ${error.problem}`, 507);
      throw error;
    }
  }

  private async replace(path: string, name: string, text: string, version: string | undefined) {
    const saving = claim(path);
    if (saving === undefined)
      throw new RequestError(`${name} is being saved by another program: try again`, 409);
    try {
      const found = await this.find(name);
      if (found?.version !== version) throw conflict(name, found, version);
      await writeTextFile(path, text);
      return digestOf([Buffer.from(text)]);
    } finally {
      saving.release();
    }
  }

  private async find(name: string): Promise<EditedFile | undefined> {
    const path = this.pathOf(name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    if (!found.isFile()) throw new RequestError(`${name} is a link or a folder, not a file`);
    if (found.size > LARGEST_FILE) throw tooLarge(name);
    const bytes = await readFile(path);
    try {
      // A byte-order mark is kept as part of the text.
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return { text, version: digestOf([bytes]) };
    } catch {
      throw new RequestError(`${name} is not in UTF-8`);
    }
  }

  private pathOf(name: string): string {
    if (isName(name)) return join(this.path, name);
    const given = name === '' ? 'an empty name' : name;
    throw new RequestError(`${given} is not a valid file name, expected ${allowedNames}`);
  }
}

/** Combining marks are part of words in many scripts, and of decomposed letters, as in names from macOS. */
const isName = (name: string) => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_. +()-]*\.conllu$/u.test(name);
const allowedNames =
  'letters, digits, blanks and _ . + - ( ), a letter, digit or _ first, as in train.conllu';

const tooLarge = (name: string) => new RequestError(`${name} is too large to edit: split it`, 413);

function conflict(name: string, found: EditedFile | undefined, version: string | undefined): RequestError {
  const what =
    found === undefined
      ? `${name} has been removed meanwhile`
      : version === undefined
        ? `there is a file ${name} already`
        : `${name} has been changed by somebody else since it was opened`;
  return new RequestError(`${what}: nothing is saved. Save under another name, or open it again.`, 409);
}
