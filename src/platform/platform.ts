/**
 * What depends on where the program runs: here in Node. A page takes the twin of each file of this folder (`.browser.ts`),
 * which exports the same names; so nothing above imports `node:` where a page may come.
 */
import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, deflateRawSync, inflateRawSync } from 'node:zlib';

export { crc32 } from 'node:zlib';

export type { Hash };

export function sha256(): Hash {
  return createHash('sha256');
}

/** Decodes UTF-8, a byte-order mark included, from memory of any kind. */
export function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** A copy: V8's substrings share their parent's memory, and would keep a whole chunk of a file alive. */
export function detached(string: string): string {
  return Buffer.from(string, 'utf16le').toString('utf16le');
}

/** Lets the event loop handle what is waiting. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** Does something as the process ends. */
export function onExit(action: () => void): void {
  process.on('exit', action);
}

/** Compresses by Deflate, without a header. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 9 });
}

/**
 * One piece of memory for all that is decompressed. Where that is much, more than 32 MB, of which no more is touched: glibc
 * keeps freed pieces up to that size, and smaller ones from then on, and gives only larger ones back.
 */
function atMost(bytes: number) {
  const least = bytes > 1 << 20 ? 33 << 20 : LEAST_CHUNK;
  return { maxOutputLength: bytes, chunkSize: Math.max(least, bytes) };
}

/** Zlib takes no less. */
const LEAST_CHUNK = 64;

/** Throws where the bytes are damaged, or more than `most` when decompressed. */
export function inflate(bytes: Uint8Array, most: number): Uint8Array {
  return inflateRawSync(bytes, atMost(most));
}

export function unbrotli(bytes: Uint8Array, most: number): Uint8Array {
  return brotliDecompressSync(bytes, atMost(most));
}
