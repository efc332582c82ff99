import { basename, resolve } from 'node:path';
import { InputError } from '../src/errors.ts';
import type { Catalogue, Part } from '../src/treebank/catalogue.ts';
import { openTreebank } from '../src/treebank/treebank-file.ts';
import type { TreebankChoice } from './schema.ts';

/** A file of a treebank, read once. */
export interface SurveyedFile {
  /** Absolute. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly digest: string;
  readonly sentences: number;
}

/** A treebank that is there and without faults. */
export interface SurveyedTreebank {
  readonly title: string;
  readonly encoding: string;
  readonly train: SurveyedFile;
  /** Absent where the last sentences of the training file are to be held out. */
  readonly dev: SurveyedFile | undefined;
}

/** Finds treebanks, and reads each of their files once: so faults are found before hours of training. */
export class TreebankSurvey {
  readonly #catalogue: Catalogue;
  readonly #files = new Map<string, Promise<SurveyedFile>>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /**
   * @throws UsageError for a name that the catalogue does not know
   * @throws InputError where a file is not here, or malformed
   */
  async find(choice: TreebankChoice): Promise<SurveyedTreebank> {
    const {
      name,
      train,
      dev,
      encoding = 'utf-8',
    } = typeof choice === 'string' ? await this.#fromCatalogue(choice) : choice;
    return {
      title: name ?? basename(train),
      encoding,
      train: await this.#read(train, encoding),
      dev: dev === undefined ? undefined : await this.#read(dev, encoding),
    };
  }

  async #fromCatalogue(name: string): Promise<Exclude<TreebankChoice, string>> {
    const entry = this.#catalogue.entry(name);
    const pathOf = async (part: Part) => {
      const file = entry.files.find((each) => each.part === part);
      if (file === undefined) return undefined;
      if (!(await this.#catalogue.has(entry, file))) {
        throw new InputError(`${name} is not here yet: parliament data get ${name}`);
      }
      return this.#catalogue.pathOf(entry, file);
    };
    const train = await pathOf('train');
    if (train === undefined) throw new InputError(`${name} has no training part`);
    return { name: entry.title, train, dev: await pathOf('dev') };
  }

  #read(path: string, encoding: string): Promise<SurveyedFile> {
    const key = JSON.stringify([path, encoding]);
    const known = this.#files.get(key) ?? survey(path, encoding);
    this.#files.set(key, known);
    return known;
  }
}

async function survey(path: string, encoding: string): Promise<SurveyedFile> {
  const treebank = await openTreebank(path, { encoding });
  let sentences = 0;
  for await (const _ of treebank) sentences++;
  return { path: resolve(path), digest: treebank.digest!, sentences };
}
