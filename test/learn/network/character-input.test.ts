import { expect, test } from 'vitest';
import { CharacterInput, MOST_CHARACTERS } from '../../../src/learn/network/layers/characters.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { modelBuffer } from '../../support/model-buffer.ts';

const input = CharacterInput.of(['ab', 'abc', 'a😀', 'b😀'], 8);

/** The numbers of the characters: 0: unknown, 1 and 2: marks before and after a word, then by first appearance. */
function read(form: string, source = input): number[] {
  const numbers = new Int32Array(MOST_CHARACTERS);
  return [...numbers.subarray(0, source.read(form, numbers))].map((_, i) => numbers[i]);
}

test('words are read between marks, and a character that occurs in only one word is unknown', () => {
  expect(read('ab')).toEqual([1, 1, 3, 4, 2, 2]);
  expect(read('😀c')).toEqual([1, 1, 5, 0, 2, 2]);
  expect(read('')).toEqual([1, 1, 2, 2, 2]);
});

test('long words are read without their middle', () => {
  const half = (MOST_CHARACTERS - 4) / 2;
  const whole = `${'a'.repeat(half)}${'😀'.repeat(30)}${'b'.repeat(half)}`;
  expect(read(whole)).toEqual([1, 1, ...Array(half).fill(3), ...Array(half).fill(4), 2, 2]);
  expect(read('😀'.repeat(2 * half))).toHaveLength(MOST_CHARACTERS);
});

function opened(change: (fields: Record<string, unknown>) => void): CharacterInput {
  const writer = new ModelWriter();
  const fields = input.save(writer, '') as Record<string, unknown>;
  change(fields);
  writer.header.characters = fields;
  const model = ModelReader.fromBuffer(modelBuffer(writer), 'a.model');
  return CharacterInput.load(model, '', model.fields('characters'));
}

test('a character input reads the same after saving and loading, and refuses a malformed header', () => {
  const loaded = opened(() => undefined);
  expect(read('ba😀x', loaded)).toEqual(read('ba😀x'));
  expect(loaded.digest).toBe(input.digest);
  expect(() => opened((fields) => (fields.values = 4))).toThrow(/characters.values: expected/);
  expect(() => opened((fields) => (fields.size = 10))).toThrow(/characters.size: expected a multiple of 4/);
});
