import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { explained } from '../../src/files/files.ts';
import { textHash, treeHash } from '../../src/training/held-out.ts';
import { type Catalogue, type TreebankPart, treebankParts } from '../../src/treebank/catalogue.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { FileSelection, Selection } from '../jobs/job.ts';
import { countOf, inFiles } from '../jobs/selection.ts';
import type { ScoredTreebankChoice, TreebankChoice } from './schema.ts';
import { sentencesBefore } from './vote-plan.ts';

/** The part on which cells are scored; for `test`, parsers are trained on train and dev. */
export type ScoredPart = Exclude<TreebankPart, 'train'>;

export interface SurveyedFile {
  /** Absolute path. */
  readonly path: string;
  readonly digest: string;
  readonly encoding: string;
  readonly sentences: number;
}

export interface SurveyedTreebank {
  readonly title: string;
  /** The training part, or the only one. */
  readonly train: SurveyedFile;
  /** Undefined: the last sentences of the training file are held out. */
  readonly dev: SurveyedFile | undefined;
  /** Undefined if it is missing or was not requested. */
  readonly test: SurveyedFile | undefined;
}

export interface ScoredTreebank extends Pick<SurveyedTreebank, 'title' | 'test'> {
  readonly dev: SurveyedFile;
}

type NamedFiles = { readonly [key in TreebankPart | 'name' | 'encoding']?: string | undefined };

/** Finds treebanks and reads each file once, so that errors are found before hours of training. */
export class TreebankSurvey {
  private readonly files = new Map<string, Promise<SurveyedFile>>();
  private readonly sentences = new Map<string, readonly SurveyedSentence[]>();
  /** Expected digests of the catalogue's files, by path. */
  private readonly expected = new Map<string, string>();

  constructor(private readonly catalogue: Catalogue) {}

  /**
   * @param final whether test parts are needed
   * @throws UsageError for a name that is not in the catalogue
   * @throws InputError if a file is missing, malformed, or differs from the catalogue's
   */
  async find(choice: TreebankChoice, final = false): Promise<SurveyedTreebank> {
    const { name, train, dev, test, encoding }: NamedFiles =
      typeof choice === 'string' ? await this.fromCatalogue(choice) : choice;
    const learnt = train ?? dev;
    if (learnt === undefined) throw new InputError(`${choice} has no training part`);
    return {
      title: name ?? basename(learnt),
      train: await this.findFile(learnt, encoding),
      dev: train === undefined || dev === undefined ? undefined : await this.findFile(dev, encoding),
      test: final && test !== undefined ? await this.findFile(test, encoding) : undefined,
    };
  }

  async findScored(choice: ScoredTreebankChoice, final = false): Promise<ScoredTreebank> {
    const { name, dev, test, encoding }: NamedFiles =
      typeof choice === 'string' ? await this.fromCatalogue(choice) : choice;
    if (dev === undefined) throw new InputError(`${choice} has no dev part to score on`);
    const scored = await this.findFile(dev, encoding);
    const last = final && test !== undefined ? await this.findFile(test, encoding) : undefined;
    return { title: name ?? basename(dev), dev: scored, test: last };
  }

  private async fromCatalogue(name: string): Promise<NamedFiles> {
    const entry = this.catalogue.entry(name);
    const pathOf = async (part: TreebankPart) => {
      const file = entry.files.find((each) => each.part === part);
      if (file === undefined) return undefined;
      if (!(await this.catalogue.has(entry, file))) {
        // Not an error: the table says that it is missing.
        if (part === 'test') return undefined;
        throw new InputError(`${name} is not here yet: parliament data get ${name}`);
      }
      const path = this.catalogue.pathOf(entry, file);
      this.expected.set(path, file.sha256);
      return path;
    };
    const { title, encoding } = entry;
    const [train, dev, test] = await Promise.all(treebankParts.map(pathOf));
    return { name: title, encoding, train, dev, test };
  }

  findFile(path: string, encoding = 'utf-8'): Promise<SurveyedFile> {
    const key = fileKey({ path: resolve(path), encoding });
    const known = this.files.get(key) ?? this.verified(path, encoding);
    this.files.set(key, known);
    return known;
  }

