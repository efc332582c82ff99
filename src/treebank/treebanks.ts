import { InputError, UsageError } from '../errors.ts';
import { checkStandardInput } from '../files/text-file.ts';
import { sha256 } from '../platform/platform.ts';
import { checkTree } from './columns/check-heads.ts';
import { isFurtherTree } from './columns/comments.ts';
import { annotatedColumns, columnTitles } from './columns/names.ts';
import { formatSentence } from './columns/write.ts';
import type { Expectation } from './reading/format.ts';
import { openTreebank, type TreebankFile, type TreebankOptions } from './reading/treebank-file.ts';
import { currentSource, isFilled, type Sentence, type Treebank } from './sentence.ts';

interface JoinedOptions {
  /** Maximum number of sentences, over all treebanks. */
  readonly limit?: number | undefined;
  /** Called after the first pass, once for each column that only some treebanks fill. */
  readonly onDifference?: ((difference: string) => void) | undefined;
}

/** Opens files as one treebank; throws `InputError` if bracketed files are mixed with others, `UsageError` for none. */
export async function openTreebanks(
  paths: readonly string[],
  { limit, onDifference, ...options }: TreebankOptions & JoinedOptions = {},
): Promise<Treebank> {
  if (paths.length === 0) throw new UsageError('no files, expected at least one treebank');
  checkStandardInput(paths);
  const files: TreebankFile[] = [];
  for (const path of paths) files.push(await openTreebank(path, options));
  const [first, ...others] = files;
  if (others.length > 0) {
    checkFormats(first, others);
    return new JoinedTreebanks(files, { limit, onDifference });
  }
  return limit === undefined ? first : new FirstSentences(first, limit);
}

/** Refuses to mix labels converted from phrases with labels of a dependency treebank. */
function checkFormats(first: TreebankFile, others: readonly TreebankFile[]): void {
  const isBrackets = ({ format }: TreebankFile) => format === 'brackets';
  const other = others.find((file) => isBrackets(file) !== isBrackets(first));
  if (other === undefined) return;
  const problem = `${other.format}, but ${first.name} is ${first.format}: they cannot be learnt from together`;
  throw new InputError(problem, { file: other.name });
}

/** A treebank with the name and digest of another, but other sentences. */
export function withSentences(treebank: Treebank, sentences: () => AsyncGenerator<Sentence>): Treebank {
  const { name, limit } = treebank;
  return {
    name,
    limit,
    // Known only after the first complete pass.
    get digest() {
      return treebank.digest;
    },
    get parts() {
      return treebank.parts;
    },
    [Symbol.asyncIterator]: sentences,
  };
}

/** A treebank whose sentences are changed, or only looked at, as they are read. */
export function eachChanged(
  treebank: Treebank,
  change: (sentence: Sentence, i: number) => Sentence,
): Treebank {
  return withSentences(treebank, async function* () {
    let i = 0;
    for await (const sentence of treebank) yield change(sentence, i++);
  });
}

/** A treebank that throws `InputError` at the first sentence that has another tree, as in files of n-best trees. */
export const singleTrees = (treebank: Treebank): Treebank =>
  eachChanged(treebank, (sentence) => {
    const { file, line, text } = { file: treebank.name, text: '', ...sentence.source };
    if (!isFurtherTree(text)) return sentence;
    throw new InputError('another tree of the same sentence, expected one of its n best', { file, line });
  });

/** A treebank that throws `InputError` at the first sentence that is not a tree. */
export const checkedTrees = (treebank: Treebank): Treebank =>
  eachChanged(treebank, (sentence) => {
    checkTree(sentence, sentence.source?.file ?? treebank.name);
    return sentence;
  });

/** The text of a sentence for digests: its text in the file, with the values that were changed since. */
export function digestedText(sentence: Sentence): string {
  const source = currentSource(sentence);
  return source?.format === 'brackets' ? source.text : formatSentence(sentence, source?.format ?? 'conllu');
}

/** The first `limit` sentences of a treebank; the digest covers their text only. */
export class FirstSentences implements Treebank {
  readonly name: string;
  digest: string | undefined;

  constructor(
    private readonly treebank: Treebank,
    readonly limit: number,
  ) {
    this.name = treebank.name;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const hash = sha256();
    let left = this.limit;
    for await (const sentence of this.treebank) {
      hash.update(digestedText(sentence));
      yield sentence;
      left -= 1;
      if (left === 0) break;
    }
    this.digest = hash.digest('hex');
  }
}

