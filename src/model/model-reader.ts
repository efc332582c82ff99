import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { HeaderFields } from './header-fields.ts';
import {
  align,
  bytesPerElement,
  FORMAT_VERSION,
  MAGIC,
  type ModelKind,
  modelKinds,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
  type SectionArrays,
  type SectionEntry,
  type SectionType,
  sectionEntry,
  viewSection,
} from './layout.ts';
import { NumberReader } from './number-reader.ts';

/** What a section is to hold; what is left out is as it may be. */
export interface ExpectedNumbers {
  /** How many numbers. */
  readonly length?: number | undefined;
  /** The range that each number is in. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

interface PlacedSection extends SectionEntry {
  readonly offset: number;
}

/** A model in memory: its header, and its arrays as views over one buffer that all threads share. */
export class ModelReader {
  /** The file's name, for messages. */
  readonly name: string;
  readonly buffer: SharedArrayBuffer;
  readonly kind: ModelKind;
  /** As parsed from JSON; `fields` and `part` give checked pieces of it. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly #sections = new Map<string, PlacedSection>();

  private constructor(buffer: SharedArrayBuffer, name: string) {
    this.name = name;
    this.buffer = buffer;
    const bytes = new Uint8Array(buffer);
    const headerBytes = checkPreamble(bytes, name);
    const { header, sections } = readHeader(
      bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + headerBytes),
      name,
    );
    this.header = header;
    this.kind = HeaderFields.of(header, name).choice('kind', modelKinds);
    let end = PREAMBLE_BYTES + headerBytes;
    for (const section of sections) {
      const offset = align(end);
      end = offset + section.length * bytesPerElement(section.type);
      if (this.#sections.has(section.name)) this.refuse(`two sections are called ${shortened(section.name)}`);
      this.#sections.set(section.name, { ...section, offset });
    }
    if (end !== bytes.length) this.refuse('damaged: its sections do not fill the file');
  }

  /**
   * Opens a model whose bytes have been verified already (by `readModelFile`, mostly in another thread):
   * preamble and header are checked, the numbers are not.
   */
  static fromBuffer(buffer: SharedArrayBuffer, name: string): ModelReader {
    return new ModelReader(buffer, name);
  }

  /** Checks every byte that opening does not: the sections' checksums, and that the gaps are zeros. */
  verify(): this {
    const bytes = new Uint8Array(this.buffer);
    let end = PREAMBLE_BYTES + headerLength(bytes);
    for (const { name, type, length, checksum, offset } of this.#sections.values()) {
      if (!isZero(bytes.subarray(end, offset)))
        this.refuse(`damaged: the gap before section ${shortened(name)} is not empty`);
      end = offset + length * bytesPerElement(type);
      if (crc32(bytes.subarray(offset, end)) !== checksum)
        this.refuse(`damaged: section ${shortened(name)} fails its checksum`);
    }
    return this;
  }

  has(name: string): boolean {
    return this.#sections.has(name);
  }

  /**
   * The numbers of a section: a view over the shared buffer, so treat it as read-only and copy what you mean
   * to change. Throws `InputError` where there is no such section, or it is not as expected: a file whose
   * checksums are right may come from anywhere, and nothing is to hang or fail later for what it holds.
   */
  section<T extends SectionType>(name: string, type: T, expected: ExpectedNumbers = {}): SectionArrays[T] {
    const section = this.#sections.get(name);
    if (section === undefined) return this.refuse(`no section ${shortened(name)}`);
    if (section.type !== type) {
      this.refuse(`section ${shortened(name)} holds ${section.type}, expected ${type}`);
    }
    if (expected.length !== undefined && section.length !== expected.length) {
      this.refuse(
        `section ${shortened(name)} holds ${count(section.length)} numbers, expected ${count(expected.length)}`,
      );
    }
    const numbers = viewSection(type, this.buffer, section.offset, section.length);
    if (expected.least !== undefined || expected.most !== undefined)
      this.#checkRange(name, numbers, expected);
    return numbers;
  }

