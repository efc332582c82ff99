import type { Sentence } from '../../../src/treebank/sentence.ts';
import { miscOf } from '../../../src/treebank/surface.ts';
import type { SentenceNaming } from '../../annotator.ts';

/** White space in a form becomes a blank; MISC keeps it as written. */
const INNER_SPACE = /\p{White_Space}+/gu;
const ONE_BLANK = /^\p{Zs}$/u;

/** Builds sentences, token by token, as CoNLL-U and as columns. The text is kept completely: in forms, or in MISC. */
export class SentenceBuilder {
  private number = 0;
  /** First line of the next sentence in the CoNLL-U text. */
  private line = 1;
  private rows = '';
  private text = '';
  private isApart = false;
  private forms: string[] = [''];
  private misc: string[] = [''];
  /** Lines of the words, relative to the first row. */
  private lines: number[] = [0];
  private rowCount = 0;

  constructor(
    private readonly file: string,
    private readonly naming: SentenceNaming = {},
  ) {}

  /**
   * Adds a token.
   *
   * @param before white space before it, if it is the first
   * @param written the token as written
   * @param split returns the words of its form, if there are several
   * @param after white space after it
   */
  add(
    before: string,
    written: string,
    split: (form: string) => readonly string[] | undefined,
    after: string,
  ): void {
    const form = formOf(written);
    const misc = miscOf(before, after, form === written ? undefined : written);
    const words = split(form);
    this.text += this.isApart ? ` ${form}` : form;
    this.isApart = after !== '';
    if (words === undefined) {
      this.addWord(form, misc);
      return;
    }
    const first = this.forms.length;
    this.addRow(`${first}-${first + words.length - 1}`, form, misc);
    for (const word of words) this.addWord(word, '_');
  }

  /** Ends the sentence; the flags tell whether a document or paragraph begins with it. */
  finish(startsDocument: boolean, startsParagraph: boolean): Sentence {
    const { document, nextId } = this.naming;
    const id = nextId?.() ?? String(++this.number);
    const newdoc = document === undefined ? '# newdoc\n' : `# newdoc id = ${document}\n`;
    const isNamed = startsDocument && document !== null;
    const marks = (isNamed ? newdoc : '') + (startsParagraph ? '# newpar\n' : '');
    const comments = `${marks}# sent_id = ${id}\n# text = ${this.text}\n`;
    const commentLines = 2 + (isNamed ? 1 : 0) + (startsParagraph ? 1 : 0);
    const firstRow = this.line + commentLines;
    const lines = Int32Array.from(this.lines, (row) => firstRow + row);
    lines[0] = this.line;
    const length = this.forms.length - 1;
    const empty = ['', ...new Array<string>(length).fill('_')];
    const columns = { lemmas: empty, upos: empty, xpos: empty, feats: empty, labels: empty, deps: empty };
    const text = `${comments}${this.rows}\n`;
    const source = { file: this.file, format: 'conllu' as const, line: this.line, text, lines };
    const heads = new Int32Array(length + 1).fill(-1);
    const sentence = { length, forms: this.forms, ...columns, heads, misc: this.misc, id, source };
    this.line = firstRow + this.rowCount + 1;
    this.clear();
    return sentence;
  }

  private clear(): void {
    this.rows = '';
    this.text = '';
    this.isApart = false;
    this.forms = [''];
    this.misc = [''];
    this.lines = [0];
    this.rowCount = 0;
  }

  private addWord(form: string, misc: string): void {
    this.lines.push(this.rowCount);
    this.addRow(String(this.forms.length), form, misc);
    this.forms.push(form);
    this.misc.push(misc);
  }

  private addRow(id: string, form: string, misc: string): void {
    this.rows += `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n`;
    this.rowCount++;
  }
}

/** A token's form: as written, with a blank for white space that CoNLL-U does not allow. */
function formOf(written: string): string {
  return written.replace(INNER_SPACE, (space) => (ONE_BLANK.test(space) ? space : ' '));
}
