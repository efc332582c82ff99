import { InputError } from '../../errors.ts';
import { TextFile } from '../../files/text-file.ts';
import { isModelFile } from '../../model/model-file.ts';
import { loadVectors } from './saved-vectors.ts';
import { MOST_DIMENSIONS, TableBuilder, type VectorTable } from './vector-table.ts';
import { LINE_END } from './word-index.ts';

const BLANK = 32;

/**
 * Reads word vectors, gzipped or not: GloVe's text (a word and its numbers per line), word2vec's text and fastText's `.vec` (the
 * same after a line with the numbers of words and dimensions), word2vec's binary format, and files of `saveVectors`. The format
 * is recognised from the content. Throws `InputError` with the line, or the word's number, if the file is malformed.
 *
 * @param limit maximum number of words, from the beginning, where files have the most frequent ones
 */
export async function readVectors(path: string, limit: number): Promise<VectorTable> {
  if (isModelFile(path)) return loadVectors(path).limited(limit);
  const bytes = new ByteReader(new TextFile(path, undefined, false).byteChunks());
  try {
    return await new VectorReader(bytes, path, limit).read();
  } finally {
    await bytes.close();
  }
}

type Header = { readonly words: number; readonly dimensions: number };

class VectorReader {
  private readonly decoder = new TextDecoder();
  private line = 0;

  constructor(
    private readonly bytes: ByteReader,
    private readonly path: string,
    private readonly limit: number,
  ) {}

  async read(): Promise<VectorTable> {
    const first = await this.nextLine();
    if (first === undefined) return this.refuse('no word vectors: the file is empty');
    const header = this.headerIn(first);
    if (header === undefined) return this.readText(first);
    const second = await this.bytes.peekLine(LONGEST_LINE);
    const isText = second !== undefined && !BINARY.test(this.text(second));
    return isText ? this.readText(undefined, header) : this.readBinary(header);
  }

  private headerIn(line: Uint8Array): Header | undefined {
    const [, words, dimensions] = /^(\d+) (\d+)$/.exec(this.text(line)) ?? [];
    if (words === undefined) return undefined;
    if (Number(words) === 0) this.refuse('no word vectors: the first line says 0 words');
    return { words: Number(words), dimensions: this.checked(Number(dimensions)) };
  }

  private checked(dimensions: number): number {
    if (dimensions < 1 || dimensions > MOST_DIMENSIONS)
      this.refuse(`vectors of ${dimensions} numbers, expected 1 to ${MOST_DIMENSIONS}`);
    return dimensions;
  }

  private async readText(first: Uint8Array | undefined, header?: Header): Promise<VectorTable> {
    let line = first ?? (await this.nextLine());
    const inFirst = header?.dimensions ?? numbersAtEnd(this.text(line!).split(BLANKS).slice(1));
    if (inFirst === 0) this.refuse('not word vectors: expected a word and its numbers');
    const table = this.builder(this.checked(inFirst), header);
    for (; line !== undefined && !table.isFull; line = await this.nextLine()) {
      const text = this.text(line);
      if (text !== '') this.addRow(table, text);
    }
    if (header !== undefined && !table.isFull)
      this.refuse(`ends after ${table.size} of ${header.words} words`);
    return table.table();
  }

  /** Adds a line to the table. Words may contain blanks: the numbers are the last fields. */
  private addRow(table: TableBuilder, text: string): void {
    const fields = text.split(BLANKS);
    const { dimensions } = table;
    const numbers = fields.slice(-dimensions).map(numberOf);
    const isShort = fields.length <= dimensions;
    const hasMore = fields.length > dimensions + 1 && FRACTION.test(fields[fields.length - dimensions - 1]);
    if (isShort || hasMore)
      this.refuse(`${numbersAtEnd(fields.slice(1))} numbers, expected ${dimensions} as in the rows before`);
    const wrong = numbers.findIndex((number) => !Number.isFinite(number));
    if (wrong >= 0) this.refuse(`'${fields.at(wrong - dimensions)}', expected a number`);
    table.add(Buffer.from(fields.slice(0, -dimensions).join(' ')), numbers);
  }

