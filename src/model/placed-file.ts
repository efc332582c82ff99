import { InputError, UsageError } from '../errors.ts';
import { attempt } from '../files/files.ts';
import { crc32, textOf } from '../platform/platform.ts';
import { fileInPlace, isOfNetwork, LEAST_SHARED, unpack } from './chunks.ts';
import { HeaderFields } from './header-fields.ts';
import {
  align,
  BROTLI_VERSION,
  bytesPerElement,
  FORMAT_VERSION,
  MAGIC,
  newSection,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
  type SectionEntry,
  SHARED_VERSION,
  sectionEntry,
  storedBytes,
  viewSection,
} from './layout.ts';

/**
 * A section with the offset of its numbers and the start of its own bytes. A section that repeats another has
 * no bytes of its own, and the same offset as the other.
 */
export type PlacedSection = SectionEntry & { readonly offset: number; readonly start: number };

/** The bytes of a model file, its header, and the offsets of its sections. */
export class PlacedFile {
  readonly header: Readonly<Record<string, unknown>>;
  readonly sections: ReadonlyMap<string, PlacedSection>;
  private readonly version: number;

  /** Throws `InputError` unless preamble and header are intact and the sections fill the file. */
  constructor(
    readonly buffer: SharedArrayBuffer,
    readonly name: string,
  ) {
    const bytes = new Uint8Array(buffer);
    this.checkPreamble(bytes);
    const start = PREAMBLE_BYTES + headerLength(bytes);
    const { header, sections } = this.readHeader(bytes.subarray(PREAMBLE_BYTES, start));
    this.version = new DataView(buffer).getUint32(Preamble.version, true);
    const isPlain = this.version === FORMAT_VERSION || this.version === SHARED_VERSION;
    if (isPlain && sections.some(({ packed }) => packed !== undefined))
      this.refuse('damaged: its sections do not fit its format');
    this.header = header;
    this.sections = this.places(sections, start);
  }

  /** Throws `InputError` unless the preamble is intact, of a known version, and states the file's size. */
  private checkPreamble(bytes: Uint8Array): void {
    if (!MAGIC.every((byte, i) => bytes[i] === byte)) this.refuse('not a Parliament model');
    if (bytes.length < PREAMBLE_BYTES)
      this.refuse(`truncated: ${count(bytes.length)} bytes, too few for any model`);
    const view = new DataView(bytes.buffer);
    const version = view.getUint32(Preamble.version, true);
    if (version < FORMAT_VERSION || version > SHARED_VERSION) {
      const advice = version > FORMAT_VERSION ? 'update Parliament' : 'train the model anew';
      this.refuse(
        `format version ${version}, but this program reads versions ${FORMAT_VERSION} to ${SHARED_VERSION}: ${advice}`,
      );
    }
    const ownChecksum = crc32(bytes.subarray(0, Preamble.ownChecksum));
    const rest = bytes.subarray(Preamble.ownChecksum + 4, PREAMBLE_BYTES);
    if (ownChecksum !== view.getUint32(Preamble.ownChecksum, true) || !isZero(rest))
      this.refuse('damaged: the first 64 bytes fail their checksum');
    const total = Number(view.getBigUint64(Preamble.totalBytes, true));
    if (bytes.length < total) this.refuse(`truncated: ${count(bytes.length)} of ${count(total)} bytes`);
    if (bytes.length > total) this.refuse(`damaged: ${count(bytes.length - total)} bytes after its end`);
  }

  private readHeader(bytes: Uint8Array) {
    const checksum = new DataView(bytes.buffer).getUint32(Preamble.headerChecksum, true);
    if (crc32(bytes) !== checksum) this.refuse('damaged: the header fails its checksum');
    const { header, sections } = (attempt(() => JSON.parse(textOf(bytes))) ?? {}) as Record<string, unknown>;
    if (typeof header !== 'object' || header === null || !Array.isArray(sections))
      return this.refuse('damaged: the header is not that of a model');
    const entries = HeaderFields.of({ sections }, this.name).objects('sections').map(sectionEntry);
    return { header: header as Record<string, unknown>, sections: entries };
  }

  private places(sections: readonly SectionEntry[], start: number): Map<string, PlacedSection> {
    const placed = new Map<string, PlacedSection>();
    let end = start;
    for (const section of sections) {
      const start = align(end);
      end = start + storedBytes(section);
      if (placed.has(section.name)) this.refuse(`two sections are called ${shortened(section.name)}`);
      const same = this.sameAs(section, placed);
      const offset = section.packed === undefined && same !== undefined ? same.offset : start;
      placed.set(section.name, { ...section, start, offset });
    }
    if (end !== this.buffer.byteLength) this.refuse('damaged: its sections do not fill the file');
    return placed;
  }

