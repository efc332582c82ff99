import { InputError } from '../../errors.ts';
import { BYTE_ORDER_MARK } from '../../files/encoding.ts';
import { quote } from '../../visible.ts';
import { isBlank, isComment, lineAfter } from '../reading/batches.ts';
import { COLUMN_FORMATS, type ColumnFormat, type ReadingOptions } from '../reading/format.ts';
import type { Sentence, SentenceSource, TextBatch } from '../sentence.ts';
import { checkHeads } from './check-heads.ts';
import { ColumnLine } from './column-line.ts';
import type { StringColumn } from './names.ts';
import { DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC, UPOS, XPOS } from './names.ts';

/**
 * Reads the sentences of a batch; the texts of their sources, joined, are the batch. Throws `InputError` unless
 * `skipInvalid`. Strings are slices that keep the batch's text in memory: copy those that are kept longer.
 */
export function* readColumns(batch: TextBatch, format: ColumnFormat, options: ReadingOptions) {
  const reader = new ColumnReader(batch, format, options);
  reader.findTokens();
  while (!reader.done) {
    let sentence: Sentence | undefined;
    try {
      sentence = reader.readSentence();
    } catch (error) {
      if (!options.skipInvalid || !(error instanceof InputError)) throw error;
      options.onSkip?.(error);
      reader.skipTokens();
      reader.findTokens();
    }
    if (sentence !== undefined) yield sentence;
  }
}

/** A sentence that is being read; index 0 is the artificial root. */
class Draft {
  readonly columns = {
    forms: [''],
    lemmas: [''],
    upos: [''],
    xpos: [''],
    feats: [''],
    labels: [''],
    deps: [''],
    misc: [''],
  };
  readonly heads = [-1];
  readonly lines: number[];
  columnCount = 0;
  /** The last token of the most recent multiword range, and its line. */
  rangeEnd = 0;
  rangeLine = 0;

  constructor(line: number) {
    this.lines = [line];
  }

  get length(): number {
    return this.heads.length - 1;
  }
}

class ColumnReader {
  done = false;
  private readonly row = new ColumnLine();
  private position = 0;
  private line: number;
  private begin = 0;
  private beginLine: number;
  private id: string | undefined;

  constructor(
    private readonly batch: TextBatch,
    private readonly format: ColumnFormat,
    private readonly options: ReadingOptions,
  ) {
    this.line = batch.line;
    this.beginLine = batch.line;
  }

  /** Moves to the next token line; blank lines before its comments belong to the sentence before. */
  findTokens(): void {
    const { text } = this.batch;
    const isFirst = this.position === 0;
    while (this.position < text.length && isBlank(text, this.position)) this.nextLine();
    if (!isFirst) {
      this.begin = this.position;
      this.beginLine = this.line;
    }
    this.id = undefined;
    for (; this.position < text.length; this.nextLine()) {
      if (this.isComment()) this.id = sentenceId(text, this.position) ?? this.id;
      else if (!isBlank(text, this.position)) return;
    }
    this.begin = text.length;
    this.done = true;
  }

  /** Reads the sentence whose first token line is at the cursor, and moves to the next sentence's. */
  readSentence(): Sentence {
    const { file, text } = this.batch;
    const id = this.id;
    const begin = this.begin;
    const draft = this.readTokens();
    const heads = Int32Array.from(draft.heads);
    const lines = Int32Array.from(draft.lines);
    checkHeads(heads, lines, file, this.options);
    this.findTokens();
    const source: SentenceSource = {
      file,
      format: this.format,
      line: lines[0],
      text: text.slice(begin, this.begin),
      lines,
    };
    return { length: draft.length, ...draft.columns, heads, id, source };
  }

  skipTokens(): void {
    const { text } = this.batch;
    while (this.position < text.length && !isBlank(text, this.position)) this.nextLine();
  }

  private readTokens(): Draft {
    const { text } = this.batch;
    const draft = new Draft(this.beginLine);
    for (; this.position < text.length && !isBlank(text, this.position); this.nextLine())
      if (!this.isComment()) this.readLine(draft);
    if (draft.length === 0)
      throw this.error('a sentence without tokens, expected at least one', this.beginLine);
    if (draft.rangeEnd > draft.length) {
      const problem = `multiword range to token ${draft.rangeEnd}, expected at most ${draft.length}, the last token`;
      throw this.error(problem, draft.rangeLine);
    }
    return draft;
  }

  private readLine(draft: Draft): void {
    const { text, line } = this.batch;
    const hasMark = this.position === 0 && line === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK;
    this.row.read(text, hasMark ? 1 : this.position);
    const { counts, columns, title } = COLUMN_FORMATS[this.format];
    const { count } = this.row;
    if (draft.columnCount === 0 && counts.includes(count)) draft.columnCount = count;
    if (count !== draft.columnCount) throw this.wrongCount(draft.columnCount || counts.join(' or '), title);
    const empty = this.row.emptyColumn();
    if (empty >= 0) throw this.error(`column ${columns[empty]} is empty, expected a value or “_”`);
    if (this.format === 'three-column') this.addThreeColumns(draft);
    else if (this.format === 'conllx' || !this.readExtraLine(draft)) this.addToken(draft);
  }

