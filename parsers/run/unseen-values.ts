import { type AnnotatedColumn, columnTitles } from '../../src/treebank/columns/names.ts';
import { quote } from '../../src/treebank/reading/quote.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { UnseenValue } from '../parser.ts';

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
