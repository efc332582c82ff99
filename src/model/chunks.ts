import { crc32 } from '../platform/platform.ts';
import { pack } from './compact.ts';
import {
  align,
  bytesOf,
  COMPACT_VERSION,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
  typeOfArray,
} from './layout.ts';

/** The bytes of a model file in order; arrays are not copied unless they are packed. */
export function* fileChunks(
  header: object,
  sections: ReadonlyMap<string, SectionArray>,
  isCompact: boolean,
): Generator<Uint8Array> {
  const stored = [...sections].map(([name, array]) => {
    const { bytes, step } = isCompact ? pack(name, array) : { bytes: bytesOf(array), step: undefined };
    const packed = isCompact ? bytes.length : undefined;
    const { length } = array;
    return { bytes, entry: { name, type: typeOfArray(array), length, checksum: crc32(bytes), packed, step } };
  });
  const entries = stored.map(({ entry }) => entry);
  const head = new TextEncoder().encode(JSON.stringify({ header, sections: entries }));
  let total = PREAMBLE_BYTES + head.length;
  for (const { bytes } of stored) total = align(total) + bytes.length;

  yield preamble(head, total, isCompact ? COMPACT_VERSION : FORMAT_VERSION);
  yield head;
  let offset = PREAMBLE_BYTES + head.length;
  for (const { bytes } of stored) {
    yield new Uint8Array(align(offset) - offset);
    yield bytes;
    offset = align(offset) + bytes.length;
  }
}

function preamble(header: Uint8Array, totalBytes: number, version: number): Uint8Array {
  const bytes = new Uint8Array(PREAMBLE_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(Preamble.version, version, true);
  view.setUint32(Preamble.headerBytes, header.length, true);
  view.setBigUint64(Preamble.totalBytes, BigInt(totalBytes), true);
  view.setUint32(Preamble.headerChecksum, crc32(header), true);
  view.setUint32(Preamble.ownChecksum, crc32(bytes.subarray(0, Preamble.ownChecksum)), true);
  return bytes;
}

export function sharedBytes(chunks: readonly Uint8Array[]): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(chunks.reduce((sum, { length }) => sum + length, 0));
  const bytes = new Uint8Array(buffer);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return buffer;
}