  /** The whole numbers of a section, to be taken one after the other. */
  numbersOf(name: string): NumberReader {
    return new NumberReader(this.section(name, 'int32'), (problem) =>
      this.refuse(`section ${name}: ${problem}`),
    );
  }

  #checkRange(
    name: string,
    numbers: SectionArray,
    { least = -Infinity, most = Infinity }: ExpectedNumbers,
  ): void {
    for (let i = 0; i < numbers.length; i++) {
      // Written so that NaN is out of every range.
      if (!(numbers[i] >= least && numbers[i] <= most)) {
        this.refuse(
          `section ${shortened(name)}: expected numbers from ${least} to ${most}, not ${numbers[i]}`,
        );
      }
    }
  }

  /** The fields of the header, or of an object in it; throws `InputError` where there is no such object. */
  fields(name?: string): HeaderFields {
    const header = HeaderFields.of(this.header, this.name);
    return name === undefined ? header : header.fields(name);
  }

  /** The header's field `name`, checked by a schema; throws `InputError` where it is missing or of another shape. */
  part<T>(name: string, schema: z.ZodType<T>): T {
    const parsed = schema.safeParse(this.header[name]);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    const field = [name, ...(issue?.path ?? [])].join('.');
    return this.refuse(`header field ${field}: ${issue?.message ?? 'not as expected'}`);
  }

  /** Says that the model cannot be used. */
  refuse(problem: string): never {
    throw new InputError(problem, { file: this.name });
  }
}

/**
 * The length of the header in bytes; throws `InputError` unless the preamble is whole and of this version.
 */
function checkPreamble(bytes: Uint8Array, file: string): number {
  const refuse = (problem: string): never => {
    throw new InputError(problem, { file });
  };
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) refuse('not a Parliament model');
  if (bytes.length < PREAMBLE_BYTES) refuse(`truncated: ${count(bytes.length)} bytes, too few for any model`);
  const view = new DataView(bytes.buffer);
  const version = view.getUint32(Preamble.version, true);
  if (version !== FORMAT_VERSION) {
    const advice = version > FORMAT_VERSION ? 'update Parliament' : 'train the model anew';
    refuse(`format version ${version}, but this program reads version ${FORMAT_VERSION}: ${advice}`);
  }
  const ownChecksum = crc32(bytes.subarray(0, Preamble.ownChecksum));
  const rest = bytes.subarray(Preamble.ownChecksum + 4, PREAMBLE_BYTES);
  if (ownChecksum !== view.getUint32(Preamble.ownChecksum, true) || !isZero(rest)) {
    refuse('damaged: the first 64 bytes fail their checksum');
  }
  const total = Number(view.getBigUint64(Preamble.totalBytes, true));
  if (bytes.length < total) refuse(`truncated: ${count(bytes.length)} of ${count(total)} bytes`);
  if (bytes.length > total) refuse(`damaged: ${count(bytes.length - total)} bytes after its end`);
  return headerLength(bytes);
}

function headerLength(bytes: Uint8Array): number {
  return new DataView(bytes.buffer).getUint32(Preamble.headerBytes, true);
}

function readHeader(
  bytes: Uint8Array,
  file: string,
): { header: Record<string, unknown>; sections: SectionEntry[] } {
  const checksum = new DataView(bytes.buffer).getUint32(Preamble.headerChecksum, true);
  if (crc32(bytes) !== checksum) throw new InputError('damaged: the header fails its checksum', { file });
  const { header, sections } = (parseJson(Buffer.from(bytes).toString()) ?? {}) as Record<string, unknown>;
  if (typeof header !== 'object' || header === null || !Array.isArray(sections)) {
    throw new InputError('damaged: the header is not that of a model', { file });
  }
  const entries = HeaderFields.of({ sections }, file).objects('sections').map(sectionEntry);
  return { header: header as Record<string, unknown>, sections: entries };
}

/** The value, or undefined (which no JSON text means) where the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The longest name of a section in a message. */
const LONGEST_NAME = 80;

/** The name of a section for a message. */
function shortened(name: string): string {
  const start = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
  return start.replace(/\p{C}/gu, '\ufffd');
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
