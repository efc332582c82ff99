/** Lists in a chunk: 2^12, about a megabyte. */
const LOG_CHUNK = 12;

/**
 * Lists of hashes, `width` each, numbered from 0: the features of all configurations that a classifier learns
 * from. They are kept in chunks, since an array that doubles as it grows would be there twice and more while
 * it is copied.
 */
export class StoredHashes {
  count = 0;
  private readonly chunks: Int32Array[] = [];

  constructor(readonly width: number) {}

  add(hashes: Int32Array): void {
    const { chunks, width } = this;
    const within = this.count % 2 ** LOG_CHUNK;
    if (within === 0) chunks.push(new Int32Array(width << LOG_CHUNK));
    chunks[this.count >> LOG_CHUNK].set(hashes, within * width);
    this.count++;
  }

  /** The array that list n is in, and where in it. */
  chunk(n: number): Int32Array {
    return this.chunks[n >> LOG_CHUNK];
  }

  start(n: number): number {
    return (n % 2 ** LOG_CHUNK) * this.width;
  }
}
