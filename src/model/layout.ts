import { textOf } from '../platform/platform.ts';
import type { HeaderFields } from './header-fields.ts';

/**
 * The container that holds a model or a training checkpoint. All numbers are little-endian.
 *
 * ```
 *    0  preamble, 64 bytes: the offsets below, then zeros
 *   64  header, JSON in UTF-8: { header, sections: [{ name, type, length, checksum }] }
 *  …64  the sections' numbers in the order of the header, each starting at a multiple of 64; gaps are zeros
 * ```
 *
 * Checksums are CRC-32, which detects every alteration of up to four neighbouring bytes. A section's place
 * follows from the lengths of those before it: no offsets are stored that could contradict them.
 */
const ALIGNMENT = 64;
export const PREAMBLE_BYTES = 64;
/** The plain format. Version 2 renamed templates and transitions, and made Yamada–Matsumoto a paradigm. */
export const FORMAT_VERSION = 2;
/** Format 2 with packed sections (chunks.ts). */
export const COMPACT_VERSION = 4;
/** Format 2 with references to equal sections, which are stored once. */
export const SHARED_VERSION = 5;
/** Format 2 with sections packed by Brotli, which browsers cannot read: read, but no longer written. */
export const BROTLI_VERSION = 3;
/**
 * A signature like PNG's: a byte that begins no text file, a name, and line ends that text-mode
 * transfers change.
 */
export const MAGIC = Uint8Array.of(0x89, 0x50, 0x41, 0x52, 0x4c, 0x0d, 0x0a, 0x1a);

/** Byte offsets in the preamble; the magic number is at 0. */
export const Preamble = {
  version: 8,
  headerBytes: 12,
  totalBytes: 16,
  headerChecksum: 24,
  /** CRC-32 of the bytes before it. */
  ownChecksum: 28,
} as const;

const constructors = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;
export type SectionType = keyof typeof constructors;
export type SectionArrays = { readonly [T in SectionType]: (typeof constructors)[T]['prototype'] };
export type SectionArray = SectionArrays[SectionType];

const sectionTypes = Object.keys(constructors) as SectionType[];

export function typeOfArray(array: SectionArray): SectionType {
  const type = sectionTypes.find((name) => array instanceof constructors[name]);
  if (type === undefined) throw new TypeError('a section holds a typed array');
  return type;
}

export function bytesOf(array: SectionArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** A section’s bytes in the file. */
export function storedBytes({ type, length, packed, same }: SectionEntry): number {
  return packed ?? (same === undefined ? length * bytesPerElement(type) : 0);
}

export function bytesPerElement(type: SectionType): number {
  return constructors[type].BYTES_PER_ELEMENT;
}

/** A view of `length` numbers at `offset`; nothing is copied. */
export function viewSection<T extends SectionType>(
  type: T,
  buffer: SharedArrayBuffer,
  offset: number,
  length: number,
): SectionArrays[T] {
  const View = constructors[type] as unknown as new (...place: readonly unknown[]) => SectionArrays[T];
  return new View(buffer, offset, length);
}

export function newSection(type: SectionType, length: number): SectionArray {
  return new constructors[type](length);
}

export function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

/** The kinds of content: a trained model, or the state of a training. */
export const modelKinds = ['model', 'checkpoint'] as const;
export type ModelKind = (typeof modelKinds)[number];

export interface SectionEntry {
  readonly name: string;
  readonly type: SectionType;
  readonly length: number;
  /** CRC-32 of the bytes in the file. */
  readonly checksum: number;
  /** Bytes in the file, and the step of quantized weights, in a compact model. */
  readonly packed?: number | undefined;
  readonly step?: number | undefined;
  /** The earlier section with the same numbers: two parts may share vectors or a language model. */
  readonly same?: string | undefined;
}

export function sectionEntry(fields: HeaderFields): SectionEntry {
  return {
    name: fields.text('name'),
    type: fields.choice('type', sectionTypes),
    length: fields.integer('length', 0),
    checksum: fields.integer('checksum', 0),
    packed: fields.has('packed') ? fields.integer('packed', 0) : undefined,
    step: fields.has('step') ? fields.number('step', Number.MIN_VALUE, Number.MAX_VALUE) : undefined,
    same: fields.has('same') ? fields.text('same') : undefined,
  };
}

/** Encodes strings without line breaks as a section of a model. */
export function joinStrings(strings: readonly string[]): Uint8Array {
  return new TextEncoder().encode(strings.map((string) => `${string}\n`).join(''));
}

/** Decodes a section made by `joinStrings`. */
export function splitStrings(bytes: Uint8Array): string[] {
  return textOf(bytes).split('\n').slice(0, -1);
}

// Part `tagger` has its header in the field `parts.tagger` and its sections under `tagger/…`; parts may nest.

export function prefixOf(path: readonly string[]): string {
  return path.map((name) => `${name}/`).join('');
}

/** The path of a part's header, for messages; empty for the file's own. */
export function pathText(path: readonly string[]): string {
  const names = path.map((name) => `parts.${name}`);
  return names.join('.');
}
