import { digestOf } from '../digest.ts';
import { crc32, deflate, inflate, unbrotli } from '../platform/platform.ts';
import {
  align,
  bytesOf,
  bytesPerElement,
  COMPACT_VERSION,
  FORMAT_VERSION,
  MAGIC,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
  type SectionEntry,
  SHARED_VERSION,
  storedBytes,
  typeOfArray,
  viewSection,
} from './layout.ts';

/** The bytes of a model file in order; arrays are not copied unless they are packed. */
export function* fileChunks(
  header: object,
  sections: ReadonlyMap<string, SectionArray>,
  isCompact: boolean,
): Generator<Uint8Array> {
  const stored = isCompact ? packedSections(sections) : plainSections(sections);
  const entries = stored.map(({ entry }) => entry);
  const plain = entries.some(({ same }) => same !== undefined) ? SHARED_VERSION : FORMAT_VERSION;
  const head = new TextEncoder().encode(JSON.stringify({ header, sections: entries }));
  let total = PREAMBLE_BYTES + head.length;
  for (const { bytes } of stored) total = align(total) + bytes.length;

  yield preamble(head, total, isCompact ? COMPACT_VERSION : plain);
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

/** Minimum size in bytes for equal sections to be stored once; smaller ones are repeated, so that most files keep format 2. */
export const LEAST_SHARED = 1 << 16;

/** Stores large sections with the same numbers once. */
function plainSections(sections: ReadonlyMap<string, SectionArray>): Stored[] {
  const before = new Map<string, { readonly name: string; readonly bytes: Uint8Array }>();
  return [...sections].map(([name, array]) => {
    const bytes = bytesOf(array);
    const entry = { name, type: typeOfArray(array), length: array.length, checksum: crc32(bytes) };
    if (bytes.length < LEAST_SHARED) return { bytes, entry };
    const key = `${entry.type} ${entry.length} ${entry.checksum}`;
    const same = before.get(key);
    if (same?.bytes.every((byte, i) => byte === bytes[i])) {
      const nothing = new Uint8Array(0);
      return { bytes: nothing, entry: { ...entry, checksum: crc32(nothing), same: same.name } };
    }
    before.set(key, { name, bytes });
    return { bytes, entry };
  });
}

/** Packs sections; stores those with the same numbers once. */
function packedSections(sections: ReadonlyMap<string, SectionArray>): Stored[] {
  const before = new Map<string, string>();
  return [...sections].map(([name, array]) => {
    const { length } = array;
    const type = typeOfArray(array);
    const content = `${type} ${length} ${digestOf([bytesOf(array)])}`;
    const same = length > 0 ? before.get(content) : undefined;
    if (same === undefined) before.set(content, name);
    const { bytes, step } =
      same === undefined ? pack(name, array) : { bytes: new Uint8Array(0), step: undefined };
    return { bytes, entry: { name, type, length, checksum: crc32(bytes), packed: bytes.length, step, same } };
  });
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

/**
 * Builds a model file in shared memory: `fill` writes each section in its place, so that no number is in memory twice. The
 * header is written last, when the checksums are known, and padded with spaces. Packed sections need the format `packing`.
 */
export function fileInPlace(
  header: object,
  entries: readonly SectionEntry[],
  packing: number,
  fill: (array: SectionArray, entry: SectionEntry) => void,
): SharedArrayBuffer {
  const checksums = new Map<SectionEntry, number>();
  const head = () => {
    const sections = entries.map((entry) => ({ ...entry, checksum: checksums.get(entry) ?? 0xffff_ffff }));
    return new TextEncoder().encode(JSON.stringify({ header, sections }));
  };
  const space = head().fill(0x20);
  let total = PREAMBLE_BYTES + space.length;
  for (const entry of entries) total = align(total) + storedBytes(entry);

  const buffer = new SharedArrayBuffer(total);
  let end = PREAMBLE_BYTES + space.length;
  for (const entry of entries) {
    const type = entry.packed === undefined ? entry.type : 'uint8';
    const array = viewSection(type, buffer, align(end), storedBytes(entry) / bytesPerElement(type));
    fill(array, entry);
    checksums.set(entry, crc32(bytesOf(array)));
    end = align(end) + array.byteLength;
  }
  space.set(head());
  const plain = entries.some(({ same }) => same !== undefined) ? SHARED_VERSION : FORMAT_VERSION;
  const version = entries.some(({ packed }) => packed !== undefined) ? packing : plain;
  new Uint8Array(buffer).set(preamble(space, total, version));
  new Uint8Array(buffer).set(space, PREAMBLE_BYTES);
  return buffer;
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

/**
 * Quantization steps, relative to the standard deviation of the nonzero weights. Chosen by cross-validation on training parts
 * (Tamil, Czech CLTT): 1/8 changes 0.1 to 0.3 % of the arcs of a graph parser, 1/4 0.3 to 0.8 %; LAS within 0.05. Networks at
 * 1/4 lose 0.1 (Hungarian) and 0.16 LAS (EWT, dev).
 */
const STEP = { linear: 1 / 6, network: 1 / 10, vectors: 1 / 4 } as const;
/** The largest multiple: two bytes hold it with its sign. */
const MOST = 32_767;

/**
 * Packs a section for a compact model: quantizes weights to multiples of `step`, and compresses the bytes by Deflate. The
 * multiples are zigzag-coded (0, −1, 1, −2, … → 0, 1, 2, 3, …); all low bytes precede all high bytes.
 */
function pack(name: string, array: SectionArray): { bytes: Uint8Array; step?: number } {
  const step = isWeights(name, array) ? stepOf(array) : undefined;
  const bytes = step === undefined ? bytesOf(array) : multiples(array as Weights, step);
  const packed = deflate(bytes);
  return step === undefined ? { bytes: packed } : { bytes: packed, step };
}

/** Writes the numbers of a packed section to `target`; throws if the bytes are damaged, too many or too few. */
export function unpack(bytes: Uint8Array, entry: SectionEntry, target: SectionArray, isBrotli = false): void {
  const size = entry.step === undefined ? entry.length * bytesPerElement(entry.type) : 2 * entry.length;
  // Node refuses a maximum of 0.
  const plain = (isBrotli ? unbrotli : inflate)(bytes, size + 1);
  if (plain.length !== size) throw new RangeError(`${plain.length} bytes, expected ${size}`);
  if (entry.step === undefined) bytesOf(target).set(plain);
  else readMultiples(plain, entry.step, target);
}

type Weights = Int8Array | Int16Array | Float32Array;

/** Whether a section holds weights, which may be quantized: 16-bit sections, weights of networks, and rows of word vectors. */
function isWeights(name: string, array: SectionArray): array is Weights {
  if (array instanceof Int8Array) return /vectors\.(ngrams\.)?rows$/.test(name);
  return array instanceof Int16Array || (array instanceof Float32Array && isOfNetwork(name));
}

export const isOfNetwork = (name: string): boolean => /(^|[./])weights$/.test(name);

/** The quantization step of weights; undefined if the largest would exceed `MOST` steps. */
function stepOf(weights: Weights): number | undefined {
  const isWhole = !(weights instanceof Float32Array);
  let [squares, count, largest, divisor] = [0, 0, 0, 0];
  for (const weight of weights) {
    if (weight === 0) continue;
    squares += weight * weight;
    count += 1;
    largest = Math.max(largest, Math.abs(weight));
    if (isWhole && divisor !== 1) divisor = commonDivisor(divisor, Math.abs(weight));
  }
  if (count === 0) return 1;
  // Weights that are quantized already keep their step: another one would add a second loss.
  if (divisor > 1) return divisor;
  const deviation = Math.sqrt(squares / count);
  const share = shareOf(weights);
  const step = isWhole ? Math.max(1, Math.round(share * deviation)) : share * deviation;
  return largest / step < MOST ? step : undefined;
}

function shareOf(weights: Weights): number {
  if (weights instanceof Int8Array) return STEP.vectors;
  return weights instanceof Int16Array ? STEP.linear : STEP.network;
}

function commonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

function multiples(weights: Weights, step: number): Uint8Array {
  const { length } = weights;
  const bytes = new Uint8Array(2 * length);
  for (let i = 0; i < length; i++) {
    const multiple = Math.round(weights[i] / step);
    const code = multiple < 0 ? -2 * multiple - 1 : 2 * multiple;
    bytes[i] = code & 0xff;
    bytes[length + i] = code >> 8;
  }
  return bytes;
}

function readMultiples(bytes: Uint8Array, step: number, target: SectionArray): void {
  const { length } = target;
  const most = target instanceof Int8Array ? 127 : target instanceof Int16Array ? MOST : Number.MAX_VALUE;
  for (let i = 0; i < length; i++) {
    const code = bytes[i] | (bytes[length + i] << 8);
    const weight = (code & 1 ? -(code + 1) / 2 : code / 2) * step;
    target[i] = Math.max(-most, Math.min(most, weight));
  }
}
