import { InputError } from '../../../src/errors.ts';
import type { TextLayout } from '../../annotator.ts';
import { kindOf, SPACE } from './characters.ts';

export const LONGEST_PIECE = 1 << 14;
/** Maximum length of a sentence in layouts that mark its end: it is a single piece, in memory as a whole. */
export const LONGEST_SENTENCE = 1 << 20;
/** Number of characters at the end of an unfinished piece where more text may change tokens and sentences. */
export const MARGIN = 1 << 9;
/** Maximum length of a run of white space: it is kept with the token before it. */
const LONGEST_GAP = 1 << 24;
/** Line breaks that end a line, and a paragraph. */
const LINE = 1;
export const PARAGRAPH = 2;
/** Processes a piece of text; returns the number of characters consumed: all of them if it is whole. */
type TakePiece = (text: string, isWhole: boolean) => number;

/**
 * Cuts a stream of text, in linear time: running text into paragraphs, and long ones into pieces of about
 * LONGEST_PIECE characters; other layouts into sentences.
 */
export class Pieces {
  /** Leading white space of the text; it is in no piece. */
  lead = '';
  private text = '';
  private hasContent = false;
  /** Length of the white space at the end of the piece, and the line breaks in it. */
  private gap = 0;
  private breaksSeen = 0;
  private previous = 0;
  /** Number of the current line, and of the line where the white space at the end of the piece begins. */
  private line = 1;
  private gapLine = 1;

  constructor(
    private readonly file: string,
    private readonly layout: TextLayout,
    private readonly take: TakePiece,
  ) {}

  push(chunk: string): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      // No white space is a surrogate, so code units suffice.
      if (kindOf(code) === SPACE) {
        this.addSpace(code);
      } else {
        if (this.isDue(code, this.text.length + at - start)) {
          this.text += chunk.slice(start, at);
          start = at;
          this.give(this.isEnd);
        }
        if (!this.hasContent) {
          this.lead += this.text + chunk.slice(start, at);
          this.text = '';
          start = at;
        }
        this.hasContent = true;
        this.gap = 0;
        this.breaksSeen = 0;
      }
      this.previous = code;
    }
    this.text += chunk.slice(start);
  }

  end(): void {
    if (this.hasContent) this.give(true);
  }

  private get isEnd(): boolean {
    return this.breaksSeen >= (this.layout === 'lines' ? LINE : PARAGRAPH);
  }

  /** Whether a piece ends before this character, which is no white space. */
  private isDue(code: number, length: number): boolean {
    if (!this.hasContent) return false;
    if (this.isEnd) return true;
    if (this.layout === 'text') {
      // Never between the two halves of a character.
      const isInside = (this.previous & 0xfc00) === 0xd800 && (code & 0xfc00) === 0xdc00;
      return length >= LONGEST_PIECE && !isInside;
    }
    if (length >= LONGEST_SENTENCE) this.refuseSentence();
    return false;
  }

  private refuseSentence(): never {
    const most = LONGEST_SENTENCE.toLocaleString('en-US');
    const end = this.layout === 'lines' ? 'a line break' : 'a blank line';
    const place = { file: this.file, line: this.line };
    throw new InputError(`a sentence of more than ${most} characters, expected ${end}`, place);
  }

  private give(isWhole: boolean): void {
    const done = this.take(this.text, isWhole);
    this.text = this.text.slice(done);
    if (this.text === '') this.hasContent = false;
  }

  private addSpace(code: number): void {
    if (this.gap === 0) this.gapLine = this.line;
    this.gap++;
    if (this.gap > LONGEST_GAP) {
      const place = { file: this.file, line: this.gapLine };
      const most = LONGEST_GAP.toLocaleString('en-US');
      throw new InputError(`more than ${most} consecutive characters of white space, expected text`, place);
    }
    // A carriage return and a line feed are one line break.
    if (code === LINE_FEED && this.previous === CARRIAGE_RETURN) return;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) this.line++;
    if (code === PARAGRAPH_SEPARATOR) this.breaksSeen += 2;
    else if (isLineBreak(code)) this.breaksSeen++;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const PARAGRAPH_SEPARATOR = 0x2029;

/** Line feed, vertical tab, form feed, carriage return, next line, line separator. */
const isLineBreak = (code: number): boolean =>
  (code >= LINE_FEED && code <= CARRIAGE_RETURN) || code === 0x85 || code === 0x2028;

/** The number of line breaks in white space; CR LF is one, a paragraph separator two. */
export function lineBreaksIn(space: string): number {
  let breaks = 0;
  for (let at = 0; at < space.length; at++) {
    const code = space.charCodeAt(at);
    if (code === LINE_FEED && space.charCodeAt(at - 1) === CARRIAGE_RETURN) continue;
    if (code === PARAGRAPH_SEPARATOR) breaks += 2;
    else if (isLineBreak(code)) breaks++;
  }
  return breaks;
}
