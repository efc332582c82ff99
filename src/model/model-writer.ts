import { crc32 } from 'node:zlib';
import {
  align,
  FORMAT_VERSION,
  MAGIC,
  type ModelKind,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
  typeOfArray,
} from './layout.ts';

/** Collects what goes into a model file: a JSON header and named arrays of numbers. */
export class ModelWriter {
  /** Written as JSON in the order of insertion; the same content gives the same bytes. */
  readonly header: Record<string, unknown>;
  readonly #sections = new Map<string, SectionArray>();

  constructor(kind: ModelKind = 'model') {
    this.header = { kind };
  }

  /**
   * Adds an array under a name of its own. It is not copied: leave it unchanged until the file is written.
   */
  section(name: string, array: SectionArray): void {
    if (this.#sections.has(name)) throw new TypeError(`two sections are called ${name}`);
    this.#sections.set(name, array);
  }

  /** The file's bytes in order, the arrays among them as views. */
  *chunks(): Generator<Uint8Array> {
    const header = this.#encodeHeader();
    const sections = [...this.#sections.values()].map(bytesOf);
    let total = PREAMBLE_BYTES + header.length;
    for (const bytes of sections) total = align(total) + bytes.length;

    yield preamble(header, total);
    yield header;
    let offset = PREAMBLE_BYTES + header.length;
    for (const bytes of sections) {
      yield new Uint8Array(align(offset) - offset);
      yield bytes;
      offset = align(offset) + bytes.length;
    }
  }

  #encodeHeader(): Uint8Array {
    const sections = [...this.#sections].map(([name, array]) => ({
      name,
      type: typeOfArray(array),
      length: array.length,
      checksum: crc32(bytesOf(array)),
    }));
    return new TextEncoder().encode(JSON.stringify({ header: this.header, sections }));
  }
}

function bytesOf(array: SectionArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function preamble(header: Uint8Array, totalBytes: number): Uint8Array {
  const bytes = new Uint8Array(PREAMBLE_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(Preamble.version, FORMAT_VERSION, true);
  view.setUint32(Preamble.headerBytes, header.length, true);
  view.setBigUint64(Preamble.totalBytes, BigInt(totalBytes), true);
  view.setUint32(Preamble.headerChecksum, crc32(header), true);
  view.setUint32(Preamble.ownChecksum, crc32(bytes.subarray(0, Preamble.ownChecksum)), true);
  return bytes;
}
