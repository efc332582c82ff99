import type { Sentence } from '../sentence.ts';
import { startsParagraph, textOf } from './surface-tokens.ts';

/**
 * The text that sentences were cut out of, one after the other, as far as their tokens tell. Where one begins a
 * paragraph (`newpar`, `newdoc`) and nothing tells of a line break before it, a blank line is put there, in place of
 * the space that stands between sentences.
 */
export class PlainText {
  private last = '';

  /** The text of a sentence, with what is before it; a space at its end is kept back. */
  add(sentence: Sentence): string {
    const last = this.last;
    const text = textOf(sentence);
    const isBreakMissing = last !== '' && startsParagraph(sentence) && !/\n\s*$/.test(last);
    const between = isBreakMissing ? '\n\n' : last.endsWith(' ') ? ' ' : '';
    this.last = text;
    return between + withoutLastSpace(text);
  }

  /** What is left when all sentences have been added: a line end in place of the last space. */
  end(): string {
    return this.last.endsWith(' ') ? '\n' : '';
  }
}

function withoutLastSpace(text: string): string {
  return text.endsWith(' ') ? text.slice(0, -1) : text;
}