  /** Throws `InputError` unless the sections have the right checksums and the gaps are zeros. */
  verify(): void {
    const bytes = new Uint8Array(this.buffer);
    let end = PREAMBLE_BYTES + headerLength(bytes);
    for (const section of this.sections.values()) {
      const { name, checksum, start } = section;
      if (!isZero(bytes.subarray(end, start)))
        this.refuse(`damaged: the gap before section ${shortened(name)} is not empty`);
      end = start + storedBytes(section);
      if (crc32(bytes.subarray(start, end)) !== checksum)
        this.refuse(`damaged: section ${shortened(name)} fails its checksum`);
    }
  }

  /**
   * The same model with its packed sections unpacked and verified; itself if it has none. Weights of networks stay packed,
   * because they are read once, into the memory of the kernels. Throws `InputError` if it is damaged.
   */
  unpacked(): PlacedFile {
    const all = [...this.sections.values()];
    if (all.every((section) => section.packed === undefined || this.isReadOnce(section))) return this;
    const size = all.reduce((sum, { type, length }) => sum + length * bytesPerElement(type), 0);
    if (size > MOST_EXPANDED * this.buffer.byteLength + LEAST_EXPANDED)
      this.refuse(`damaged: ${count(size)} bytes in a file of ${count(this.buffer.byteLength)}`);
    this.verify();
    const entries = all.map((section) => {
      if (this.isReadOnce(section)) return section;
      const { name, type, length, same } = section;
      const isStored = length * bytesPerElement(type) < LEAST_SHARED;
      return { name, type, length, checksum: 0, same: isStored ? undefined : same };
    });
    const fill = (array: SectionArray, { name, same, packed }: SectionEntry) => {
      if (packed !== undefined) array.set(this.bytesOf(this.sections.get(name)!));
      else if (same === undefined) this.unpack(name, array);
    };
    return new PlacedFile(fileInPlace(this.header, entries, this.version, fill), this.name);
  }

  private isReadOnce({ name, type, packed, step, same }: SectionEntry): boolean {
    if (packed === undefined || type !== 'float32' || !isOfNetwork(name)) return false;
    return step !== undefined || (same !== undefined && this.sections.get(same)?.step !== undefined);
  }

  /** The numbers of a section: a view of the file, or a copy if they are packed. */
  numbers(section: PlacedSection): SectionArray {
    const { type, length, packed, offset, name } = section;
    if (packed === undefined) return viewSection(type, this.buffer, offset, length);
    const numbers = newSection(type, length);
    this.unpack(name, numbers);
    return numbers;
  }

  private bytesOf({ offset, packed }: PlacedSection): Uint8Array {
    return new Uint8Array(this.buffer, offset, packed);
  }

  /** The earlier section that this one repeats, if it does. */
  private sameAs(section: SectionEntry, before: ReadonlyMap<string, PlacedSection>) {
    const { name, type, length, same } = section;
    if (same === undefined) return undefined;
    const other = before.get(same);
    if (other?.type === type && other.length === length && storedBytes(section) === 0) return other;
    return this.refuse(`damaged: section ${shortened(name)} does not repeat ${shortened(same)}`);
  }

  private unpack(name: string, target: SectionArray): void {
    const section = this.sections.get(name)!;
    const { type, length, offset, packed, same } = section;
    try {
      if (same !== undefined) this.unpack(same, target);
      else if (packed === undefined) target.set(viewSection(type, this.buffer, offset, length));
      else unpack(this.bytesOf(section), section, target, this.version === BROTLI_VERSION);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      this.refuse(`damaged: section ${shortened(name)} cannot be unpacked`);
    }
  }

  private refuse(problem: string): never {
    throw new InputError(problem, { file: this.name });
  }
}

const headerLength = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(Preamble.headerBytes, true);

/** Bounds on the unpacked size, as a factor and in bytes: a small file might expand to exhaust the memory. */
const MOST_EXPANDED = 1000;
const LEAST_EXPANDED = 1 << 28;
const LONGEST_NAME = 80;

export function shortened(name: string): string {
  const start = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return start.replace(/\p{C}/gu, '\ufffd');
}

const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

export function count(n: number): string {
  return n.toLocaleString('en-US');
}
