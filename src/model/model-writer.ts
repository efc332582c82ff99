import { crc32 } from 'node:zlib';
import {
  align,
  FORMAT_VERSION,
  MAGIC,
  type ModelKind,
  PREAMBLE_BYTES,
  Preamble,
  prefixOf,
  type SectionArray,
  typeOfArray,
} from './layout.ts';
import type { ModelReader } from './model-reader.ts';

/** Collects the content of a model file: a JSON header, named arrays of numbers, and parts that are models themselves. */
export class ModelWriter {
  /** Written as JSON in the order of insertion; the same content gives the same bytes. */
  readonly header: Record<string, unknown>;
  private readonly sections = new Map<string, SectionArray>();
  private readonly parts = new Map<string, ModelWriter>();

  constructor(kind: ModelKind = 'model') {
    this.header = { kind };
  }

  /** Adds a section. The array is not copied: leave it unchanged until the file is written. */
  section(name: string, array: SectionArray): void {
    if (this.sections.has(name)) throw new TypeError(`two sections are called ${name}`);
    this.sections.set(name, array);
  }

  /** Adds a part: a model within the file, written like a file of its own, that `ModelReader.part` returns. */
  part(name: string): ModelWriter {
    if (name === '' || name.includes('/')) throw new TypeError(`a part cannot be called “${name}”`);
    if (this.parts.has(name)) throw new TypeError(`two parts are called ${name}`);
    const part = new ModelWriter();
    this.parts.set(name, part);
    return part;
  }

  copy(model: ModelReader): void {
    const { parts: _, ...header } = model.header;
    Object.assign(this.header, header);
    for (const [name, array] of model.sections()) this.section(name, array);
    for (const name of model.partNames) this.part(name).copy(model.part(name));
  }

  /** The file's bytes in order; arrays are not copied. */
  *chunks(): Generator<Uint8Array> {
    const all = this.allSections();
    const header = encodeHeader(this.wholeHeader(), all);
    const sections = [...all.values()].map(bytesOf);
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

  private wholeHeader(): Record<string, unknown> {
    if (this.parts.size === 0) return this.header;
    if ('parts' in this.header) throw new TypeError('the header’s field parts is taken by the parts');
    const parts = [...this.parts].map(([name, part]) => [name, part.wholeHeader()]);
    return { ...this.header, parts: Object.fromEntries(parts) };
  }

  private allSections(): Map<string, SectionArray> {
    const all = new Map(this.sections);
    for (const [part, writer] of this.parts) {
      for (const [section, array] of writer.allSections()) {
        const name = prefixOf([part]) + section;
        if (all.has(name)) throw new TypeError(`two sections are called ${name}`);
        all.set(name, array);
      }
    }
    return all;
  }
}

function encodeHeader(
  header: Record<string, unknown>,
  sections: ReadonlyMap<string, SectionArray>,
): Uint8Array {
  const entries = [...sections].map(([name, array]) => ({
    name,
    type: typeOfArray(array),
    length: array.length,
    checksum: crc32(bytesOf(array)),
  }));
  return new TextEncoder().encode(JSON.stringify({ header, sections: entries }));
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

export function modelBytes(writer: ModelWriter): SharedArrayBuffer {
  return sharedBytes([...writer.chunks()]);
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
