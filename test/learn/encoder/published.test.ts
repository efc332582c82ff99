import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { givenEncoder } from '../../../src/learn/encoder/published/folder.ts';
import {
  OnnxEncoder,
  openRuntime,
  widestContexts,
  windowsOver,
} from '../../../src/learn/encoder/published/onnx-encoder.ts';
import { expectClose } from '../../support/close.ts';
import {
  byteLevelTokenizer,
  hiddenStates,
  type SmallEncoder,
  saveEncoderFolder,
  smallEncoder,
  wordPieceTokenizer,
} from '../../support/onnx-folder.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('published-encoder');
const wordPieces = wordPieceTokenizer(['dog', 'bark']);
const size = Object.keys(wordPieces.vocab).length;

const open = async (folder: string) => OnnxEncoder.open(folder, await openRuntime(folder));

/** The mean of rows of numbers. */
function mean(rows: readonly (readonly number[])[]): number[] {
  return rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);
}

/** The mean over subwords of the mean of these layers, by the definition; `spans`: the places of each word's subwords. */
function wordRows(
  encoder: SmallEncoder,
  ids: number[],
  layers: number[],
  spans: [from: number, to: number][],
) {
  const states = hiddenStates(encoder, ids);
  const rows = ids.map((_, t) => mean(layers.map((layer) => states[layer][t])));
  return spans.map(([from, to]) => mean(rows.slice(from, to)));
}

function expectRows(found: Float32Array, expected: readonly (readonly number[])[]): void {
  expectClose(found, expected.flat(), 4);
}

const lastFour = [2, 3, 4, 5];

/** Expects the mean over subwords of the mean of the last four layers. */
function expectLastFour(
  found: Float32Array,
  encoder: SmallEncoder,
  ids: number[],
  spans: [from: number, to: number][],
): void {
  expectRows(found, wordRows(encoder, ids, lastFour, spans));
}

describe('word vectors of a published encoder', () => {
  test('are means of the last four layers over WordPiece subwords', async () => {
    const encoder = smallEncoder(size, 32);
    const folder = saveEncoderFolder(sandbox.path('word-piece'), encoder, wordPieces.tokenizer);
    const { vocab } = wordPieces;
    const pieces = ['[CLS]', 'dog', '##s', 'bark', 'a', '##t', '[UNK]', '.', '[SEP]'];
    const ids = pieces.map((piece) => vocab[piece]);
    const found = await (await open(folder)).describe(['Dogs', 'bark', 'at', '猫', '.']);
    expectLastFour(found, encoder, ids, [
      [1, 3],
      [3, 4],
      [4, 6],
      [6, 7],
      [7, 8],
    ]);
  });

  test('are such means for byte-level BPE, with spaces before words and bytes for non-ASCII letters', async () => {
    const { tokenizer, vocab } = byteLevelTokenizer([
      ['c', 'a'],
      ['Ġ', 'ca'],
      ['f', 'Ã'],
    ]);
    const encoder = smallEncoder(Object.keys(vocab).length, 32, { seed: 2 });
    const parts = { inputs: ['input_ids', 'attention_mask'], model: 'onnx/model.onnx' };
    const folder = saveEncoderFolder(sandbox.path('byte-level'), encoder, tokenizer, parts);
    const ids = ['<s>', 'Ġca', 'fÃ', '©', 'Ġ', 'A', '</s>'].map((piece) => vocab[piece]);
    const found = await (await open(folder)).describe(['café', 'A']);
    expectLastFour(found, encoder, ids, [
      [1, 4],
      [4, 6],
    ]);
  });

  test('use the last layer if the encoder outputs no other, and are zero for a word without subwords', async () => {
    const encoder = smallEncoder(size, 32);
    const outputs = (layer: number, isLast: boolean) => (isLast ? 'last_hidden_state' : `inner${layer}`);
    const folder = saveEncoderFolder(sandbox.path('last'), encoder, wordPieces.tokenizer, { outputs });
    const ids = ['[CLS]', 'dog', 'bark', '[SEP]'].map((piece) => wordPieces.vocab[piece]);
    const found = await (await open(folder)).describe(['dog', '\u0000', 'bark']);
    const [dog, bark] = wordRows(
      encoder,
      ids,
      [5],
      [
        [1, 2],
        [2, 3],
      ],
    );
    expectRows(found, [dog, dog.map(() => 0), bark]);
  });
});

