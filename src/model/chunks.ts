import { crc32, sha256 } from '../platform/platform.ts';
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
  type SectionEntry,
  typeOfArray,
} from './layout.ts';

/** The bytes of a model file in order; arrays are not copied unless they are packed. */
export function* fileChunks(
  header: object,
  sections: ReadonlyMap<string, SectionArray>,
  isCompact: boolean,
): Generator<Uint8Array> {
  const stored = isCompact ? packedSections(sections) : plainSections(sections);
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

interface Stored {
  readonly bytes: Uint8Array;
  readonly entry: SectionEntry;
}

function plainSections(sections: ReadonlyMap<string, SectionArray>): Stored[] {
  return [...sections].map(([name, array]) => {
    const bytes = bytesOf(array);
    return {
      bytes,
      entry: { name, type: typeOfArray(array), length: array.length, checksum: crc32(bytes) },
    };
  });
}

/** Sections with the same numbers are stored once. */
function packedSections(sections: ReadonlyMap<string, SectionArray>): Stored[] {
  const before = new Map<string, string>();
  return [...sections].map(([name, array]) => {
    const { length } = array;
    const type = typeOfArray(array);
    const content = `${type} ${length} ${digestOf(bytesOf(array))}`;
    const same = length > 0 ? before.get(content) : undefined;
    if (same === undefined) before.set(content, name);
    const { bytes, step } =
      same === undefined ? pack(name, array) : { bytes: new Uint8Array(0), step: undefined };
    return { bytes, entry: { name, type, length, checksum: crc32(bytes), packed: bytes.length, step, same } };
  });
}

function digestOf(bytes: Uint8Array): string {
  return sha256().update(bytes).digest('hex');
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
