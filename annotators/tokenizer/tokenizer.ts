import { checkFields, checkName } from '../../src/checks.ts';
import type { Calibration } from '../../src/learn/calibration.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { withConfidence } from '../../src/treebank/columns/confidence.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { miscOf } from '../../src/treebank/surface.ts';
import type { TextNormalization } from '../../src/treebank/text-normalization.ts';
import type { SentenceStream, StreamOptions, TextLayout, Tokenizer } from '../annotator.ts';
import { textLayouts } from '../annotator.ts';
import { PieceTokenizer } from './piece-tokenizer.ts';
import { formOf } from './text/characters.ts';
import { lineBreaksIn, PARAGRAPH, Pieces } from './text/pieces.ts';
import { TOKEN_PAD } from './token-list.ts';
import { loadModel, saveModel, type TokenizerModel } from './tokenizer-model.ts';

/** Builds sentences, token by token, as CoNLL-U and as columns. Forms and MISC together hold the text exactly. */
export class SentenceBuilder {
  private number = 0;
  /** First line of the next sentence in the CoNLL-U text. */
  private line = 1;
  private draft = emptySentence();

  constructor(
    private readonly file: string,
    private readonly naming: StreamOptions = {},
  ) {}

  /**
   * @param before white space before the token, if it is the first
   * @param split returns the words of its form, if there are several
   * @param confidence probability that it is a token
   */
  add(
    before: string,
    written: string,
    split: (form: string) => readonly string[] | undefined,
    after: string,
    confidence?: number,
  ): void {
    const form = formOf(written);
    const places = miscOf(before, after, form === written ? undefined : written);
    const misc = confidence === undefined ? places : withConfidence(places, 'tokens', confidence);
    const words = split(form);
    const { draft } = this;
    draft.text += draft.isApart ? ` ${form}` : form;
    draft.isApart = after !== '';
    if (words === undefined) {
      this.addWord(form, misc);
      return;
    }
    const first = draft.forms.length;
    this.addRow(`${first}-${first + words.length - 1}`, form, misc);
    for (const word of words) this.addWord(word, '_');
  }

  /** Ends the sentence; the flags tell whether a document or paragraph begins with it. */
  finish(startsDocument: boolean, startsParagraph: boolean): Sentence {
    const { document, nextId } = this.naming;
    const { rows, text: words, forms, misc, lines: ownLines, rowCount } = this.draft;
    this.draft = emptySentence();
    const id = nextId?.() ?? String(++this.number);
    const newdoc = document === undefined ? '# newdoc\n' : `# newdoc id = ${document}\n`;
    const isNamed = startsDocument && document !== null;
    const marks = (isNamed ? newdoc : '') + (startsParagraph ? '# newpar\n' : '');
    const comments = `${marks}# sent_id = ${id}\n# text = ${words}\n`;
    const commentLines = 2 + (isNamed ? 1 : 0) + (startsParagraph ? 1 : 0);
    const firstRow = this.line + commentLines;
    const lines = Int32Array.from(ownLines, (row) => firstRow + row);
    lines[0] = this.line;
    const length = forms.length - 1;
    const empty = ['', ...new Array<string>(length).fill('_')];
    const columns = { lemmas: empty, upos: empty, xpos: empty, feats: empty, labels: empty, deps: empty };
    const text = `${comments}${rows}\n`;
    const source = { file: this.file, format: 'conllu' as const, line: this.line, text, lines };
    const heads = new Int32Array(length + 1).fill(-1);
    this.line = firstRow + rowCount + 1;
    return { length, forms, ...columns, heads, misc, id, source };
  }

  private addWord(form: string, misc: string): void {
    const { draft } = this;
    draft.lines.push(draft.rowCount);
    this.addRow(String(draft.forms.length), form, misc);
    draft.forms.push(form);
    draft.misc.push(misc);
  }

  private addRow(id: string, form: string, misc: string): void {
    this.draft.rows += `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t${misc}\n`;
    this.draft.rowCount++;
  }
}

/** A sentence to be built; `lines`: the line of each of its words, relative to the first line. */
function emptySentence() {
  return { rows: '', text: '', isApart: false, forms: [''], misc: [''], lines: [0], rowCount: 0 };
}

/**
 * Tokenizer of linear classifiers, which decide after each character whether a token ends, and after each token whether
 * a sentence ends. A network may take part in the decisions on sentences.
 */
