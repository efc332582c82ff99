/** The longest character n-grams, and the most hash buckets for them. */
export const MOST_NGRAM = 29;
export const MOST_BUCKETS = 100_000_000;

/** Least and largest length of character n-grams, and how many numbers their hashes are brought down to. */
export interface SubwordSettings {
  readonly least: number;
  readonly most: number;
  readonly buckets: number;
}

/** The character n-grams of words (Bojanowski et al. 2017), hashed as fastText does. */
export class Subwords {
  private bytes = new Uint8Array(256);
  private readonly encoder = new TextEncoder();

  constructor(readonly settings: SubwordSettings) {}

  /** The numbers of the n-grams of `<word>`: of characters, not bytes; `<` and `>` alone are none. */
  bucketsOf(word: string): number[] {
    const { least, most, buckets } = this.settings;
    const end = this.encode(word);
    const found: number[] = [];
    for (let from = 0; from < end; from++) {
      if (isContinuation(this.bytes[from])) continue;
      let hash = 0x811c9dc5;
      for (let [to, length] = [from, 1]; to < end && length <= most; length++) {
        do hash = addByte(hash, this.bytes[to++]);
        while (to < end && isContinuation(this.bytes[to]));
        if (length < least || (length === 1 && (from === 0 || to === end))) continue;
        found.push((hash >>> 0) % buckets);
      }
    }
    return found;
  }

  /** Encodes `<word>`; returns the number of bytes. */
  private encode(word: string): number {
    const text = `<${word}>`;
    if (this.bytes.length < 3 * text.length) this.bytes = new Uint8Array(6 * text.length);
    return this.encoder.encodeInto(text, this.bytes).written;
  }
}

/** A step of FNV-1a; fastText takes bytes for signed numbers. */
function addByte(hash: number, byte: number): number {
  return Math.imul(hash ^ ((byte << 24) >> 24), 0x01000193);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
