/**
 * Functions that depend on the platform, for Node. In bundles for pages, a twin (`.browser.ts`) with the same exports replaces
 * each file of this folder, so that code above it need not import `node:`.
 */
import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, deflateRawSync, inflateRawSync } from 'node:zlib';

export { crc32 } from 'node:zlib';

export type { Hash };

export function sha256(): Hash {
  return createHash('sha256');
}

/** Decodes UTF-8, keeping a byte-order mark, also from shared memory. */
export function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** A copy of a string: V8's substrings share their parent's memory, and would keep a whole chunk of a file alive. */
export function detached(string: string): string {
  return Buffer.from(string, 'utf16le').toString('utf16le');
}

/** Lets the event loop handle pending events. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** Registers an action for the end of the process. */
export function onExit(action: () => void): void {
  process.on('exit', action);
}

/** Compresses by Deflate, without a header. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: 9 });
}

/**
 * Limits for decompression into a single buffer. A buffer for more than 1 MB is made larger than 32 MB, since
 * glibc returns only such blocks to the system when they are freed; pages beyond the needed part use no
 * physical memory.
 */
function atMost(bytes: number) {
  const least = bytes > 1 << 20 ? 33 << 20 : LEAST_CHUNK;
  return { maxOutputLength: bytes, chunkSize: Math.max(least, bytes) };
}

/** Zlib's minimum. */
const LEAST_CHUNK = 64;

/** Decompresses; throws if the bytes are damaged, or more than `most` when decompressed. */
export function inflate(bytes: Uint8Array, most: number): Uint8Array {
  return inflateRawSync(bytes, atMost(most));
}

export function unbrotli(bytes: Uint8Array, most: number): Uint8Array {
  return brotliDecompressSync(bytes, atMost(most));
}
