const LINE_END = 10;

/** Reads lines and blocks from chunks of bytes. */
export class ByteReader {
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
