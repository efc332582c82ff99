import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { Random } from '../../src/learn/random.ts';
import {
  align,
  COMPACT_VERSION,
  FORMAT_VERSION,
  PREAMBLE_BYTES,
  Preamble,
  type SectionArray,
} from '../../src/model/layout.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';

const sections: Readonly<Record<string, SectionArray>> = {
  arcs: linear(1 << 14),
  'tagger.network.weights': Float32Array.from({ length: 5000 }, (_, i) => Math.sin(i)),
  probabilities: Float32Array.from({ length: 5000 }, (_, i) => 1 / (i + 1)),
  hashes: Int32Array.from({ length: 500 }, (_, i) => Math.imul(i, 0x9e3779b1)),
  vectors: Int8Array.from({ length: 500 }, (_, i) => i),
  zeros: new Int16Array(64),
  empty: new Uint8Array(0),
};

const brotli =
  'iVBBUkwNChoDAAAA3AAAAJABAAAAAAAAr04HLZWXtLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHsiaGVhZGVyIjp7ImtpbmQiOiJtb2RlbCIsInBhcmFkaWdtIjoiZ3JhcGgifSwic2VjdGlvbnMiOlt7Im5hbWUiOiJhcmNzIiwidHlwZSI6ImludDE2IiwibGVuZ3RoIjo4LCJjaGVja3N1bSI6NTI5ODI1Njc0LCJwYWNrZWQiOjE4LCJzdGVwIjo4fSx7Im5hbWUiOiJoYXNoZXMiLCJ0eXBlIjoiaW50MzIiLCJsZW5ndGgiOjMsImNoZWNrc3VtIjo5NTEzOTg0MTQsInBhY2tlZCI6MTZ9XX0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfDwAAhDHGpKCzd+FLfFTO7AEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHwsAAKQADhIAR0SJtAPAAQ==';

/** Weights as training leaves them: most are 0, few are large. */
function linear(length: number): Int16Array {
  const random = new Random(7);
  return Int16Array.from({ length }, () =>
    random.uniform() < 0.8 ? 0 : Math.round(8000 * random.uniform() ** 3 * (random.uniform() - 0.5)),
  );
}

function writer(arrays: Readonly<Record<string, SectionArray>> = sections): ModelWriter {
  const model = new ModelWriter();
  model.header.paradigm = 'graph';
  const part = model.part('parser');
  for (const [name, array] of Object.entries(arrays)) part.section(name, array);
  return model;
}