export class LinearTokenizer implements Tokenizer {
  readonly task = 'tokenizer';
  calibration?: Calibration | undefined;

  constructor(private readonly model: TokenizerModel) {}

  get segments(): boolean {
    return this.model.segmentation !== undefined;
  }

  get normalization(): TextNormalization {
    return this.model.normalization;
  }

  static load(model: ModelReader): LinearTokenizer {
    return new LinearTokenizer(loadModel(model));
  }

  save(model: ModelWriter): void {
    saveModel(this.model, model);
  }

  open(layout: TextLayout = 'text', file = 'text', options: StreamOptions = {}): SentenceStream {
    checkName('layout', layout, textLayouts);
    const fields = ['confidence', 'document', 'continuesParagraph', 'nextId'] as const;
    checkFields<keyof StreamOptions>('a tokenizer', options, fields);
    const piece = new PieceTokenizer(this.model, layout, options.confidence);
    return new TextStream(piece, layout, file, options, this.calibration);
  }
}

const BYTE_ORDER_MARK = '\ufeff';

class TextStream implements SentenceStream {
  private readonly builder: SentenceBuilder;
  private readonly pieces: Pieces;
  private sentences: Sentence[] = [];
  private before = '';
  private isBegun = false;
  private startsDocument = true;
  private startsParagraph: boolean;

  constructor(
    private readonly piece: PieceTokenizer,
    private readonly layout: TextLayout,
    file: string,
    naming: StreamOptions,
    private readonly calibration: Calibration | undefined,
  ) {
    this.startsParagraph = !naming.continuesParagraph;
    this.builder = new SentenceBuilder(file, naming);
    this.pieces = new Pieces(file, layout, (text, isWhole) => this.cut(text, isWhole));
  }

  push(text: string): Sentence[] {
    if (!this.isBegun && text.startsWith(BYTE_ORDER_MARK)) {
      this.before = BYTE_ORDER_MARK;
      text = text.slice(1);
    }
    if (text !== '') this.isBegun = true;
    this.pieces.push(text);
    return this.taken();
  }

  end(): Sentence[] {
    this.pieces.end();
    return this.taken();
  }

  private taken(): Sentence[] {
    const sentences = this.sentences;
    this.sentences = [];
    return sentences;
  }

  /** Adds the complete sentences of a piece; returns where they end. */
  private cut(text: string, isWhole: boolean): number {
    const piece = this.piece;
    piece.read(text, isWhole);
    const { tokens } = piece;
    let start = TOKEN_PAD;
    let done = TOKEN_PAD;
    const last = isWhole ? tokens.end - 1 : Number.POSITIVE_INFINITY;
    for (let t = TOKEN_PAD; t < piece.settledEnd; t++) {
      if (t !== last && !piece.endsSentence(t, start)) continue;
      this.addSentence(text, start, t);
      start = done = t + 1;
    }
    // A sentence longer than half a piece is cut, so that every character is processed twice at most.
    const isFar = isWhole || (done > TOKEN_PAD && afterToken(piece, done - 1) > text.length / 2);
    if (!isFar && done < piece.settledEnd) {
      this.addSentence(text, done, piece.settledEnd - 1);
      done = piece.settledEnd;
    }
    return afterToken(piece, done - 1);
  }

  private addSentence(text: string, first: number, last: number): void {
    const piece = this.piece;
    const { tokens, units } = piece;
    if (this.startsDocument) this.before += this.pieces.lead;
    let after = '';
    for (let t = first; t <= last; t++) {
      after = text.slice(units.offsets[tokens.endOf(t)], afterToken(piece, t));
      const written = piece.written(text, t);
      const raw = piece.confidenceOf(t);
      const confidence = raw === undefined ? raw : (this.calibration?.of(raw) ?? raw);
      this.builder.add(this.before, written, (form) => piece.wordsOf(t, form), after, confidence);
      this.before = '';
    }
    this.sentences.push(this.builder.finish(this.startsDocument, this.startsParagraph));
    this.startsDocument = false;
    this.startsParagraph = this.layout !== 'tokens' && lineBreaksIn(after) >= PARAGRAPH;
  }
}

/** The offset where the white space after a token ends. */
function afterToken({ units, tokens }: PieceTokenizer, t: number): number {
  const end = tokens.endOf(t);
  return units.offsets[end < units.end && units.isBlank(end) ? end + 1 : end];
}
