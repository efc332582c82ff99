import { kindOf, lowerOf, SPACE } from './characters.ts';

/** Padding units before the first and after the last. */
export const PAD = 4;
const OUTSIDE = 7;
const BLANK = 32;
const [SLASH, COLON, AT] = Array.from('/:@', (mark) => mark.charCodeAt(0));

/** What a chunk contains: the address of a page (`://`), or of mail (`@` between other characters). */
export const Address = { none: 0, page: 1, mail: 2 } as const;

/** A text as units, numbered from PAD on: code points, with each run of white space as one unit, a blank. */
export class Units {
  end = PAD;
  /** Code points: in lower case, as written. */
  lowers = new Int32Array(0);
  codes = new Int32Array(0);
  kinds = new Int32Array(0);
  /** Offset of each unit in the text as written; the last entry is its length. */
  offsets = new Int32Array(0);
  /** For each unit, its chunk (the units between two blanks): first unit, and end (exclusive). */
  chunkStarts = new Int32Array(0);
  chunkEnds = new Int32Array(0);
  /** For each unit, the `Address` of its chunk. */
  addresses = new Uint8Array(0);

  /** @param starts where the text was normalized: the offsets of its code units and its end in the text as written */
  read(text: string, starts?: Int32Array): this {
    this.reserve(text.length + 1 + 2 * PAD);
    const { codes, lowers, kinds, offsets } = this;
    let end = PAD;
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at)!;
      const kind = kindOf(code);
      if (kind !== SPACE || end === PAD || kinds[end - 1] !== SPACE) {
        codes[end] = kind === SPACE ? BLANK : code;
        lowers[end] = kind === SPACE ? BLANK : lowerOf(code);
        kinds[end] = kind;
        offsets[end++] = at;
      }
      at += code > 0xffff ? 2 : 1;
    }
    offsets[end] = text.length;
    if (starts !== undefined) for (let i = PAD; i <= end; i++) offsets[i] = starts[offsets[i]];
    this.end = end;
    codes.fill(0, end, end + PAD);
    lowers.fill(0, end, end + PAD);
    kinds.fill(OUTSIDE, end, end + PAD);
    this.findChunks();
    return this;
  }

  isBlank(i: number): boolean {
    return this.kinds[i] === SPACE;
  }

  private findChunks(): void {
    const { kinds, chunkStarts, chunkEnds, end } = this;
    for (let i = PAD, start = PAD; i < end; i++) {
      if (kinds[i] === SPACE) start = i + 1;
      chunkStarts[i] = start;
    }
    for (let i = end - 1, stop = end; i >= PAD; i--) {
      if (kinds[i] === SPACE) stop = i;
      chunkEnds[i] = stop;
    }
    this.findAddresses();
  }

  private findAddresses(): void {
    const { codes, addresses, chunkStarts, chunkEnds, end } = this;
    addresses.fill(Address.none, 0, end + PAD);
    for (let i = PAD; i < end; i++) {
      const isPage = codes[i] === COLON && codes[i + 1] === SLASH && codes[i + 2] === SLASH;
      const isMail = codes[i] === AT && i > chunkStarts[i] && i + 1 < chunkEnds[i];
      if (!isPage && !isMail) continue;
      addresses.fill(isPage ? Address.page : Address.mail, chunkStarts[i], chunkEnds[i]);
      i = chunkEnds[i];
    }
  }

  private reserve(length: number): void {
    if (this.codes.length >= length) return;
    for (const key of ['codes', 'lowers', 'kinds', 'offsets', 'chunkStarts', 'chunkEnds'] as const)
      this[key] = new Int32Array(length);
    this.kinds.fill(OUTSIDE, 0, PAD);
    this.addresses = new Uint8Array(length);
  }
}
