import { joinStrings, splitStrings } from '../../src/model/layout.ts';
import type { ModelReader, NumberReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { GrammarTables } from './grammar.ts';

/** The largest count. */
const MOST = 2 ** 31 - 1;

/** Counts of strings (words, classes of words) with each state of a grammar. */
export class StateCounts {
  private readonly rows = new Map<string, Map<number, number>>();

  of(string: string): ReadonlyMap<number, number> | undefined {
    return this.rows.get(string);
  }

  total(string: string): number {
    let total = 0;
    for (const count of this.of(string)?.values() ?? []) total += count;
    return total;
  }

  add(string: string, state: number, count = 1): void {
    const row = this.rows.get(string) ?? new Map<number, number>();
    row.set(state, (row.get(state) ?? 0) + count);
    this.rows.set(string, row);
  }

  strings(): string[] {
    return [...this.rows.keys()];
  }

  /** For each string, in order: the number of its states, then each state and its count. */
  toArray(): Int32Array {
    return Int32Array.from([...this.rows.values()].flatMap((row) => [row.size, ...[...row].flat()]));
  }

  static from(strings: readonly string[], numbers: NumberReader, stateCount: number): StateCounts {
    const counts = new StateCounts();
    for (const string of strings) {
      for (let left = numbers.next(1, stateCount); left > 0; left--)
        counts.add(string, numbers.next(0, stateCount - 1), numbers.next(1, MOST));
    }
    return counts;
  }

  states(): Set<number> {
    return new Set([...this.rows.values()].flatMap((row) => [...row.keys()]));
  }
}

interface LexiconSettings {
  /** Length of the longest suffix that defines classes of words, together with capitals, digits and hyphens. */
  readonly suffix: number;
  /** Weight of a word's class in the estimate of its states, as a count. */
  readonly smoothing: number;
  /** Words seen more often than this have only the tags that they were seen with. */
  readonly frequent: number;
}

interface LexiconOptions extends LexiconSettings {
  /** Words seen at most this often represent unknown words of their class. */
  readonly rare: number;
}

/** The possible states of a word, and log P(word | state) up to a constant. */
export type WordStates = { readonly states: Int32Array; readonly scores: Float32Array };
/** A word of the training data; `state`: its tag. */
export type TaggedWord = { readonly form: string; readonly state: number; readonly isFirst: boolean };

/** Weight of a wider class of words in the estimate of a narrower one, as a count. */
const CLASS_SMOOTHING = 5;
/** Weight of all words with a given tag in the estimate of a word, as a count. */
const TAG_SMOOTHING = 0.1;

/** Probabilities of words given their tags, with classes of words for unknown ones. */
export class Lexicon {
  private readonly statesByTag = new Map<string, number[]>();

  constructor(
    private readonly words: StateCounts,
    private readonly classes: StateCounts,
    private readonly grammar: GrammarTables,
    private readonly options: LexiconSettings,
  ) {
    const { labels, tags } = grammar;
    for (const [state, label] of labels.entries()) {
      if (tags[state] === 0 || label === undefined) continue;
      const states = this.statesByTag.get(label);
      if (states === undefined) this.statesByTag.set(label, [state]);
      else states.push(state);
    }
  }

  static learn(tagged: readonly TaggedWord[], grammar: GrammarTables, options: LexiconOptions): Lexicon {
    const words = new StateCounts();
    for (const { form, state } of tagged) words.add(form, state);
    const rare = tagged.filter(({ form }) => words.total(form) <= options.rare);
    const classes = new StateCounts();
    // If no word is rare, all words represent unknown ones.
    for (const { form, state, isFirst } of rare.length > 0 ? rare : tagged)
      for (const name of wordClasses(form, isFirst, options.suffix)) classes.add(name, state);
    return new Lexicon(words, classes, grammar, options);
  }

  static load(file: ModelReader, grammar: GrammarTables, options: LexiconSettings): Lexicon {
    const { tags } = grammar;
    const [words, classes] = ['words', 'classes'].map((name) => {
      const strings = splitStrings(file.section(name, 'uint8'));
      const counts = StateCounts.from(strings, file.numbersOf(`${name}.states`), tags.length);
      for (const state of counts.states())
        if (tags[state] === 0) file.refuse(`section ${name}.states: state ${state} is no tag`);
      return counts;
    });
    if (classes.of(ALL_WORDS) === undefined) file.refuse('section classes: not the class of all words');
    return new Lexicon(words, classes, grammar, options);
  }

  save(file: ModelWriter): void {
    for (const [name, counts] of Object.entries({ words: this.words, classes: this.classes })) {
      file.section(name, joinStrings(counts.strings()));
      file.section(`${name}.states`, counts.toArray());
    }
  }

  /**
   * Returns the states of a word. P(state | word) is estimated from the counts of the word, smoothed with those of
   * its class unless it is frequent; P(word | state) follows by Bayes's rule, with a constant P(word).
   */
  statesOf(form: string, isFirst: boolean): WordStates {
    const { smoothing, frequent } = this.options;
    const known = this.known(form, isFirst);
    const counts = this.words.of(known);
    const total = this.words.total(known);
    if (total > frequent) return this.scored(counts!, total);
    const shares = this.classShares(form, isFirst);
    if (counts === undefined) return this.scored(shares, 1);
    for (const [state, share] of shares) shares.set(state, smoothing * share);
    for (const [state, count] of counts) shares.set(state, count + (shares.get(state) ?? 0));
    return this.scored(shares, total + smoothing);
  }

  /** Returns the states of a word with a given tag, by its counts smoothed with all words of the tag; of all tags if the tag is unknown. */
  statesOfTagged(form: string, isFirst: boolean, tag: string): WordStates {
    const { occurrences } = this.grammar;
    const states = this.statesByTag.get(tag);
    if (states === undefined) return this.statesOf(form, isFirst);
    const total = states.reduce((sum, state) => sum + occurrences[state], 0);
    const counts = this.words.of(this.known(form, isFirst));
    const shares = states.map((state): [number, number] => {
      const count = counts?.get(state) ?? 0;
      return [state, count + (TAG_SMOOTHING * occurrences[state]) / total];
    });
    return this.scored(new Map(shares), 1);
  }

  hasWord(form: string): boolean {
    return this.words.of(form) !== undefined;
  }

  hasTag(tag: string): boolean {
    return this.statesByTag.has(tag);
  }

  /** Returns the form under which the word is known: at the beginning of a sentence, perhaps in lower case. */
  private known(form: string, isFirst: boolean): string {
    return this.words.of(form) || !isFirst ? form : form.toLowerCase();
  }

  /** Returns P(state | narrowest class), where each class is smoothed with the next wider one. */
  private classShares(form: string, isFirst: boolean): Map<number, number> {
    const shares = new Map<number, number>();
    for (const name of wordClasses(form, isFirst, this.options.suffix)) {
      const counts = this.classes.of(name);
      if (counts === undefined) continue;
      const wider = shares.size > 0 ? CLASS_SMOOTHING : 0;
      const total = this.classes.total(name) + wider;
      for (const [state, share] of shares) shares.set(state, (wider * share) / total);
      for (const [state, count] of counts) shares.set(state, (shares.get(state) ?? 0) + count / total);
    }
    return shares;
  }

  private scored(shares: ReadonlyMap<number, number>, total: number): WordStates {
    const { occurrences } = this.grammar;
    const positive = [...shares].filter(([, share]) => share > 0);
    return {
      states: Int32Array.from(positive, ([state]) => state),
      scores: Float32Array.from(positive, ([state, share]) => Math.log(share / (total * occurrences[state]))),
    };
  }
}

const ALL_WORDS = '';

/**
 * Returns nested classes of a word, widest first: all words; words of its shape (capital, digits, hyphen); of its
 * shape and last letter, last two letters, … up to `suffix` letters. Estimates of unknown words rest on them (as in
 * Brants 2000, "TnT", and the signatures of the Stanford and Berkeley parsers).
 */
export function wordClasses(form: string, isFirst: boolean, suffix: number): string[] {
  const shape = shapeOf(form, isFirst);
  const letters = [...form.toLowerCase()];
  const most = Math.min(suffix, letters.length - 1);
  const endings = Array.from({ length: most }, (_, i) => `${shape} ${letters.slice(-1 - i).join('')}`);
  return [ALL_WORDS, shape, ...endings];
}

/** Returns the kind of capitals (at the beginning of a sentence, one says little), and whether there are digits and hyphens. */
function shapeOf(form: string, isFirst: boolean): string {
  let shape = 'other';
  if (/^\p{Lu}/u.test(form)) shape = isFirst && !/\p{Lu}/u.test(form.slice(1)) ? 'initial' : 'capital';
  else if (/\p{Lu}/u.test(form)) shape = 'mixed';
  else if (/\p{L}/u.test(form)) shape = 'lower';
  return shape + (/\d/.test(form) ? '+digit' : '') + (form.includes('-') ? '+hyphen' : '');
}
