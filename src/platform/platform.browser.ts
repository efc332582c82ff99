/** The functions of platform.ts in a page. */
import { sha256 as start } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { inflateSync } from 'fflate';
import { UsageError } from '../errors.ts';

/** An incremental digest. */
export interface Hash {
  update(data: string | ArrayBufferView): this;
  digest(encoding: 'hex'): string;
}

export function sha256(): Hash {
  const hash = start.create();
  return {
    update(data) {
      hash.update(typeof data === 'string' ? utf8ToBytes(data) : bytesOf(data));
      return this;
    },
    digest: () => bytesToHex(hash.digest()),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** CRC-32 tables: entry 256 k + byte is the checksum of the byte followed by k zero bytes. */
const remainders = new Int32Array(4 * 256);
for (let byte = 0; byte < 256; byte++) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  remainders[byte] = rest;
}
for (let i = 256; i < 4 * 256; i++) {
  const before = remainders[i - 256];
  remainders[i] = (before >>> 8) ^ remainders[before & 0xff];
}

/** CRC-32, four bytes at a time (slicing: Kounavis & Berry 2005). */
export function crc32(data: string | Uint8Array): number {
  const bytes = typeof data === 'string' ? utf8ToBytes(data) : data;
  const { length } = bytes;
  let rest = -1;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    rest ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    rest =
      remainders[768 + (rest & 0xff)] ^
      remainders[512 + ((rest >>> 8) & 0xff)] ^
      remainders[256 + ((rest >>> 16) & 0xff)] ^
      remainders[rest >>> 24];
  }
  for (; i < length; i++) rest = (rest >>> 8) ^ remainders[(rest ^ bytes[i]) & 0xff];
  return ~rest >>> 0;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** A copy, as in platform.ts. */
export function detached(string: string): string {
  return string.split('').join('');
}

/** Lets the page handle pending events; by a message, because timers may not run more often than every 4 ms. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Pages leave nothing behind that would have to be removed. */
export function onExit(): void {}

export function inflate(bytes: Uint8Array, most: number): Uint8Array {
  return inflateSync(bytes as Uint8Array<ArrayBuffer>, { out: new Uint8Array(most) });
}

export function deflate(): never {
  throw new UsageError('a page writes no compact models');
}

export function unbrotli(): never {
  throw new UsageError('a compact model of an earlier version, which pages cannot open: write it again');
}
