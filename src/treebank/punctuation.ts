import type { Sentence } from './sentence.ts';

interface Ascii {
  /** What treebanks without the mark have in its place. */
  readonly instead: string;
  /** The character that is read for it in texts; absent: itself. */
  readonly inText?: string | undefined;
  /** The largest number of these marks for each one that stands instead with which they count as rare. */
  readonly rare: number;
}

const mark = (ascii: Ascii) => (character: string) => [character, ascii] as const;

/** Typographic marks and how ASCII texts write them. All are one code unit, as is what is read for them in texts. */
const MARKS: ReadonlyMap<string, Ascii> = new Map([
  ...Array.from('“”„‟«»', mark({ instead: '"', inText: '"', rare: 0.1 })),
  ...Array.from('‘’‚‛‹›ʼ´', mark({ instead: "'", inText: "'", rare: 0.1 })),
  // Between words without blanks they are no hyphens. A few of them in a treebank suffice to learn them (docs/notes.md).
  ...Array.from('–—―', mark({ instead: '-', rare: 0 })),
  ...Array.from('…', mark({ instead: '...', inText: '.', rare: 0 })),
]);

/**
 * Lets models read the typographic marks that are rare in their treebank as it writes them: published texts have `l’homme…`,
 * many treebanks `l'homme...` alone.
 */
export class PunctuationNormalization {
  private readonly pattern: RegExp | undefined;
  private readonly words = new Map<string, string>();

  /** @param marks those that are normalized; characters that are no such marks are ignored */
  constructor(readonly marks: string) {
    let inText = '';
    for (const character of marks) {
      const ascii = MARKS.get(character);
      if (ascii === undefined) continue;
      this.words.set(character, ascii.instead);
      if (ascii.inText !== undefined) inText += character;
    }
    if (inText !== '') this.pattern = new RegExp(`[${inText}]`, 'g');
  }

  /** For the marks that are rare in a treebank's texts. */
  static of(texts: readonly string[]): PunctuationNormalization {
    const all = texts.join('\n');
    const countOf = (part: string) => all.split(part).length - 1;
    const isRare = ([one, { instead, rare }]: readonly [string, Ascii]) =>
      countOf(instead) > 0 && countOf(one) <= rare * countOf(instead);
    const marks = [...MARKS].filter(isRare).map(([one]) => one);
    return new PunctuationNormalization(marks.join(''));
  }

  /** A text as the tokenizer reads it, with the same offsets. */
  text(written: string): string {
    if (this.pattern === undefined) return written;
    return written.replace(this.pattern, (one) => MARKS.get(one)!.inText!);
  }

  /** A word as all other models read it. */
  word(form: string): string {
    return this.words.get(form) ?? this.text(form);
  }

  /** A sentence as all other models read it; the same one if its words have no such marks. */
  sentence(sentence: Sentence): Sentence {
    const forms = sentence.forms.map((form) => this.word(form));
    return forms.every((form, d) => form === sentence.forms[d]) ? sentence : { ...sentence, forms };
  }
}

/** Normalizes all marks: for words that people write in either way. */
export const allPunctuation = new PunctuationNormalization([...MARKS.keys()].join(''));
