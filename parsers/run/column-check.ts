import { OptionError, placeText } from '../../src/errors.ts';
import { type AnnotatedColumn, columnTitles } from '../../src/treebank/columns/names.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { quote } from '../../src/visible.ts';
import type { Parse, Parser, UnseenValue } from '../parser.ts';

/** An empty column counts as missing if the probability that it is empty by chance is below this. */
const BY_CHANCE = 1e-9;
const MOST_TOKENS = 100_000;

export interface MissingColumnOptions {
  /** Warn instead of refusing the input. */
  readonly allowMissing?: boolean | undefined;
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/**
 * Checks that at least one token has a value in each column that the parser was trained on. Columns rarely
 * filled in training (features of some languages) count as missing only after enough tokens.
 */
export class ColumnCheck {
  private readonly filled: Parser['filled'];
  private empty: readonly AnnotatedColumn[];
  private tokens = 0;
  private line: number | undefined;

  constructor({ reads, filled }: Pick<Parser, 'reads' | 'filled'>) {
    this.filled = filled;
    this.empty = reads;
  }

  get isDone(): boolean {
    return this.empty.length === 0 || this.tokens >= MOST_TOKENS;
  }

  add(sentence: Sentence): void {
    if (this.tokens === 0) this.line = sentence.source?.line;
    this.tokens += sentence.length;
    this.empty = this.empty.filter((column) =>
      sentence[column].every((value, i) => i === 0 || value === '_'),
    );
  }

  /** Describes the missing columns; undefined if there are none. */
  get problem(): string | undefined {
    const lacking = this.empty.filter(
      (column) => (1 - (this.filled?.[column] ?? 1)) ** this.tokens < BY_CHANCE,
    );
    if (lacking.length === 0) return undefined;
    const names = new Intl.ListFormat('en-GB').format(lacking.map((column) => columnTitles[column]));
    const where = this.tokens < MOST_TOKENS ? '' : ` in the first ${this.tokens} tokens`;
    return `no ${names}${where}, which the model was trained to read`;
  }

  /** Throws `OptionError` if columns are missing, or warns if that is allowed. */
  settle(input: string, { allowMissing, onWarning }: MissingColumnOptions): void {
    if (this.problem === undefined) return;
    const problem = placeText({ file: input, line: this.line }) + this.problem;
    if (allowMissing) onWarning?.(`${problem}: expect worse trees`);
    else {
      throw new OptionError(
        (option) =>
          `${problem}: fill in what is missing, or add ${option('allowMissing')} and expect worse trees`,
      );
    }
  }
}

/** Warns, as `ColumnCheck` does, of columns that all these sentences lack; empty if they lack none. */
export function missingColumns(
  parser: Pick<Parser, 'reads' | 'filled'>,
  sentences: readonly Sentence[],
): string[] {
  const check = new ColumnCheck(parser);
  for (const sentence of sentences) check.add(sentence);
  return check.problem === undefined ? [] : [`${check.problem}: expect worse trees`];
}

/** A parser whose parses have warnings of missing columns among their notices. */
export function noticingColumns(parser: Pick<Parser, 'reads' | 'filled' | 'parseAll'>) {
  const parseAll: Parser['parseAll'] = (sentences, options) => {
    const missing = missingColumns(parser, sentences);
    const parses = parser.parseAll(sentences, options);
    return parses.map((parse) => ({ ...parse, notices: [...missing, ...parse.notices] }));
  };
  return { parseAll };
}

/** The highest share of unseen values without a warning; in small inputs, the highest number. */
const MOST_UNSEEN = 0.05;
const FEW = 2;
const EXAMPLES = 3;

type Unseen = { readonly tokens: number; readonly examples: readonly string[] };
/** By column; plain data that can be sent between threads. */
export type UnseenCounts = Readonly<Partial<Record<AnnotatedColumn, Unseen>>>;

/** Counts tags and features that did not occur in the training data. */
export class UnseenValues {
  private readonly byColumn = new Map<AnnotatedColumn, Unseen>();

  get counts(): UnseenCounts {
    return Object.fromEntries(this.byColumn);
  }

  add(sentence: Sentence, unseen: readonly UnseenValue[] = []): void {
    for (const { column, token } of unseen) this.count(column, 1, [sentence[column][token]]);
  }

  addAll(counts: UnseenCounts): void {
    for (const [column, { tokens, examples }] of Object.entries(counts))
      this.count(column as AnnotatedColumn, tokens, examples);
  }

  private count(column: AnnotatedColumn, more: number, values: readonly string[]): void {
    const { tokens, examples } = this.byColumn.get(column) ?? { tokens: 0, examples: [] };
    const all = examples.length === EXAMPLES ? examples : [...new Set([...examples, ...values])];
    this.byColumn.set(column, { tokens: tokens + more, examples: all.slice(0, EXAMPLES) });
  }

  warnings(tokens: number): string[] {
    return (
      [...this.byColumn]
        .filter(([, unseen]) => unseen.tokens > Math.max(FEW, MOST_UNSEEN * tokens))
        // `ColumnCheck` warns of empty columns.
        .filter(([, { tokens: own, examples }]) => own !== tokens || examples.join() !== '_')
        .map(([column, unseen]) => {
          const percent = Math.round((100 * unseen.tokens) / tokens);
          const examples = unseen.examples.map(quote).join(', ');
          return `${percent} % of ${columnTitles[column]} were never seen in training, such as ${examples}: expect worse trees`;
        })
    );
  }
}

/** Callbacks for notices and warnings about parses. */
export interface ParseCallbacks {
  /** Receives the parser's notices about sentences: `sentence 2: notice`, from a file `file:line: notice`. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** Receives reasons to expect worse trees: missing columns, unseen tags. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Passes on the notices and warnings that `parseFile` would give for these sentences. */
export function reportParses(
  parser: Pick<Parser, 'reads' | 'filled'>,
  sentences: readonly Sentence[],
  parses: readonly Parse[],
  { onNotice, onWarning }: ParseCallbacks,
): void {
  if (onNotice === undefined && onWarning === undefined) return;
  const unseen = new UnseenValues();
  let tokens = 0;
  for (const [i, { notices, columns, unseen: values }] of parses.entries()) {
    for (const notice of notices) onNotice?.(`sentence ${i + 1}: ${notice}`);
    unseen.add({ ...sentences[i], ...columns }, values);
    tokens += sentences[i].length;
  }
  for (const warning of [...missingColumns(parser, sentences), ...unseen.warnings(tokens)])
    onWarning?.(warning);
}
