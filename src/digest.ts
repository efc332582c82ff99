import { sha256 } from './platform/platform.ts';

type Numbers = Uint8Array | Int8Array | Uint16Array | Int32Array | Float32Array;

/** The SHA-256 of texts and of the bytes of numbers, one after another, in lower-case hexadecimal. */
export function digestOf(parts: Iterable<string | Numbers>): string {
  const hash = sha256();
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** The SHA-256 of plain data as JSON. */
export const jsonDigest = (data: unknown): string => digestOf([JSON.stringify(data)]);
