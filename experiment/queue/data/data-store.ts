/**
 * Where data are that machines give each other, by the SHA-256 of what they are. They are kept compressed, and checked
 * by who takes them (see `transfer.ts`).
 */
export interface DataStore {
  /** Whether it is there; then it stays for another while. */
  has(digest: string): Promise<boolean>;
  put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void>;
  /** In pieces, in their order; undefined where it is not there. */
  get(digest: string): Promise<AsyncIterable<Buffer> | undefined>;
  /** It is not needed for long any more. */
  release(digest: string): Promise<void>;
}
