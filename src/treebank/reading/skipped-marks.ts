import { countLines } from '../../files/encoding.ts';
import { jsonOf } from '../json/json-sentence.ts';
import { commentsInJson, conlluOf } from '../json/read-json.ts';
import type { Sentence, TextBatch } from '../sentence.ts';
import { lineAfter } from './batches.ts';
import type { TreebankFormat } from './format.ts';

/** Comments that also apply to later sentences, in the order in which they are written. */
const kinds = ['global.columns', 'newdoc', 'newpar'] as const;
const MARK = /^\ufeff?(#[ \t]*(global\.columns|newdoc|newpar)(?![^\s=]).*)/s;

/**
 * The marks of skipped sentences, such as `# newdoc`. The next sentence that is kept takes them over unless it has its
 * own: otherwise it would seem to belong to the document before.
 */
export class SkippedMarks {
  private readonly marks = new Map<string, string>();

  /** Comment lines. */
  get lines(): string[] {
    return kinds.flatMap((kind) => this.marks.get(kind) ?? []);
  }

  add(lines: readonly string[]): void {
    for (const line of lines) {
      const [, mark, kind] = MARK.exec(line) ?? [];
      // A new document ends the paragraph of the one before.
      if (kind === 'newdoc') this.marks.delete('newpar');
      if (kind !== undefined) this.marks.set(kind, mark!);
    }
  }

  /** Adds the marks of sentences that are missing from a batch to those after them. */
  *carried(
    sentences: Iterable<Sentence>,
    { text, line }: TextBatch,
    format: TreebankFormat,
  ): Generator<Sentence> {
    let at = 0;
    let atLine = line;
    for (const sentence of sentences) {
      const source = sentence.source!;
      const start = at;
      for (; atLine < source.line; atLine++) at = lineAfter(text, at);
      this.add(commentsIn(text.slice(start, at), format));
      at += source.text.length;
      atLine += countLines(source.text, source.text.length);
      yield this.marks.size === 0 ? sentence : this.marked(sentence);
    }
    this.add(commentsIn(text.slice(at), format));
  }

  private marked(sentence: Sentence): Sentence {
    const source = sentence.source!;
    const text = this.carriedTo(source.text, source.format);
    // Sentence and tokens keep their line numbers in the file, so the longer text begins at an earlier one.
    const added = countLines(text, text.length) - countLines(source.text, source.text.length);
    const lines = source.lines.with(0, source.line - added);
    return { ...sentence, source: { ...source, text, lines } };
  }

  /** Adds the marks to the first of the sentences in a text, and clears them. */
  carriedTo(text: string, format: TreebankFormat): string {
    if (this.marks.size === 0 || text === '') return text;
    if (format === 'json') {
      const end = lineAfter(text, 0);
      return jsonOf(this.carriedTo(conlluOf(text.slice(0, end)).text, 'conllu')) + text.slice(end);
    }
    if (!hasComments(format)) return text;
    const own = new SkippedMarks();
    own.add(/^(?:#[^\n]*\n)*/.exec(text)![0].split('\n'));
    if (own.marks.has('newdoc')) this.marks.delete('newpar');
    for (const kind of own.marks.keys()) this.marks.delete(kind);
    if (format !== 'conllup') this.marks.delete('global.columns');
    const all = [...this.lines, text].join('\n');
    this.marks.clear();
    return all;
  }
}

export const hasComments = (format: TreebankFormat): boolean =>
  format === 'conllu' || format === 'conllup' || format === 'json';

function commentsIn(text: string, format: TreebankFormat): string[] {
  const lines = text.split('\n');
  return format === 'json' ? lines.flatMap(commentsInJson) : lines;
}
