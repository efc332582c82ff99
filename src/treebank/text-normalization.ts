import type { Sentence } from './sentence.ts';

/** Dashes, with the hyphen that ASCII texts have instead. */
const DASHES = '-–—―‒';

interface Spelling {
  /** The spelling in other texts; for dashes: the treebank's most frequent dash. */
  readonly instead: string;
  /** The spelling within longer tokens; undefined: the character itself. */
  readonly within?: string | undefined;
  /** The largest ratio of the character's count to the count of `instead` at which the character is rare. */
  readonly rare: number;
}

const spelled = (characters: string, spelling: Spelling) =>
  Array.from(characters, (character) => [character, spelling] as const);

/** Typographic marks and how other texts write them. Marks and spellings within tokens are one code unit long. */
const MARKS: ReadonlyMap<string, Spelling> = new Map([
  ...spelled('“”„‟«»', { instead: '"', within: '"', rare: 0.1 }),
  ...spelled('‘’‚‛‹›ʼ´′', { instead: "'", within: "'", rare: 0.1 }),
  ...spelled('‐‑−', { instead: '-', within: '-', rare: 0.1 }),
  // A dash between words without blanks is not a hyphen. A few in a treebank suffice to learn dashes (docs/notes.md).
  ...spelled('–—―‒', { instead: DASHES, rare: 0 }),
  ...spelled('…', { instead: '...', within: '.', rare: 0 }),
]);

/** Invisible characters: soft hyphens, places for line breaks, marks of direction. Not joiners: they hold emoji together. */
const INVISIBLE =
  '\u00ad\u180e\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff';
/** Invisible characters are rare if they are at most one in this number of characters. */
const INVISIBLE_IN = 100_000;

/** ASCII texts, among them most English words, never change. */
const ascii = /^[\0-\x7f]*$/;

/** Letters of Korean syllables, which compose though they are no combining marks. */
const JAMO = '\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb';
const letters = new RegExp(`(?:[${JAMO}]+|\\P{M})\\p{M}*`, 'gsu');

/** A text as the tokenizer reads it. */
export interface NormalizedText {
  readonly text: string;
  /** For each of its code units and its end, the offset in the text as written; absent: the same offset. */
  readonly starts?: Int32Array | undefined;
}

/**
 * Lets models read a text as their treebank would write it. Published texts have `l’homme…`, many treebanks `l'homme...`
 * alone; é may be two characters; soft hyphens may be within words.
 */
export class TextNormalization {
  private readonly within: RegExp | undefined;
  private readonly removed: RegExp | undefined;
  /** Letters with their marks and the invisible characters around them, and all other characters one by one or, invisible ones, in runs. */
  private readonly clusters: RegExp | undefined;

  /**
   * @param spellings characters, and what is read instead of tokens that consist of one; '' for invisible characters
   * @param composes whether letters and marks are read in Unicode's normal form C
   */
  constructor(
    readonly spellings: ReadonlyMap<string, string>,
    readonly composes: boolean,
  ) {
    const characters = [...spellings.keys()];
    const within = characters.filter((one) => MARKS.get(one)?.within !== undefined).join('');
    const removed = characters.filter((one) => INVISIBLE.includes(one)).join('');
    if (within !== '') this.within = new RegExp(`[${within}]`, 'g');
    if (removed !== '') this.removed = new RegExp(`[${removed}]`, 'g');
    if (!composes && removed === '') return;
    // Invisible characters belong to the word before them or, after white space, to the word after them.
    const [around, alone] = removed === '' ? ['', ''] : [`[${removed}]*`, `|[${removed}]+`];
    const letter = `(?:[${JAMO}]+|[^\\p{White_Space}\\p{M}${removed}])\\p{M}*`;
    this.clusters = new RegExp(`${around}${letter}${around}${alone}|.`, 'gsu');
  }

  /** Makes the normalization for a treebank: marks that are rare in its texts are read as the spelling that these prefer. */
  static of(texts: readonly string[]): TextNormalization {
    const all = texts.join('\n');
    const counts = new Map<string, number>();
    for (const character of all) counts.set(character, (counts.get(character) ?? 0) + 1);
    const countOf = (one: string) => (one.length === 1 ? (counts.get(one) ?? 0) : all.split(one).length - 1);
    const dash = mostFrequentDash(all);
    const spellings = new Map<string, string>();
    for (const [mark, { instead, rare }] of MARKS) {
      const own = instead === DASHES ? dash : instead;
      if (own === undefined || own === mark || countOf(own) === 0) continue;
      if (countOf(mark) <= rare * countOf(own)) spellings.set(mark, own);
    }
    for (const one of INVISIBLE) if (countOf(one) <= all.length / INVISIBLE_IN) spellings.set(one, '');
    return new TextNormalization(spellings, isComposed(all));
  }

  text(written: string): NormalizedText {
    if (ascii.test(written)) return { text: written };
    const { within } = this;
    const text = within === undefined ? written : written.replace(within, (one) => MARKS.get(one)!.within!);
    const isSame = this.removed === undefined || text.search(this.removed) === -1;
    if (isSame && (!this.composes || text.normalize() === text)) return { text };
    return this.withOffsets(text);
  }

  private withOffsets(written: string): NormalizedText {
    const { removed, composes } = this;
    const starts: number[] = [];
    let text = '';
    for (const { 0: cluster, index } of written.matchAll(this.clusters!)) {
      const visible = removed === undefined ? cluster : cluster.replace(removed, '') || cluster;
      const composed = composes ? visible.normalize() : visible;
      // Unicode composes some letters to more characters; they would have no offsets of their own.
      const read = composed.length > cluster.length ? visible : composed;
      text += read;
      for (let k = 0; k < read.length; k++) starts.push(index + k);
    }
    starts.push(written.length);
    return { text, starts: Int32Array.from(starts) };
  }

  /** A word as all models but the tokenizer read it. */
  word(form: string): string {
    const { text } = this.text(form);
    return this.spellings.get(form) || text;
  }

  /** A sentence as all models but the tokenizer read it; the same object if no word changes. */
  sentence(sentence: Sentence): Sentence {
    const forms = sentence.forms.map((form) => this.word(form));
    return forms.every((form, d) => form === sentence.forms[d]) ? sentence : { ...sentence, forms };
  }
}

/** The most frequent dash between blanks. */
function mostFrequentDash(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [dash] of text.matchAll(new RegExp(`(?<!\\S)[${DASHES}](?!\\S)`, 'g')))
    counts.set(dash, (counts.get(dash) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Whether composed letters are at least ten times as frequent as letters that could be composed but are not. */
function isComposed(text: string): boolean {
  if (text.normalize() === text) return true;
  let [composed, decomposed] = [0, 0];
  for (const [letter] of text.matchAll(letters)) {
    if (letter.normalize() !== letter) decomposed++;
    else if (letter.normalize('NFD') !== letter) composed++;
  }
  return decomposed <= composed / 10;
}

/** For words that people write in either way: all marks in ASCII. */
export const inAscii = new TextNormalization(
  new Map([
    ...[...MARKS].map(([mark, { instead }]) => [mark, instead === DASHES ? '-' : instead] as const),
    ...Array.from(INVISIBLE, (one) => [one, ''] as const),
  ]),
  true,
);
