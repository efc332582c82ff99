import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputError } from '../../src/errors.ts';
import { Preamble, type SectionArray, typeOfArray } from '../../src/model/layout.ts';
import { readModelFile, writeModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
import { CheckpointFile } from '../../src/training/checkpoint-file.ts';

const folder = fs.mkdtempSync(join(tmpdir(), 'parliament-model-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

function smallModel(): ModelWriter {
  const writer = new ModelWriter();
  writer.header.paradigm = 'left-neighbour';
  writer.header.labels = ['nsubj', 'ünïcode'];
  writer.section('arcs', Float32Array.of(0.5, -1, 0));
  writer.section('empty', new Int32Array(0));
  writer.section('forms', new TextEncoder().encode('cat\ndog'));
  return writer;
}

function save(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  fs.writeFileSync(path, bytes);
  return path;
}

const smallPath = join(folder, 'small.bin');
writeModelFile(smallPath, smallModel());
const small = fs.readFileSync(smallPath);

/**
 * The one line a user sees on opening these bytes; throws if they are accepted or another error is thrown.
 */
function refusal(bytes: Uint8Array): string {
  try {
    readModelFile(save('altered.bin', bytes));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).not.toContain('\n');
    return error.problem;
  }
  throw new Error('the model was accepted');
}

function altered(change: (bytes: Buffer) => void): Uint8Array {
  const bytes = Buffer.from(small);
  change(bytes);
  return bytes;
}

describe('a model file', () => {
  const numbers = fc.oneof(
    fc.float32Array({ maxLength: 40 }),
    fc.float64Array({ maxLength: 40 }),
    fc.int8Array({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 40 }),
    fc.int16Array({ maxLength: 40 }),
    fc.uint16Array({ maxLength: 40 }),
    fc.int32Array({ maxLength: 40 }),
    fc.uint32Array({ maxLength: 40 }),
  );

  it('gives back the header and every array, bit by bit, as they were written', () => {
    const contents = fc.record({
      note: fc.json(),
      sections: fc.dictionary(fc.string(), numbers, { maxKeys: 6 }),
    });
    fc.assert(
      fc.property(contents, ({ note, sections }) => {
        const writer = new ModelWriter();
        writer.header.note = JSON.parse(note);
        for (const [name, array] of Object.entries(sections)) writer.section(name, array);
        const path = join(folder, 'any.bin');
        writeModelFile(path, writer);
        const model = readModelFile(path);
        expect(model.header.note).toEqual(JSON.parse(JSON.stringify(JSON.parse(note))));
        for (const [name, array] of Object.entries(sections)) {
          const read: SectionArray = model.section(name, typeOfArray(array));
          expect(read.byteOffset % 64).toBe(0);
          expect(read.buffer).toBe(model.buffer);
          expect(bytes(read)).toEqual(bytes(array));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has the same bytes for the same content', () => {
    const again = join(folder, 'again.bin');
    writeModelFile(again, smallModel());
    expect(fs.readFileSync(again)).toEqual(small);
  });

  it('is refused with one line when any single byte is altered', () => {
    const change = fc.tuple(fc.nat(small.length - 1), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(change, ([at, mask]) => {
        refusal(altered((model) => model.writeUInt8(model.readUInt8(at) ^ mask, at)));
      }),
    );
    for (let at = 0; at < small.length; at++) {
      refusal(altered((model) => model.writeUInt8(model.readUInt8(at) ^ 0x10, at)));
    }
  });

  it('is refused with one line when cut at any place, or followed by anything', () => {
    for (let length = 0; length < small.length; length++) refusal(small.subarray(0, length));
    refusal(Buffer.concat([small, Buffer.from([0])]));
  });

  it('is refused with a line that says what is wrong', () => {
    const last = small.length - 1;
    expect(refusal(altered((model) => model.writeUInt8(0, last)))).toBe(
      'damaged: section forms fails its checksum',
    );
    expect(refusal(altered((model) => model.writeUInt8(0, 70)))).toBe(
      'damaged: the header fails its checksum',
    );
    expect(refusal(small.subarray(0, 100))).toBe(`truncated: 100 of ${small.length} bytes`);
    expect(refusal(small.subarray(0, 20))).toBe('truncated: 20 bytes, too few for any model');
    expect(refusal(Buffer.concat([small, small]))).toBe(`damaged: ${small.length} bytes after its end`);
    expect(refusal(altered((model) => model.writeUInt32LE(6, Preamble.version)))).toBe(
      'format version 6, but this program reads versions 2 to 5: update Parliament',
    );
    expect(refusal(Buffer.from('1\tThe\tthe\tDET\n'))).toBe('not a Parliament model');
    expect(refusal(new Uint8Array(0))).toBe('not a Parliament model');
  });

  it('is refused with its name if it is missing or a folder', () => {
    const missing = join(folder, 'missing.bin');
    expect(() => readModelFile(missing)).toThrow(`${missing}: cannot be read: no such file or folder`);
    expect(() => readModelFile(folder)).toThrow(`${folder}: cannot be read: is a folder, expected a file`);
  });

  it('is replaced as a whole or stays as it was', () => {
    const path = save('kept.bin', small);
    const broken = smallModel();
    broken.header.circular = broken.header;
    expect(() => writeModelFile(path, broken)).toThrow(TypeError);
    expect(fs.readFileSync(path)).toEqual(small);
    const nowhere = join(folder, 'no', 'model.bin');
    expect(() => writeModelFile(nowhere, smallModel())).toThrow(
      `${nowhere}: cannot be written: no such file or folder`,
    );
    expect(fs.readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

describe('a model file behind a symbolic link', () => {
  it('is replaced, and the link stays', () => {
    const link = join(folder, 'link.bin');
    fs.symlinkSync(save('linked.bin', new Uint8Array(1)), link);
    writeModelFile(link, smallModel());
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(join(folder, 'linked.bin'))).toEqual(small);
  });
});

describe('a model reader', () => {
  const model = readModelFile(smallPath);

  it.each([
    [{ paradigm: 'graph' }, 'parser'],
    [{ annotator: 'tagger' }, 'annotator'],
    [{ pipeline: ['tagger'] }, 'pipeline'],
    [{ wordVectors: {} }, 'table of word vectors'],
    [{ encoder: {} }, 'language model'],
    [{}, 'the header: expected one field of paradigm, annotator, pipeline, wordVectors, encoder, not 0'],
    [
      { paradigm: 'graph', annotator: 'tagger' },
      'the header: expected one field of paradigm, annotator, pipeline, wordVectors, encoder, not 2',
    ],
  ])('tells from the header what a model holds, or refuses an unclear header: %j', (header, expected) => {
    const writer = new ModelWriter();
    Object.assign(writer.header, header);
    const model = ModelReader.fromBuffer(modelBytes(writer), 'some.model');
    if (!expected.startsWith('the header')) expect(model.content).toBe(expected);
    else expect(() => model.content).toThrow(`some.model: ${expected}`);
  });

  it('refuses a section that is missing or of another type, by name', () => {
    expect(model.has('arcs')).toBe(true);
    expect(model.has('labeller')).toBe(false);
    expect(() => model.section('labeller', 'float32')).toThrow(`${smallPath}: no section labeller`);
    expect(() => model.section('arcs', 'int32')).toThrow(
      `${smallPath}: section arcs holds float32, expected int32`,
    );
  });

  it('checks a field of the header and names the part that is wrong', () => {
    expect(model.field('labels', z.array(z.string()))).toEqual(['nsubj', 'ünïcode']);
    expect(() => model.field('labels', z.tuple([z.string(), z.number()]))).toThrow(
      /header field labels\.1: /,
    );
    expect(() => model.field('bits', z.number())).toThrow(InputError);
  });

  it('opens the same buffer again, as a worker does, without copying it', () => {
    const again = ModelReader.fromBuffer(model.buffer, 'elsewhere');
    expect(again.section('arcs', 'float32').buffer).toBe(model.buffer);
    expect([...again.section('arcs', 'float32')]).toEqual([0.5, -1, 0]);
    expect(() => again.section('none', 'int8')).toThrow('elsewhere: no section none');
  });
});

describe('a checkpoint file', () => {
  const modelPath = join(folder, 'model.bin');

  it('is loaded only when training is resumed, and is removed at the end', () => {
    const fresh = new CheckpointFile(modelPath, { resume: false });
    const resumed = new CheckpointFile(modelPath, { resume: true });
    expect(resumed.load()).toBeUndefined();
    fresh.save((checkpoint) => checkpoint.section('arcs', Int32Array.of(1)));
    expect(fresh.path).toBe(`${modelPath}.checkpoint`);
    expect(fresh.load()).toBeUndefined();
    expect(resumed.load()?.section('arcs', 'int32')[0]).toBe(1);
    fresh.remove();
    expect(fs.existsSync(fresh.path)).toBe(false);
  });

  it('is not taken for a model, nor a model for a checkpoint', () => {
    const file = new CheckpointFile(modelPath, { resume: true });
    file.save((checkpoint) => checkpoint.section('arcs', Int32Array.of(1)));
    expect(() => readModelFile(file.path)).toThrow(`${file.path}: a checkpoint, expected a model`);
    writeModelFile(file.path, smallModel());
    expect(() => file.load()).toThrow(`${file.path}: a model, expected a checkpoint`);
  });

  it('stays as it was when saving fails', () => {
    const file = new CheckpointFile(join(folder, 'other.bin'), { resume: true });
    file.save((checkpoint) => checkpoint.section('arcs', Int32Array.of(7)));
    const fail = () => {
      throw new Error('out of luck');
    };
    expect(() => file.save(fail)).toThrow('out of luck');
    expect(file.load()?.section('arcs', 'int32')[0]).toBe(7);
  });
});

function bytes(array: SectionArray): Buffer {
  return Buffer.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}