  private async readBinary(header: Header): Promise<VectorTable> {
    const { dimensions } = header;
    const table = this.builder(dimensions, header);
    const numbers = new Float32Array(dimensions);
    while (!table.isFull) {
      const row = `word ${table.size + 1}`;
      const written = await this.bytes.until(BLANK, LONGEST_WORD);
      const rest = written && (await this.bytes.take(4 * dimensions));
      const expected = `expected a word and ${dimensions} binary numbers`;
      if (rest === undefined) return this.refuse(`${row} of ${header.words}: ${expected}`, true);
      // Some programs write a line end after each row.
      const word = written![0] === LINE_END ? written!.subarray(1) : written!;
      if (word.includes(LINE_END)) this.refuse(`${row}: a line end in the word`, true);
      for (let i = 0; i < dimensions; i++) numbers[i] = rest.readFloatLE(4 * i);
      if (!numbers.every(Number.isFinite)) this.refuse(`${row} has numbers that are not finite`, true);
      table.add(word, numbers);
    }
    return table.table();
  }

  private builder(dimensions: number, header?: Header): TableBuilder {
    return new TableBuilder(dimensions, Math.min(this.limit, header?.words ?? this.limit));
  }

  private async nextLine(): Promise<Uint8Array | undefined> {
    const line = await this.bytes.line(LONGEST_LINE);
    if (line !== undefined || !this.bytes.isAtEnd) this.line++;
    if (line === undefined && !this.bytes.isAtEnd)
      this.refuse(`a line of more than ${LONGEST_LINE} bytes, expected a word and its numbers`);
    return line;
  }

  private text(bytes: Uint8Array): string {
    return this.decoder.decode(bytes).replace(/[ \t\r]+$/, '');
  }

  private refuse(problem: string, isBinary = false): never {
    const line = isBinary || this.line === 0 ? undefined : this.line;
    throw new InputError(problem, { file: this.path, line });
  }
}

const BLANKS = /[ \t]+/;
/** Control and replacement characters, which binary numbers decode to and text does not have. */
const BINARY = /[^\P{Cc}\t\n\v\f\r\x7f-\x9f]|\ufffd/u;
const FRACTION = /^[-+]?\d*\.\d+(e[-+]?\d+)?$/i;
const LONGEST_LINE = 1 << 20;
const LONGEST_WORD = 1 << 16;

const numberOf = (field: string): number => (field === '' ? Number.NaN : Number(field));

function numbersAtEnd(fields: readonly string[]): number {
  let count = 0;
  while (count < fields.length && Number.isFinite(numberOf(fields[fields.length - 1 - count]))) count++;
  return count;
}

/** Reads lines and blocks from chunks of bytes. */
class ByteReader {
  private chunk: Buffer = Buffer.alloc(0);
  private at = 0;
  private isOver = false;

  constructor(private readonly chunks: AsyncGenerator<Uint8Array>) {}

  get isAtEnd(): boolean {
    return this.isOver && this.at === this.chunk.length;
  }

  /** The bytes before the next line end or the end of the file; undefined at the end, or if they are more than `most`. */
  line(most: number): Promise<Buffer | undefined> {
    return this.until(LINE_END, most, true);
  }

  /** The next line, without consuming it. */
  async peekLine(most: number): Promise<Buffer | undefined> {
    const line = await this.line(most);
    if (line === undefined) return undefined;
    const hasEnd = this.chunk[this.at - 1] === LINE_END && this.at > line.length;
    this.at -= line.length + (hasEnd ? 1 : 0);
    return line;
  }

  /** The bytes before the next byte of this value, which is consumed; `orEnd`: the end of the file counts as one. */
  async until(value: number, most: number, orEnd = false): Promise<Buffer | undefined> {
    for (let from = this.at; ; ) {
      const end = this.chunk.indexOf(value, from);
      if (end >= 0) return end - this.at > most ? undefined : this.passed(end, 1);
      const seen = this.chunk.length - this.at;
      if (seen > most) return undefined;
      if (!(await this.more())) return orEnd && seen > 0 ? this.passed(this.chunk.length, 0) : undefined;
      from = this.at + seen;
    }
  }

  async take(count: number): Promise<Buffer | undefined> {
    while (this.chunk.length - this.at < count) if (!(await this.more())) return undefined;
    return this.passed(this.at + count, 0);
  }

  async close(): Promise<void> {
    await this.chunks.return(undefined);
  }

  private passed(end: number, beyond: number): Buffer {
    const bytes = this.chunk.subarray(this.at, end);
    this.at = end + beyond;
    return bytes;
  }

  /** Appends another chunk to the unread bytes. */
  private async more(): Promise<boolean> {
    if (this.isOver) return false;
    const { value, done } = await this.chunks.next();
    if (done) {
      this.isOver = true;
      return false;
    }
    this.chunk = Buffer.concat([this.chunk.subarray(this.at), value]);
    this.at = 0;
    return true;
  }
}