const optionalColumns = [...annotatedColumns, 'labels'] as const;
type OptionalColumn = (typeof optionalColumns)[number];

export class JoinedTreebanks implements Treebank {
  readonly name: string;
  readonly limit: number | undefined;
  /** The treebanks that contribute sentences; with a limit, the last may be cut short. */
  parts: readonly Treebank[];
  /** SHA-256 (hex) of the parts' digests. */
  digest: string | undefined;
  private onDifference: JoinedOptions['onDifference'];

  constructor(
    private readonly treebanks: readonly Treebank[],
    { limit, onDifference }: JoinedOptions = {},
  ) {
    this.name = treebanks.map(({ name }) => name).join(' + ');
    this.limit = limit;
    this.parts = treebanks;
    this.onDifference = onDifference;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const parts: Treebank[] = [];
    const filled: Set<OptionalColumn>[] = [];
    let left = this.limit ?? Number.POSITIVE_INFINITY;
    for (const treebank of this.treebanks) {
      if (left === 0) break;
      const part = this.limit === undefined ? treebank : new FirstSentences(treebank, left);
      const found = new Set<OptionalColumn>();
      parts.push(part);
      filled.push(found);
      for await (const sentence of part) {
        for (const column of optionalColumns)
          if (!found.has(column) && isFilled(sentence[column])) found.add(column);
        yield sentence;
        left -= 1;
      }
    }
    this.parts = parts;
    const hash = sha256();
    for (const { digest } of parts) hash.update(`${digest}\n`);
    this.digest = hash.digest('hex');
    for (const difference of differences(parts, filled)) this.onDifference?.(difference);
    this.onDifference = undefined;
  }
}

/** Describes each column that only some parts fill: `b.conllu has no XPOS, a.conllu has some`. */
function differences(parts: readonly Treebank[], filled: readonly Set<OptionalColumn>[]): string[] {
  return optionalColumns.flatMap((column) => {
    const has = parts.find((_, i) => filled[i].has(column));
    const lacks = parts.find((_, i) => !filled[i].has(column));
    if (has === undefined || lacks === undefined) return [];
    return [`${lacks.name} has no ${columnTitles[column]}, ${has.name} has some`];
  });
}

/** Opens a treebank that is given by its file name; throws `UsageError` for anything but a treebank or a name. */
export async function treebankFrom<Given extends AsyncIterable<Sentence>>(
  given: Given | string,
  expect: Expectation = 'trees',
): Promise<Given | TreebankFile> {
  if (typeof given === 'string') return openTreebank(given, { expect });
  if (typeof given?.[Symbol.asyncIterator] === 'function') return given;
  throw new UsageError(
    'expected a treebank, as openTreebank and inMemory return it, or the name of its file',
  );
}

/** Makes a treebank of sentences in memory. */
export function inMemory(sentences: readonly Sentence[], name: string): Treebank {
  return {
    name,
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

/** Adds what files have to a program's treebank: a digest of what was read, and an error if there are no sentences. */
class ReadTreebank implements Treebank {
  digest: string | undefined;
  readonly name: string;
  readonly limit: number | undefined;
  readonly isReadOnce: boolean | undefined;

  constructor(private readonly treebank: Treebank) {
    this.name = treebank.name;
    this.limit = treebank.limit;
    this.isReadOnce = treebank.isReadOnce;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    const hash = this.digest === undefined ? sha256() : undefined;
    let isEmpty = true;
    for await (const sentence of this.treebank) {
      isEmpty = false;
      hash?.update(digestedText(sentence));
      // The text has neither guides nor what was changed in a bracketed sentence.
      if (sentence.phrases ?? sentence.guides)
        hash?.update(JSON.stringify({ ...sentence, source: undefined }));
      yield sentence;
    }
    if (isEmpty) throw new InputError('no sentences', { file: this.name });
    this.digest ??= hash?.digest('hex');
  }
}

/** Wraps a treebank that has no digest of its own in a `ReadTreebank`. */
export const withDigest = (treebank: Treebank): Treebank =>
  'digest' in treebank ? treebank : new ReadTreebank(treebank);