  private async verified(path: string, encoding: string): Promise<SurveyedFile> {
    const { file, sentences } = await survey(path, encoding);
    this.sentences.set(fileKey(file), sentences);
    if ((this.expected.get(path) ?? file.digest) === file.digest) return file;
    throw new InputError('differs from the catalogue: changed or damaged, get it again', { file: path });
  }

  /** Calls `use` with each selected sentence; its file has been surveyed before. */
  each(selected: Selection, use: (sentence: SurveyedSentence) => void): void {
    for (const { from, to, maxTokens = Number.POSITIVE_INFINITY, ...file } of inFiles(selected)) {
      const sentences = this.sentences.get(fileKey(file))!;
      for (const sentence of sentences.slice(from, to)) if (sentence.length <= maxTokens) use(sentence);
    }
  }

  /** Number of selected sentences, without those that are too long. */
  count(selected: Selection): number {
    let sentences = 0;
    this.each(selected, () => sentences++);
    return sentences;
  }
}

/** Equal sentences have equal numbers. */
export interface SurveyedSentence {
  readonly length: number;
  /** Of words, tags and tree. */
  readonly trees: number;
  /** Of the text alone. */
  readonly text: number;
}

const fileKey = ({ path, encoding }: Pick<FileSelection, 'path' | 'encoding'>) =>
  JSON.stringify([path, encoding]);

async function survey(path: string, encoding: string) {
  // A pipe can be read only once: a second reader would wait forever.
  const found = await explained(stat(path), path, 'cannot be read');
  if (!found.isFile() && !found.isDirectory())
    throw new InputError('is read several times, expected a regular file', { file: path });
  const treebank = await openTreebank(path, { encoding });
  const sentences: SurveyedSentence[] = [];
  for await (const sentence of treebank) {
    const { length } = sentence;
    sentences.push({ length, trees: treeHash(sentence), text: textHash(sentence) });
  }
  const count = sentences.length;
  const file: SurveyedFile = { path: resolve(path), digest: treebank.digest!, encoding, sentences: count };
  return { file, sentences };
}

/** All training data: when the test part is scored, train and dev. */
export function learnable({ train, dev }: SurveyedTreebank, part: ScoredPart): Selection {
  const all = selection(train);
  return part === 'test' && dev !== undefined ? { ...all, followedBy: selection(dev) } : all;
}

/**
 * The test sentences in another program's file, which may hold the whole gold file, only these sentences, or only the
 * `scored` ones of them, which `maxTokens` leaves.
 */
export function outputSelection(file: SurveyedFile, test: Selection, scored: number): Selection {
  const { from, to, maxTokens } = test;
  const isPart = [to - from, scored].includes(file.sentences);
  return { ...selection(file, isPart ? {} : { from, to }), ...(maxTokens && { maxTokens }) };
}

export function selection(
  { sentences, ...file }: SurveyedFile,
  { from = 0, to = sentences } = {},
): Selection {
  return { ...file, from, to };
}

/** Whether the scored treebank is the training file itself, whose last sentences are held out. */
export function isHeldOutFrom({ train, dev }: SurveyedTreebank, scored: ScoredTreebank | undefined): boolean {
  return dev === undefined && scored?.dev.digest === train.digest;
}

/** The sentences to score; undefined if the treebank has no such part. */
export function testSelection(
  treebank: SurveyedTreebank,
  scoredOn: ScoredTreebank | undefined,
  part: ScoredPart,
  available: number,
): Selection | undefined {
  const file = (scoredOn ?? treebank)[part];
  if (file !== undefined) return selection(file);
  return part === 'test' ? undefined : selection(treebank.train, { from: available });
}

/**
 * Number of training sentences: all, but without a dev part, the last `devShare` are held out to be scored, unless the
 * test part or another treebank is.
 */
export function availableSentences(
  treebank: SurveyedTreebank,
  scoredOn: ScoredTreebank | undefined,
  part: ScoredPart,
  devShare: number,
): number {
  const { train } = treebank;
  if (part === 'test') return countOf(learnable(treebank, part));
  const isHeldOut = (scoredOn ?? treebank).dev === undefined;
  return isHeldOut ? sentencesBefore(devShare, train.sentences, train.path) : train.sentences;
}
