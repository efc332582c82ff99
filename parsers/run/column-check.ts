import { OptionError } from '../../src/errors.ts';
import { type AnnotatedColumn, columnTitles } from '../../src/treebank/columns/names.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { quote } from '../../src/visible.ts';
import type { Parser, UnseenValue } from '../parser.ts';

/** How likely it may be, at most, that a column is empty by chance which is taken for one that is lacking. */
const BY_CHANCE = 1e-9;

/** Tokens looked at, at most, for something in every column. */
const MOST_TOKENS = 100_000;

/** What becomes of an input that lacks columns that the parser was trained to read. */
export interface MissingColumnOptions {
  /** It is parsed with a warning, instead of being refused. */
  readonly allowMissing?: boolean | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/**
 * Whether sentences have what a parser was trained to read: at least one token with something in each column.
 * Features may be missing by chance, as few tokens of some languages have any: they are not lacking before there
 * are so many tokens that this is out of the question.
 */
export class ColumnCheck {
  private readonly filled: Parser['filled'];
  private empty: readonly AnnotatedColumn[];
  private tokens = 0;
  /** Of the first sentence. */
  private line: number | undefined;

  constructor({ reads, filled }: Pick<Parser, 'reads' | 'filled'>) {
    this.filled = filled;
    this.empty = reads;
  }

  /** Whether more sentences would tell nothing new, or too many have been looked at. */
  get isDone(): boolean {
    return this.empty.length === 0 || this.tokens >= MOST_TOKENS;
  }

  look(sentence: Sentence): void {
    if (this.tokens === 0) this.line = sentence.source?.line;
    this.tokens += sentence.length;
    this.empty = this.empty.filter((column) => isEmpty(sentence[column]));
  }

  /** What is wrong with an input, if anything is, by the sentences looked at. */
  problem(input: string): string | undefined {
    const lacking = this.empty.filter(
      (column) => (1 - (this.filled?.[column] ?? 1)) ** this.tokens < BY_CHANCE,
    );
    if (lacking.length === 0) return undefined;
    const names = new Intl.ListFormat('en-GB').format(lacking.map((column) => columnTitles[column]));
    const where = this.tokens < MOST_TOKENS ? '' : ` in the first ${this.tokens} tokens`;
    const place = this.line === undefined ? input : `${input}:${this.line}`;
    return `${place}: no ${names}${where}, which the model was trained to read`;
  }

  /** Throws `OptionError` where something is wrong with an input, or only warns of it where that is allowed. */
  settle(input: string, { allowMissing, onWarning }: MissingColumnOptions): void {
    const problem = this.problem(input);
    if (problem === undefined) return;
    if (allowMissing) onWarning?.(`${problem}: expect worse trees`);
    else {
      throw new OptionError(
        (option) =>
          `${problem}: fill in what is missing, or add ${option('allowMissing')} and expect worse trees`,
      );
    }
  }
}

/** Whether no token has a value. */
function isEmpty(column: readonly string[]): boolean {
  for (let i = 1; i < column.length; i++) if (column[i] !== '_') return false;
  return true;
}

/** The share of a column's values that may be new, or in small inputs how many, before it is another kind of data. */
const MOST_UNSEEN = 0.05;
const FEW = 2;

/** How many of them are named. */
const EXAMPLES = 3;

interface Unseen {
  readonly tokens: number;
  /** The first different ones. */
  readonly examples: readonly string[];
}

/** Values that were never seen in training, by column: plain data that can be sent between threads. */
export type UnseenCounts = Readonly<Partial<Record<AnnotatedColumn, Unseen>>>;

/** Counts the tags and features of an input that a parser had not seen in training. */
export class UnseenValues {
  private readonly byColumn = new Map<AnnotatedColumn, Unseen>();

  get counts(): UnseenCounts {
    return Object.fromEntries(this.byColumn);
  }

  /** Counts those of a sentence. */
  add(sentence: Sentence, unseen: readonly UnseenValue[] = []): void {
    for (const { column, token } of unseen) this.count(column, 1, [sentence[column][token]]);
  }

  /** Counts those counted elsewhere. */
  addAll(counts: UnseenCounts): void {
    for (const [column, { tokens, examples }] of Object.entries(counts)) {
      this.count(column as AnnotatedColumn, tokens, examples);
    }
  }

  private count(column: AnnotatedColumn, more: number, values: readonly string[]): void {
    const { tokens, examples } = this.byColumn.get(column) ?? { tokens: 0, examples: [] };
    const all = examples.length === EXAMPLES ? examples : [...new Set([...examples, ...values])];
    this.byColumn.set(column, { tokens: tokens + more, examples: all.slice(0, EXAMPLES) });
  }

  /** What to say of the columns of an input of so many tokens where too much was never seen. */
  warnings(input: string, tokens: number): string[] {
    return [...this.byColumn]
      .filter(([, unseen]) => unseen.tokens > Math.max(FEW, MOST_UNSEEN * tokens))
      .filter(([, unseen]) => !isLacking(unseen, tokens))
      .map(([column, unseen]) => {
        const percent = Math.round((100 * unseen.tokens) / tokens);
        const examples = unseen.examples.map(quote).join(', ');
        return `${input}: ${percent} % of ${columnTitles[column]} were never seen in training, such as ${examples}: expect worse trees`;
      });
  }
}

/** Whether the column is empty: ColumnCheck has told of that. */
function isLacking({ tokens, examples }: Unseen, allTokens: number): boolean {
  return tokens === allTokens && examples.length === 1 && examples[0] === '_';
}
