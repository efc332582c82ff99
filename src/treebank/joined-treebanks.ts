import { createHash } from 'node:crypto';
import { annotatedColumns, columnTitles } from './columns/names.ts';
import { FirstSentences } from './first-sentences.ts';
import { isFilled, type Sentence, type Treebank } from './sentence.ts';

/** The columns that not all treebanks fill. */
const optionalColumns = [...annotatedColumns, 'labels'] as const;
type OptionalColumn = (typeof optionalColumns)[number];

interface JoinedOptions {
  /** Only the first so many sentences of all. */
  readonly limit?: number | undefined;
  /** Takes what one of the treebanks has and another has not, one line each, after the first pass. */
  readonly onDifference?: ((difference: string) => void) | undefined;
}

/** Several treebanks read as one, one after the other. */
export class JoinedTreebanks implements Treebank {
  readonly name: string;
  readonly limit: number | undefined;
  /** Those of which there are sentences; with a limit the last may be but the beginning of one. */
  parts: readonly Treebank[];
  private knownDigest: string | undefined;
  private readonly treebanks: readonly Treebank[];
  private onDifference: JoinedOptions['onDifference'];

  constructor(treebanks: readonly Treebank[], { limit, onDifference }: JoinedOptions = {}) {
    this.name = treebanks.map(({ name }) => name).join(' + ');
    this.limit = limit;
    this.parts = treebanks;
    this.treebanks = treebanks;
    this.onDifference = onDifference;
  }

  /** SHA-256 (hex) of the parts' digests. */
  get digest(): string | undefined {
    return this.knownDigest;
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
    this.knownDigest = digestOf(parts);
    for (const difference of differences(parts, filled)) this.onDifference?.(difference);
    this.onDifference = undefined;
  }
}

function digestOf(parts: readonly Treebank[]): string {
  const hash = createHash('sha256');
  for (const { digest } of parts) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** `b.conllu has no XPOS, a.conllu has some`. */
function differences(parts: readonly Treebank[], filled: readonly Set<OptionalColumn>[]): string[] {
  return optionalColumns.flatMap((column) => {
    const has = parts.find((_, i) => filled[i].has(column));
    const lacks = parts.find((_, i) => !filled[i].has(column));
    if (has === undefined || lacks === undefined) return [];
    return [`${lacks.name} has no ${columnTitles[column]}, ${has.name} has some`];
  });
}