function written(model: ModelWriter, compact: boolean): SharedArrayBuffer {
  const bytes = Buffer.concat([...model.chunks({ compact })]);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

const open = (buffer: SharedArrayBuffer) => ModelReader.fromBuffer(buffer, 'some.model').verify();
const arraysOf = (buffer: SharedArrayBuffer) => Object.fromEntries(open(buffer).part('parser').sections());

test('a compact model is less than half as large; its weights are quantized, and the rest is unchanged', () => {
  const [plain, compact] = [written(writer(), false), written(writer(), true)];
  expect(compact.byteLength).toBeLessThan(plain.byteLength / 2);
  const { arcs, 'tagger.network.weights': network, ...others } = arraysOf(compact);
  const { arcs: trueArcs, 'tagger.network.weights': trueNetwork, ...trueOthers } = sections;
  expect(others).toEqual(trueOthers);
  for (const [found, expected, error] of [
    [arcs, trueArcs, 1 / 12],
    [network, trueNetwork, 1 / 20],
  ] as const) {
    const used = Array.from(expected).filter((weight) => weight !== 0);
    const deviation = Math.sqrt(used.reduce((sum, weight) => sum + weight * weight, 0) / used.length);
    const errors = Array.from(expected, (weight, i) => Math.abs(weight - found[i]));
    expect(found.constructor).toBe(expected.constructor);
    expect(Math.max(...errors)).toBeGreaterThan(0);
    expect(Math.max(...errors)).toBeLessThanOrEqual(error * deviation + 0.5);
  }
});

test('a compact model has the same bytes each time, and rounding linear weights again changes nothing', () => {
  expect(written(writer(), true)).toEqual(written(writer(), true));
  const { arcs } = arraysOf(written(writer(), true));
  expect(arraysOf(written(writer({ arcs }), true)).arcs).toEqual(arcs);
});

test('a section that two parts share is stored once; rows of word vectors are quantized', () => {
  const rows = Int8Array.from({ length: 4000 }, (_, i) => Math.round(100 * Math.sin(i * i)));
  const model = writer({ 'vectors.rows': rows });
  const once = written(model, true).byteLength;
  model.part('tagger').section('network.vectors.rows', rows.slice());
  const both = written(model, true);
  expect(both.byteLength - once).toBeLessThan(300);
  const [ofParser, ofTagger] = [
    ['parser', 'vectors.rows'] as const,
    ['tagger', 'network.vectors.rows'] as const,
  ].map(([part, name]) => open(both).part(part).section(name, 'int8'));
  expect(ofTagger).toEqual(ofParser);
  const errors = Array.from(rows, (number, i) => Math.abs(number - ofParser![i]!));
  expect(Math.max(...errors)).toBeGreaterThan(2);
  expect(Math.max(...errors)).toBeLessThan(12);
});

test('a compact model expands in shared memory, where weights of networks stay packed until they are read', () => {
  const model = open(written(writer(), true));
  const { buffer } = model;
  const versionOf = (bytes: SharedArrayBuffer) => new DataView(bytes).getUint32(Preamble.version, true);
  expect(versionOf(buffer)).toBe(COMPACT_VERSION);
  expect(versionOf(written(writer(), true))).toBe(COMPACT_VERSION);
  expect(open(buffer).buffer).toBe(buffer);
  expect(arraysOf(buffer)).toEqual(arraysOf(written(writer(), true)));
  const parser = model.part('parser');
  expect(parser.section('arcs', 'int16').buffer).toBe(buffer);
  expect(parser.section('tagger.network.weights', 'float32').buffer).not.toBe(buffer);
});

test('a compact model without a network expands to a model of the ordinary format', () => {
  const { 'tagger.network.weights': _, ...others } = sections;
  const { buffer } = open(written(writer(others), true));
  expect(new DataView(buffer).getUint32(Preamble.version, true)).toBe(FORMAT_VERSION);
});

test('a compact model that an earlier version compressed with Brotli can be opened', () => {
  const { arcs, hashes } = Object.fromEntries(open(shared(Buffer.from(brotli, 'base64'))).sections());
  expect(arcs).toEqual(Int16Array.of(0, -16, 0, 8, 800, 0, 0, 24));
  expect(hashes).toEqual(Int32Array.of(7, 1, 7));
});

test('a damaged or truncated compact model is refused', () => {
  const right = Buffer.from(written(writer(), true));
  for (let at = 0; at < right.length; at += 101) {
    const [damaged, cut] = [shared(right), shared(right.subarray(0, at))];
    new Uint8Array(damaged)[at] ^= 1 << (at % 8);
    expect(() => open(damaged), `byte ${at}`).toThrow(/^some\.model: /);
    expect(() => open(cut), `cut at ${at}`).toThrow(/^some\.model: /);
  }
});

/** The file with a changed header and checksums that fit it. */
function withHeader(file: Buffer, change: (text: string) => string): SharedArrayBuffer {
  const end = PREAMBLE_BYTES + file.readUInt32LE(Preamble.headerBytes);
  const header = Buffer.from(change(file.subarray(PREAMBLE_BYTES, end).toString()));
  const newEnd = PREAMBLE_BYTES + header.length;
  const preamble = Buffer.from(file.subarray(0, PREAMBLE_BYTES));
  const gap = Buffer.alloc(align(newEnd) - newEnd);
  const whole = Buffer.concat([preamble, header, gap, file.subarray(align(end))]);
  whole.writeUInt32LE(header.length, Preamble.headerBytes);
  whole.writeBigUInt64LE(BigInt(whole.length), Preamble.totalBytes);
  whole.writeUInt32LE(crc32(header), Preamble.headerChecksum);
  whole.writeUInt32LE(crc32(whole.subarray(0, Preamble.ownChecksum)), Preamble.ownChecksum);
  return shared(whole);
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

test.each([
  [
    'a length that does not fit the bytes',
    { length: 5001 },
    'damaged: section parser/probabilities cannot be unpacked',
  ],
  [
    'plain numbers declared to be quantized weights',
    { step: 1 },
    'damaged: section parser/probabilities cannot be unpacked',
  ],
  ['no place in the file for a section', { packed: undefined }, /^some\.model: damaged: its sections/],
  [
    'a section larger than any file expands to',
    { length: 1e12 },
    /^some\.model: damaged: 4,000,\d+,\d+,\d+ bytes in a file of/,
  ],
])('a hostile header is refused even if its checksums fit: %s', (_, change, problem) => {
  const changed = (text: string) => {
    const header = JSON.parse(text);
    for (const entry of header.sections)
      if (entry.name.endsWith('probabilities')) Object.assign(entry, change);
    return JSON.stringify(header);
  };
  expect(() => open(withHeader(Buffer.from(written(writer(), true)), changed))).toThrow(problem);
});
