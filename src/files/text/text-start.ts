import type { TextFile } from './text-file.ts';

/** A beginning that is still not enough at this many characters is taken as it is. */
const LONGEST = 1 << 24;

/**
 * The beginning of a text, read to see what it is. Standard input and pipes cannot be read again: they go on from
 * there.
 */
export class TextStart {
  head = '';
  readonly file: TextFile;
  /** What follows, of a text that cannot be read again. */
  private rest: AsyncGenerator<string> | undefined;

  constructor(file: TextFile) {
    this.file = file;
  }

  /** Reads until the beginning is so long, and enough, or the text ends. */
  async read(least: number, isEnough: (head: string) => boolean): Promise<void> {
    const { isRepeatable } = this.file;
    const chunks = this.rest ?? this.file.chunks();
    if (isRepeatable) this.head = '';
    // Twice as much before each further look, so that a line of any length is looked at in linear time.
    for (let goal = least; ; goal = 2 * this.head.length) {
      while (this.head.length < goal) {
        const { value, done } = await chunks.next();
        if (done) break;
        this.head += value;
      }
      if (this.head.length < goal || this.head.length > LONGEST || isEnough(this.head)) break;
    }
    if (isRepeatable) await chunks.return(undefined);
    else this.rest = chunks;
  }

  /** The text from its beginning, in pieces. */
  async *chunks(): AsyncGenerator<string> {
    const rest = this.rest;
    this.rest = undefined;
    if (rest === undefined) return yield* this.file.chunks();
    yield this.head;
    yield* rest;
  }
}