test('windows overlap by half, and a word is taken from the window where it is farthest from the edges', () => {
  // Words of 1, 1, 2, 1, 1, 3, 1 and 1 subwords.
  const starts = [0, 1, 2, 4, 5, 6, 9, 10, 11];
  const windows = windowsOver(starts, 6);
  expect(windows).toEqual([
    { first: 0, end: 5 },
    { first: 3, end: 7 },
    { first: 6, end: 8 },
  ]);
  // Word 3 is the last but one of the first window and begins the second; word 6 ends the second and begins the third.
  expect([...widestContexts(starts, windows)]).toEqual([0, 0, 0, 0, 1, 1, 1, 2]);
  expect(windowsOver([0, 6, 12, 13], 6)).toEqual([
    { first: 0, end: 1 },
    { first: 1, end: 2 },
    { first: 2, end: 3 },
  ]);
  expect(windowsOver([0, 5, 6], 6)).toEqual([{ first: 0, end: 2 }]);
});

test('long sentences are read in windows of the encoder’s maximum length', async () => {
  const encoder = smallEncoder(size, 8);
  const folder = saveEncoderFolder(sandbox.path('windows'), encoder, wordPieces.tokenizer);
  const words = ['dogs', 'bark', 'a', 'b', 'dogs', 'c', 'd', 'abcdefghij'];
  const found = await (await open(folder)).describe(words);
  const ids = (...pieces: string[]) => ['[CLS]', ...pieces, '[SEP]'].map((piece) => wordPieces.vocab[piece]);
  const layers = [2, 3, 4, 5];
  const first = ids('dog', '##s', 'bark', 'a', 'b');
  const second = ids('a', 'b', 'dog', '##s', 'c', 'd');
  // A word longer than a window is read up to the end of the window.
  const last = ids('a', '##b', '##c', '##d', '##e', '##f');
  expectRows(found, [
    ...wordRows(encoder, first, layers, [
      [1, 3],
      [3, 4],
      [4, 5],
    ]),
    ...wordRows(encoder, second, layers, [
      [2, 3],
      [3, 5],
      [5, 6],
      [6, 7],
    ]),
    ...wordRows(encoder, last, layers, [[1, 7]]),
  ]);
});

describe('a folder that does not hold an encoder', () => {
  const encoder = smallEncoder(size, 16, { layers: 1 });
  const saved = (name: string, parts: Parameters<typeof saveEncoderFolder>[3] = {}) =>
    saveEncoderFolder(sandbox.path(name), encoder, wordPieces.tokenizer, parts);

  test('is refused if files are missing', () => {
    const folder = saved('missing');
    rmSync(join(folder, 'tokenizer.json'));
    expect(() => givenEncoder(folder)).toThrow(
      /missing: no tokenizer\.json in this folder, expected an encoder/,
    );
    rmSync(join(folder, 'model.onnx'));
    expect(() => givenEncoder(folder)).toThrow(/missing: no model\.onnx or onnx\/model\.onnx in this folder/);
  });

  test.each([
    ['tokenizer.json', '{', /tokenizer\.json: is not valid JSON: /],
    ['tokenizer.json', '{}', /tokenizer\.json: cannot be used: /],
    ['config.json', '[', /config\.json: is not valid JSON: /],
    ['config.json', '{"max_position_embeddings": 2}', /tokenizer\.json: has 3 subwords/],
    ['model.onnx', 'nothing', /model\.onnx: cannot be used: /],
  ])('is refused if %s contains %s', async (name, content, message) => {
    const folder = saved(`damaged-${name}-${content.length}`);
    writeFileSync(join(folder, name), content);
    await expect(open(folder)).rejects.toThrow(message);
  });

  test('is refused if the model has unknown inputs or outputs', async () => {
    const inputs = ['input_ids', 'pixel_values'];
    await expect(open(saved('inputs', { inputs }))).rejects.toThrow(
      /model\.onnx: has the inputs input_ids, pixel_values, expected input_ids, attention_mask, token_type_ids/,
    );
    await expect(open(saved('outputs', { outputs: (layer) => `logits${layer}` }))).rejects.toThrow(
      /model\.onnx: has the outputs logits0, logits1, expected last_hidden_state or hidden_states\.N/,
    );
  });
});

test('the digest covers the files of an encoder and no other files', () => {
  const encoder = smallEncoder(size, 16, { layers: 1 });
  const folder = saveEncoderFolder(sandbox.path('digest'), encoder, wordPieces.tokenizer);
  const { digest } = givenEncoder(folder);
  writeFileSync(join(folder, 'README.md'), 'An encoder.');
  expect(givenEncoder(folder).digest).toBe(digest);
  writeFileSync(join(folder, 'config.json'), '{}');
  expect(givenEncoder(folder).digest).not.toBe(digest);
});