  private addToken(draft: Draft): void {
    this.checkId(draft.length);
    const { columns } = draft;
    const isConllu = this.format === 'conllu';
    columns.forms.push(this.row.field(FORM));
    columns.lemmas.push(this.optionalField('lemmas', LEMMA));
    columns.upos.push(this.optionalField('upos', UPOS));
    columns.xpos.push(this.optionalField('xpos', XPOS));
    columns.feats.push(this.optionalField('feats', FEATS));
    columns.labels.push(this.row.field(DEPREL));
    columns.deps.push(isConllu ? this.optionalField('deps', DEPS) : '_');
    columns.misc.push(isConllu ? this.optionalField('misc', MISC) : '_');
    draft.heads.push(this.head(HEAD));
    draft.lines.push(this.line);
  }

  /** The field of a column, `_` if the column is not to be read. */
  private optionalField(name: StringColumn, column: number): string {
    return this.options.columns?.has(name) === false ? '_' : this.row.field(column);
  }

  private addThreeColumns({ columns, heads, lines }: Draft): void {
    const { forms, xpos, ...others } = columns;
    forms.push(this.row.field(0));
    xpos.push(this.row.field(1));
    for (const column of Object.values(others)) column.push('_');
    heads.push(this.head(2));
    lines.push(this.line);
  }

  /** Checks a multiword range (`3-4`) or an empty node (`3.1`); returns false for any other line. */
  private readExtraLine(draft: Draft): boolean {
    if (this.row.integer(ID) >= 0) return false;
    const match = /^(\d{1,9})([-.])(\d{1,9})$/.exec(this.row.field(ID));
    if (match === null) return false;
    const [first, last] = [Number(match[1]), Number(match[3])];
    const next = draft.length + 1;
    if (match[2] === '.') {
      if (first === draft.length) return true;
      throw this.error(
        `empty node ${quote(match[0])}, expected ${draft.length}.${last} after token ${draft.length}`,
      );
    }
    if (first !== next || last < first || first <= draft.rangeEnd) {
      const expected = first <= draft.rangeEnd ? 'ranges that do not overlap' : `a range from ${next} on`;
      throw this.error(`multiword range ${quote(match[0])}, expected ${expected}`);
    }
    draft.rangeEnd = last;
    draft.rangeLine = this.line;
    return true;
  }

  private checkId(tokens: number): void {
    const id = this.row.integer(ID);
    const next = tokens + 1;
    if (id === next) return;
    if (id < 0) throw this.error(`token id ${quote(this.row.field(ID))} is not an integer, expected ${next}`);
    if (id === 0) throw this.error(`token id 0, expected ${next}: ids start at 1`);
    if (id > next) throw this.error(`token id ${id}, expected ${next}: a token is missing or out of order`);
    const advice = id === 1 ? ', or a blank line before a new sentence' : '';
    throw this.error(`token id ${id} occurs twice, expected ${next}${advice}`);
  }

  private head(column: number): number {
    const head = this.row.integer(column);
    if (head >= 0) return head;
    const isMissing = this.row.equals(column, '_');
    const { expect } = this.options;
    if (isMissing && (expect === 'tokens' || expect === 'partial-trees')) return -1;
    if (isMissing) throw this.error('head is missing (“_”), expected 0 (the root) or a token id');
    const found = quote(this.row.field(column));
    throw this.error(`head ${found} is not an integer, expected 0 (the root) or a token id`);
  }

  private wrongCount(expected: number | string, title: string): InputError {
    const { content, count } = this.row;
    if (content.trim() === '')
      return this.error('a line of only spaces or tabs, expected a token or an empty line');
    const found = `${count} ${count === 1 ? 'column' : 'columns'}, expected ${expected} separated by tabs (${title})`;
    if (content.includes('\r'))
      return this.error(`${found}: found carriage returns, expected LF or CRLF line ends`);
    if (content.startsWith('#')) return this.error(`${found}: comments belong to CoNLL-U`);
    return this.error(count === 1 && content.includes(' ') ? `${found}: found spaces` : found);
  }

  private isComment(): boolean {
    return this.format === 'conllu' && isComment(this.batch.text, this.position);
  }

  private nextLine(): void {
    this.position = lineAfter(this.batch.text, this.position);
    this.line++;
  }

  private error(problem: string, line = this.line): InputError {
    return new InputError(problem, { file: this.batch.file, line });
  }
}

const SENTENCE_ID = /\ufeff?#[ \t]*sent_id[ \t]*=[ \t]*([^\r\n]*)/y;

/** The value of the comment `# sent_id` before the tokens of a sentence in CoNLL-U; the last, if there are several. */
export function idBefore(text: string): string | undefined {
  let id: string | undefined;
  for (let at = 0; isComment(text, at) || (at < text.length && isBlank(text, at)); at = lineAfter(text, at))
    id = sentenceId(text, at) ?? id;
  return id;
}

/** The value of a `# sent_id = …` comment that starts here. */
function sentenceId(text: string, start: number): string | undefined {
  SENTENCE_ID.lastIndex = start;
  return SENTENCE_ID.exec(text)?.[1]?.trimEnd();
}
