import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { SentenceNaming, SentenceStream, TextLayout, Tokenizer } from '../annotator.ts';
import { Cutter } from './cutter.ts';
import { lineBreaksIn, Pieces } from './text/pieces.ts';
import { SentenceBuilder } from './text/sentence-builder.ts';
import { TOKEN_PAD } from './token-list.ts';
import { loadModel, saveModel, type TokenizerModel } from './tokenizer-model.ts';

/** Splits text by linear classifiers that decide, place by place, whether a token and a sentence end there. */
export class LinearTokenizer implements Tokenizer {
  readonly task = 'tokenizer';

  constructor(private readonly model: TokenizerModel) {}

  static load(model: ModelReader): LinearTokenizer {
    return new LinearTokenizer(loadModel(model));
  }

  save(model: ModelWriter): void {
    saveModel(this.model, model);
  }

  open(layout: TextLayout = 'text', file = 'text', naming: SentenceNaming = {}): SentenceStream {
    return new TextStream(new Cutter(this.model, layout), layout, file, naming);
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** Line breaks that end a piece. */
const PARAGRAPH = 2;
const LINE = 1;

class TextStream implements SentenceStream {
  private readonly builder: SentenceBuilder;
  private readonly pieces: Pieces;
  private sentences: Sentence[] = [];
  private before = '';
  private isBegun = false;
  private startsDocument = true;
  private startsParagraph = true;

  constructor(
    private readonly cutter: Cutter,
    private readonly layout: TextLayout,
    file: string,
    naming: SentenceNaming,
  ) {
    this.builder = new SentenceBuilder(file, naming);
    this.pieces = new Pieces(file, layout === 'lines' ? LINE : PARAGRAPH, (text, isWhole) =>
      this.cut(text, isWhole),
    );
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
    const cutter = this.cutter;
    cutter.read(text, isWhole);
    const { tokens } = cutter;
    let start = TOKEN_PAD;
    let done = TOKEN_PAD;
    const last = isWhole ? tokens.end - 1 : Number.POSITIVE_INFINITY;
    for (let t = TOKEN_PAD; t < cutter.sure; t++) {
      if (t !== last && !cutter.endsSentence(t, start)) continue;
      this.addSentence(text, start, t);
      start = done = t + 1;
    }
    // A sentence longer than half a piece is cut, so that every character is processed twice at most.
    const isFar = isWhole || (done > TOKEN_PAD && afterToken(cutter, done - 1) > text.length / 2);
    if (!isFar && done < cutter.sure) {
      this.addSentence(text, done, cutter.sure - 1);
      done = cutter.sure;
    }
    return afterToken(cutter, done - 1);
  }

  private addSentence(text: string, first: number, last: number): void {
    const cutter = this.cutter;
    const { tokens, units } = cutter;
    if (this.startsDocument) this.before += this.pieces.lead;
    let after = '';
    for (let t = first; t <= last; t++) {
      const end = units.offsets[tokens.endOf(t)];
      after = text.slice(end, afterToken(cutter, t));
      const written = text.slice(units.offsets[tokens.startOf(t)], end);
      this.builder.add(this.before, written, (form) => cutter.wordsOf(t, form), after);
      this.before = '';
    }
    this.sentences.push(this.builder.finish(this.startsDocument, this.startsParagraph));
    this.startsDocument = false;
    this.startsParagraph = this.layout !== 'tokens' && lineBreaksIn(after) >= PARAGRAPH;
  }
}

/** The offset where the white space after a token ends. */
function afterToken({ units, tokens }: Cutter, t: number): number {
  const end = tokens.endOf(t);
  return units.offsets[end < units.end && units.isBlank(end) ? end + 1 : end];
}
