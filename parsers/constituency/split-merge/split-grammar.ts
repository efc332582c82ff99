import { numberIn } from '../../../src/number-in.ts';
import { doubled } from '../../../src/typed-arrays.ts';
import { offsetsOf } from '../grammar.ts';
import { type StateCounts, wordClasses } from '../lexicon.ts';

/** Weights, as counts: of a wider class in the estimate of a narrower one, and of the narrowest one for a word. */
const CLASS_SMOOTHING = 5;
const WORD_SMOOTHING = 1;

/** The rows of a `SubstateLexicon`, the same for all grammars: one for each word or class of words with each tag. */
export class WordRows {
  /** Numbers of rows by word (after `=`) or class (after a space), and tag. */
  private readonly rows = new Map<string, Map<number, number>>();
  /** By row: its tag. */
  readonly symbols: Int32Array;
  /** By row: 1 for a word, 0 for a class. */
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
    const asWritten = wordKey(form);
    // At the beginning of a sentence any word may have a capital.
    const word = this.rows.has(asWritten) || !isFirst ? asWritten : wordKey(form.toLowerCase());
    const keys = [...classKeys(form, isFirst, this.suffix), word];
    return keys.flatMap((key) => this.rows.get(key)?.get(symbol) ?? []);
  }
}

/** The key of a word's rows. */
export const wordKey = (form: string): string => `=${form}`;

/** The keys of the rows of a word's classes, widest first. */
export function classKeys(form: string, isFirst: boolean, suffix: number): string[] {
  return wordClasses(form, isFirst, suffix).map((name) => ` ${name}`);
}

/** P(substate | word, tag), estimated from the expected counts of EM for words and classes of words. */
export class SubstateLexicon {
  private readonly starts: Int32Array;
  private readonly totals: Float64Array[];

  /** @param counts the expected count of each substate of a row's tag, row after row */
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

  /** Fills P(substate | word, tag) / P(substate | tag), the factor from P(word | tag) to P(word | tag, substate). */
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

/** Returns where the counts of each row begin, and their total number. */
export function rowStarts({ symbols }: WordRows, { substates }: Pick<SplitGrammar, 'substates'>): Int32Array {
  return offsetsOf(symbols.map((symbol) => substates[symbol]));
}

function sumOf(numbers: Float32Array | Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += numbers[i];
  return sum;
}

/** Rules without probabilities, as columns. */
export interface RuleColumns {
  readonly parents: Int32Array;
  /** The left or only child; −1 for a rule that yields a word. */
  readonly lefts: Int32Array;
  /** The right child; −1 for none. */
  readonly rights: Int32Array;
}

/** Symbols and rules, numbered in order of first appearance. */
export class Inventory {
  readonly rules: { readonly parent: number; readonly left: number; readonly right: number }[] = [];
  readonly counts: number[] = [];
  private readonly symbolNumbers = new Map<string, number>();
  private readonly ruleNumbers = new Map<string, number>();

  symbol(name: string): number {
    return numberIn(this.symbolNumbers, name);
  }

  /** Counts a rule and returns its number; `kind`: the phrases within a unary rule, or the word below a tag. */
  use(parent: number, left: number, right: number, kind: string): number {
    const rule = numberIn(this.ruleNumbers, `${parent} ${left} ${right} ${kind}`);
    this.rules[rule] ??= { parent, left, right };
    this.counts[rule] = (this.counts[rule] ?? 0) + 1;
    return rule;
  }

  columns(): RuleColumns {
    return {
      parents: Int32Array.from(this.rules, ({ parent }) => parent),
      lefts: Int32Array.from(this.rules, ({ left }) => left),
      rights: Int32Array.from(this.rules, ({ right }) => right),
    };
  }
}

export const MOST_SUBSTATES = 1024;

/**
 * A grammar with latent substates (Petrov, Barrett, Thibaux & Klein 2006, "Learning accurate, compact, and
 * interpretable tree annotation", P06-1055). A rule has an entry for every combination of its symbols'
 * substates with a probability above 0. Plain data that can be sent between threads.
 */
export interface SplitGrammar {
  readonly rules: RuleColumns;
  readonly substates: Int32Array;
  /** Where the entries of each rule begin, and their total number. */
  readonly starts: Int32Array;
  /** By entry: the substates of parent, left and right child, packed by `place`. */
  readonly places: Int32Array;
  /** By entry: P(rule, substates of the children | substate of the parent). */
  readonly probabilities: Float64Array;
}

/** Estimates a grammar with one substate per symbol by relative frequencies. */
export function unsplit(rules: RuleColumns, counts: ArrayLike<number>, symbolCount: number): SplitGrammar {
  const { parents } = rules;
  const totals = new Float64Array(symbolCount);
  for (let rule = 0; rule < parents.length; rule++) totals[parents[rule]] += counts[rule];
  return {
    rules,
    substates: new Int32Array(symbolCount).fill(1),
    starts: Int32Array.from({ length: parents.length + 1 }, (_, rule) => rule),
    places: new Int32Array(parents.length),
    probabilities: Float64Array.from(parents, (parent, rule) => counts[rule] / totals[parent]),
  };
}

/** Packs the substates of parent, left and right child (0 for none) into one number. */
export function place(parent: number, left: number, right: number): number {
  return (parent << 20) | (left << 10) | right;
}

export const parentOf = (place: number): number => place >>> 20;
export const leftOf = (place: number): number => (place >>> 10) & 1023;
export const rightOf = (place: number): number => place & 1023;
/** The substates of the children alone. */
export const childrenOf = (place: number): number => place & 0xf_ffff;

/** Builds a grammar entry by entry, in the order of rules. */
export class EntryBuilder {
  private readonly starts: Int32Array;
  private places = new Int32Array(1024);
  private probabilities = new Float64Array(1024);
  private count = 0;
  private ruleCount = 0;

  constructor(private readonly rules: RuleColumns) {
    this.starts = new Int32Array(rules.parents.length + 1);
  }

  add(place: number, probability: number): void {
    if (this.count === this.places.length) {
      this.places = doubled(this.places);
      this.probabilities = doubled(this.probabilities);
    }
    this.places[this.count] = place;
    this.probabilities[this.count++] = probability;
  }

  endRule(): void {
    this.starts[++this.ruleCount] = this.count;
  }

  grammar(substates: Int32Array): SplitGrammar {
    const { rules, starts, count } = this;
    const [places, probabilities] = [this.places.slice(0, count), this.probabilities.slice(0, count)];
    return { rules, substates, starts, places, probabilities };
  }
}
