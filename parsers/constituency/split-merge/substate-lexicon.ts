import { type StateCounts, wordClasses } from '../lexicon.ts';
import type { SplitGrammar } from './split-grammar.ts';

/** Weights of a wider class within a narrower one, and of the narrowest beside a word, as counts. */
const CLASS_SMOOTHING = 5;
const WORD_SMOOTHING = 1;

/** Rows of counts, shared by all grammars: one per word or class in the training data, and tag. */
export class WordRows {
  /** By word (after `=`) or class (after a space) and tag. */
  private readonly rows = new Map<string, Map<number, number>>();
  readonly symbols: Int32Array;
  /** 1 for rows of words, 0 for rows of classes. */
  private readonly words: Uint8Array;

  constructor(
    readonly counts: StateCounts,
    private readonly suffix: number,
  ) {
    const symbols: number[] = [];
    const words: number[] = [];
    for (const key of counts.strings()) {
      const row = new Map<number, number>();
      for (const symbol of counts.of(key)!.keys()) {
        row.set(symbol, symbols.length);
        symbols.push(symbol);
        words.push(Number(key.startsWith('=')));
      }
      this.rows.set(key, row);
    }
    this.symbols = Int32Array.from(symbols);
    this.words = Uint8Array.from(words);
  }

  isWord(row: number): boolean {
    return this.words[row] === 1;
  }

  /** The rows of a word with a tag, from its widest class to the word itself. */
  of(form: string, isFirst: boolean, symbol: number): number[] {
    const own = wordKey(form);
    // At the beginning of a sentence any word may have a capital.
    const known = this.rows.has(own) || !isFirst ? own : wordKey(form.toLowerCase());
    const keys = [...classKeys(form, isFirst, this.suffix), known];
    return keys.flatMap((key) => this.rows.get(key)?.get(symbol) ?? []);
  }
}

/** The key of a word in the counts; its classes have others. */
export const wordKey = (form: string): string => `=${form}`;

export function classKeys(form: string, isFirst: boolean, suffix: number): string[] {
  return wordClasses(form, isFirst, suffix).map((name) => ` ${name}`);
}

/** P(substate | word, tag) by EM's expected counts for each word and class of words. */
export class SubstateLexicon {
  private readonly starts: Int32Array;
  private readonly totals: Float64Array[];

  /** @param counts row by row, the expected count of each substate of the row's tag */
  constructor(
    private readonly rows: WordRows,
    private readonly grammar: Pick<SplitGrammar, 'substates'>,
    readonly counts: Float32Array,
  ) {
    this.starts = rowStarts(rows, grammar);
    this.totals = Array.from(grammar.substates, (n) => new Float64Array(n));
    for (const [row, symbol] of rows.symbols.entries()) {
      if (!rows.isWord(row)) continue;
      for (let a = 0; a < grammar.substates[symbol]; a++)
        this.totals[symbol][a] += counts[this.starts[row] + a];
    }
  }

  /** P(substate | word, tag) / P(substate | tag), which turns P(word | tag) into P(word | tag, substate). */
  ratios(form: string, isFirst: boolean, symbol: number, into: Float64Array): void {
    const n = this.grammar.substates[symbol];
    const totals = this.totals[symbol];
    const all = sumOf(totals, 0, n);
    for (let a = 0; a < n; a++) into[a] = totals[a] / all;
    for (const row of this.rows.of(form, isFirst, symbol)) {
      const start = this.starts[row];
      const weight = this.rows.isWord(row) ? WORD_SMOOTHING : CLASS_SMOOTHING;
      const total = sumOf(this.counts, start, start + n) + weight;
      for (let a = 0; a < n; a++) into[a] = (this.counts[start + a] + weight * into[a]) / total;
    }
    for (let a = 0; a < n; a++) into[a] = totals[a] > 0 ? (into[a] * all) / totals[a] : 0;
  }
}

/** Where each row's counts begin, and the number of all. */
export function rowStarts({ symbols }: WordRows, { substates }: Pick<SplitGrammar, 'substates'>): Int32Array {
  const starts = new Int32Array(symbols.length + 1);
  for (let row = 0; row < symbols.length; row++) starts[row + 1] = starts[row] + substates[symbols[row]];
  return starts;
}

function sumOf(numbers: Float32Array | Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += numbers[i];
  return sum;
}
