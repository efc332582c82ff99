import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readModelFile, writeModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('parts');

function fill(writer: ModelWriter, name: string): ModelWriter {
  writer.header.paradigm = name;
  writer.header.settings = { bits: 3 };
  writer.section('weights', Float32Array.of(0.5, -1, name.length));
  writer.section(`${name}.forms`, new TextEncoder().encode(`${name}\n`));
  return writer;
}

function written(writer: ModelWriter): Buffer {
  return Buffer.concat([...writer.chunks()]);
}

function read(writer: ModelWriter): ModelReader {
  const path = sandbox.path('any.model');
  writeModelFile(path, writer);
  return readModelFile(path);
}

function twoParts(): ModelWriter {
  const writer = new ModelWriter();
  writer.header.pipeline = ['tagger', 'parser'];
  writer.section('own', Int32Array.of(1));
  fill(writer.part('tagger'), 'tagger');
  fill(writer.part('parser'), 'graph');
  return writer;
}

describe('a part of a model file', () => {
  test('is the model that was written, with the same header, sections and bytes in a file of its own', () => {
    const model = read(twoParts());
    expect(model.partNames).toEqual(['tagger', 'parser']);
    const part = model.part('parser');
    expect(part.header).toEqual({ kind: 'model', paradigm: 'graph', settings: { bits: 3 } });
    expect([...part.section('weights', 'float32')]).toEqual([0.5, -1, 5]);
    expect(part.section('weights', 'float32').buffer).toBe(model.buffer);
    expect([part.has('weights'), part.has('own'), part.has('tagger.forms')]).toEqual([true, false, false]);
    const alone = new ModelWriter();
    alone.copy(part);
    expect(written(alone)).toEqual(written(fill(new ModelWriter(), 'graph')));
  });

  test('keeps its sections apart from those of the model itself', () => {
    const model = read(twoParts());
    expect([...model.sections()].map(([name]) => name)).toEqual(['own']);
    expect([...model.part('tagger').sections()].map(([name]) => name)).toEqual(['weights', 'tagger.forms']);
  });

  test('may have parts, which are copied with it', () => {
    const outer = new ModelWriter();
    outer.part('inner').copy(read(twoParts()));
    const model = read(outer);
    expect(model.part('inner').part('parser').header.paradigm).toBe('graph');
    const copy = new ModelWriter();
    copy.copy(model.part('inner'));
    expect(written(copy)).toEqual(written(twoParts()));
  });

  test('is opened by its path from the buffer of the model, as in another thread', () => {
    const { buffer, name } = read(twoParts());
    const part = ModelReader.fromBuffer(buffer, name, ['tagger']);
    expect([part.path, part.header.paradigm]).toEqual([['tagger'], 'tagger']);
  });

  test('is named in the message if its header or a section is wrong', () => {
    const part = read(twoParts()).part('tagger');
    const file = sandbox.path('any.model');
    expect(() => part.fields('settings').text('bits')).toThrow(
      `${file}: header field parts.tagger.settings.bits: expected a string, not 3`,
    );
    expect(() => part.field('settings', z.string())).toThrow(/header field parts\.tagger\.settings: /);
    expect(() => part.section('weights', 'int8')).toThrow(
      `${file}: section tagger/weights holds float32, expected int8`,
    );
    expect(() => part.section('arcs', 'int8')).toThrow(`${file}: no section tagger/arcs`);
    expect(() => part.part('none')).toThrow(
      `${file}: header field parts.tagger.parts.none: expected an object`,
    );
  });

  test('shares large sections with other parts of the file if they are equal', () => {
    const numbers = Float32Array.from({ length: 20_000 }, (_, i) => Math.sin(i));
    const writer = twoParts();
    for (const name of ['tagger', 'parser']) writer.part(`${name}-2`).section('rows', numbers.slice());
    const model = read(writer);
    const [first, second] = ['tagger-2', 'parser-2'].map((name) =>
      model.part(name).section('rows', 'float32'),
    );
    expect(second).toEqual(numbers);
    expect(second.byteOffset).toBe(first.byteOffset);
    expect(model.buffer.byteLength).toBeLessThan(1.5 * numbers.byteLength);
  });

  test.each(['none', 'toString', '__proto__', ''])('is refused if the file does not have it: %j', (name) => {
    expect(() => read(twoParts()).part(name)).toThrow(/any\.model: header field parts\./);
  });

  test('is refused if it is damaged', () => {
    const bytes = written(twoParts());
    bytes[bytes.length - 2] ^= 1;
    const path = sandbox.save('damaged.model', bytes);
    expect(() => readModelFile(path)).toThrow(
      `${path}: damaged: section parser/graph.forms fails its checksum`,
    );
  });

  test('is refused if its name is taken or its sections clash with others', () => {
    const writer = twoParts();
    expect(() => writer.part('tagger')).toThrow('two parts are called tagger');
    expect(() => writer.part('tagger/one')).toThrow('a part cannot be called “tagger/one”');
    writer.section('tagger/weights', Int32Array.of(2));
    expect(() => written(writer)).toThrow('two sections are called tagger/weights');
    const taken = twoParts();
    taken.header.parts = {};
    expect(() => written(taken)).toThrow('the header’s field parts is taken by the parts');
  });
});
