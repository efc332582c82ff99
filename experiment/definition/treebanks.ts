import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { fileError } from '../../src/files/files.ts';
import { type Catalogue, type Part, parts } from '../../src/treebank/catalogue.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { ScoredTreebankChoice, TreebankChoice } from './schema.ts';

/** A file of a treebank, read once. */
export interface SurveyedFile {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  readonly encoding: string;
  readonly sentences: number;
}

/** A treebank that is there and without faults. */
export interface SurveyedTreebank {
  readonly title: string;
  /** Its only part, where it has but one. */
  readonly train: SurveyedFile;
  /** Absent where the last sentences of the training file are to be held out. */
  readonly dev: SurveyedFile | undefined;
  /** Absent where it has none, or none that is here, or none is asked for. */
  readonly test: SurveyedFile | undefined;
}

/** One that is not learnt from. */
export interface ScoredTreebank {
  readonly title: string;
  readonly dev: SurveyedFile;
  readonly test: SurveyedFile | undefined;
}

/** A treebank's files as the catalogue or an experiment names them. */
interface NamedFiles {
  readonly name?: string | undefined;
  readonly train?: string | undefined;
  readonly dev?: string | undefined;
  readonly test?: string | undefined;
  readonly encoding?: string | undefined;
}

/** What is asked of a survey. */
interface SurveyOptions {
  /** Whether test parts are looked for, too. */
  readonly final?: boolean | undefined;
}

/** Finds treebanks, and reads each of their files once: so faults are found before hours of training. */
export class TreebankSurvey {
  private readonly catalogue: Catalogue;
  private readonly files = new Map<string, Promise<SurveyedFile>>();
  /** Digests of the catalogue's files, by their paths. */
  private readonly expected = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * @throws UsageError for a name that the catalogue does not know
   * @throws InputError where a file is not here, or malformed, or not the one of the catalogue
   */
  async find(choice: TreebankChoice, { final }: SurveyOptions = {}): Promise<SurveyedTreebank> {
    const { name, train, dev, test, encoding }: NamedFiles =
      typeof choice === 'string' ? await this.fromCatalogue(choice) : choice;
    const learnt = train ?? dev;
    if (learnt === undefined) throw new InputError(`${choice} has no training part`);
    return {
      title: name ?? basename(learnt),
      train: await this.read(learnt, encoding),
      dev: train === undefined || dev === undefined ? undefined : await this.read(dev, encoding),
      test: final && test !== undefined ? await this.read(test, encoding) : undefined,
    };
  }

  /** Without its training part; throws as `find` does. */
  async findScored(choice: ScoredTreebankChoice, { final }: SurveyOptions = {}): Promise<ScoredTreebank> {
    const { name, dev, test, encoding }: NamedFiles =
      typeof choice === 'string' ? await this.fromCatalogue(choice) : choice;
    if (dev === undefined) throw new InputError(`${choice} has no dev part to score on`);
    return {
      title: name ?? basename(dev),
      dev: await this.read(dev, encoding),
      test: final && test !== undefined ? await this.read(test, encoding) : undefined,
    };
  }

  /** A file that another program has written. */
  findFile(path: string, encoding: string): Promise<SurveyedFile> {
    return this.read(path, encoding);
  }

  private async fromCatalogue(name: string): Promise<NamedFiles> {
    const entry = this.catalogue.entry(name);
    const pathOf = async (part: Part) => {
      const file = entry.files.find((each) => each.part === part);
      if (file === undefined) return undefined;
      if (!(await this.catalogue.has(entry, file))) {
        // A table can do without it, and says so.
        if (part === 'test') return undefined;
        throw new InputError(`${name} is not here yet: parliament data get ${name}`);
      }
      const path = this.catalogue.pathOf(entry, file);
      this.expected.set(path, file.sha256);
      return path;
    };
    const { title, encoding } = entry;
    const [train, dev, test] = await Promise.all(parts.map(pathOf));
    return { name: title, encoding, train, dev, test };
  }

  private read(path: string, encoding = 'utf-8'): Promise<SurveyedFile> {
    const key = JSON.stringify([path, encoding]);
    const known = this.files.get(key) ?? this.verified(path, encoding);
    this.files.set(key, known);
    return known;
  }

  /** A treebank of the catalogue is the one that its name promises, or none. */
  private async verified(path: string, encoding: string): Promise<SurveyedFile> {
    const file = await survey(path, encoding);
    if ((this.expected.get(path) ?? file.digest) === file.digest) return file;
    throw new InputError('not what the catalogue says: changed or damaged, get it again', { file: path });
  }
}

async function survey(path: string, encoding: string): Promise<SurveyedFile> {
  // A pipe gives what it holds once, and a reader that comes later waits for ever.
  const found = await stat(path).catch((error) => {
    throw fileError(error, path, 'cannot be read');
  });
  if (!found.isFile() && !found.isDirectory()) {
    throw new InputError('read once for every cell, expected a regular file', { file: path });
  }
  const treebank = await openTreebank(path, { encoding });
  let sentences = 0;
  for await (const _ of treebank) sentences++;
  return { path: resolve(path), digest: treebank.digest!, encoding, sentences };
}
