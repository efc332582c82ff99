import { InputError } from '../../errors.ts';
import type { TextFile } from '../../files/text/text-file.ts';
import type { TextStart } from '../../files/text/text-start.ts';
import { isBlank, isComment, lineAfter, type TextBatch, textBatches } from './blocks.ts';
import { detectFormat, type TreebankFormat } from './format.ts';

/** Characters by which the format is recognised, if they hold a whole token line. */
const HEAD = 1 << 15;

/** The text of a treebank, of which the beginning may have been looked at already: sentences in a format. */
export class TreebankText {
  readonly name: string;
  readonly file: TextFile;
  readonly format: TreebankFormat;
  private readonly start: TextStart;

  private constructor(start: TextStart, format: TreebankFormat) {
    this.name = start.file.path;
    this.file = start.file;
    this.format = format;
    this.start = start;
  }

  /**
   * @param format recognised from the first lines where it is not given
   * @throws InputError where the file cannot be read, has no sentences, or its format is not recognised
   */
  static async open(start: TextStart, format?: TreebankFormat): Promise<TreebankText> {
    await start.read(HEAD, hasWholeTokenLine);
    const { path } = start.file;
    if (/^\s*$/.test(start.head)) throw new InputError('no sentences', { file: path });
    return new TreebankText(start, format ?? detectFormat(start.head, path));
  }

  /**
   * The text in batches of whole sentences, about `size` characters each, for `readBatch` in a worker.
   *
   * @throws InputError where the text has no sentences
   */
  async *batches(size?: number): AsyncGenerator<TextBatch> {
    let isEmpty = true;
    for await (const batch of textBatches(this.start.chunks(), this.name, this.format, size)) {
      isEmpty = false;
      yield batch;
    }
    if (isEmpty) throw new InputError('no sentences', { file: this.name });
  }
}

function hasWholeTokenLine(text: string): boolean {
  let next: number;
  for (let start = 0; start < text.length; start = next) {
    next = lineAfter(text, start);
    if (!isBlank(text, start) && !isComment(text, start)) return text[next - 1] === '\n';
  }
  return false;
}
