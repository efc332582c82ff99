import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../src/learn/random.ts';

/** The sizes and weights of a small encoder; the runtime fails at positions beyond `positions`. */
export interface SmallEncoder {
  readonly width: number;
  readonly vocabulary: number;
  readonly positions: number;
  readonly layers: number;
  /** Matrices: vocabulary × width, positions × width, and width × width for each layer. */
  readonly embeddings: Float32Array;
  readonly places: Float32Array;
  readonly weights: readonly Float32Array[];
}

export function smallEncoder(
  vocabulary: number,
  positions: number,
  { width = 6, layers = 5, seed = 1 } = {},
) {
  const random = new Random(seed);
  const drawn = (length: number) => Float32Array.from({ length }, () => 2 * random.uniform() - 1);
  const [embeddings, places] = [drawn(vocabulary * width), drawn(positions * width)];
  const weights = Array.from({ length: layers }, () => drawn(width * width));
  return { width, vocabulary, positions, layers, embeddings, places, weights };
}

/**
 * The hidden states of each layer by the definition: h₀ = embedding + position, hₖ₊₁ = tanh(hₖ Wₖ + the mean of hₖ over
 * the subwords), so that every row depends on all others.
 */
export function hiddenStates({ width, embeddings, places, weights }: SmallEncoder, ids: readonly number[]) {
  const columns = Array.from({ length: width }, (_, i) => i);
  let rows = ids.map((id, t) => columns.map((i) => embeddings[id * width + i] + places[t * width + i]));
  const states = [rows];
  for (const w of weights) {
    const mean = columns.map((i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);
    rows = rows.map((row) =>
      columns.map((i) => Math.tanh(row.reduce((sum, x, k) => sum + x * w[k * width + i], mean[i]))),
    );
    states.push(rows);
  }
  return states;
}

/** Differences from the usual export, which has all hidden states and three inputs. */
export interface FolderParts {
  readonly inputs?: readonly string[];
  readonly outputs?: (layer: number, isLast: boolean) => string;
  readonly files?: Readonly<Record<string, object | undefined>>;
  readonly model?: string;
}

export function saveEncoderFolder(
  folder: string,
  encoder: SmallEncoder,
  tokenizer: object,
  {
    inputs = ['input_ids', 'attention_mask', 'token_type_ids'],
    outputs = (layer) => `hidden_states.${layer}`,
    model = 'model.onnx',
    files = {},
  }: FolderParts = {},
): string {
  mkdirSync(join(folder, model, '..'), { recursive: true });
  writeFileSync(join(folder, model), onnxBytes(encoder, inputs, outputs));
  const config = { max_position_embeddings: encoder.positions };
  const json = { 'tokenizer.json': tokenizer, 'tokenizer_config.json': {}, 'config.json': config, ...files };
  for (const [name, content] of Object.entries(json))
    if (content !== undefined) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

const special = (id: number, content: string) => {
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  return { id, content, ...flags };
};
const tokenizerFile = { version: '1.0', truncation: null, padding: null };

/** A WordPiece tokenizer in lower case. Its ids go to letters, letters that continue a word, and these pieces. */
export function wordPieceTokenizer(pieces: readonly string[]) {
  const letters = [...'abcdefghijklmnopqrstuvwxyz.,'];
  const all = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((c) => `##${c}`), ...pieces];
  const vocab = Object.fromEntries(all.map((piece, id) => [piece, id]));
  const around = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const tokenizer = {
    ...tokenizerFile,
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => special(id, content)),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [around('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, around('[SEP]')],
      pair: [],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
  return { tokenizer, vocab };
}

/** BPE over bytes, as in GPT-2 and RoBERTa: each byte is represented by a visible character. */
export function byteLevelTokenizer(merges: readonly (readonly [string, string])[]) {
  const seen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(seen(byte) ? byte : next++));
  const all = ['<s>', '<pad>', '</s>', '<unk>', ...bytes, ...merges.map((pair) => pair.join(''))];
  const vocab = Object.fromEntries(all.map((piece, id) => [piece, id]));
  const tokenizer = {
    ...tokenizerFile,
    added_tokens: ['<s>', '<pad>', '</s>', '<unk>'].map((content, id) => special(id, content)),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', 2],
      cls: ['<s>', 0],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', unk_token: null, vocab, merges },
  };
  return { tokenizer, vocab };
}

/** A message of Protocol Buffers, given as pairs of a field's number and its values. */
type Field = readonly [number: number, ...values: (number | string | Uint8Array)[]];

function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, ...values] of fields)
    for (const value of values) {
      if (typeof value === 'number') bytes.push(...varint(number << 3), ...varint(value));
      else {
        const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
        bytes.push(...varint((number << 3) | 2), ...varint(content.length), ...content);
      }
    }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

const [FLOAT, INT64] = [1, 7];
const bytesOf = ({ buffer }: Float32Array | BigInt64Array) => new Uint8Array(buffer as ArrayBuffer);

/** The bytes of a model, as onnx.proto3 of the ONNX project defines them: ModelProto, GraphProto and so on. */
function onnxBytes(
  { width, vocabulary, positions, embeddings, places, weights }: SmallEncoder,
  inputs: readonly string[],
  outputs: (layer: number, isLast: boolean) => string,
): Uint8Array {
  const node = (type: string, from: readonly string[], to: string, ...attributes: Uint8Array[]) =>
    message([1, ...from], [2, to], [4, type], [5, ...attributes]);
  const floats = (name: string, values: Float32Array, ...dims: number[]) =>
    message([1, ...dims], [2, FLOAT], [8, name], [9, bytesOf(values)]);
  const scalar = (name: string, value: number) =>
    message([2, INT64], [8, name], [9, bytesOf(BigInt64Array.of(BigInt(value)))]);
  const value = (name: string, type: number, ...dims: (string | number)[]) => {
    const shape = dims.map((dim) => message([typeof dim === 'string' ? 2 : 1, dim]));
    return message([1, name], [2, message([1, message([1, type], [2, message([1, ...shape])])])]);
  };
  const overSubwords = message([1, 'axes'], [8, 1], [20, 7]);
  const named = (layer: number) => outputs(layer, layer === weights.length);
  const nodes = [
    node('Gather', ['embeddings', 'input_ids'], 'embedded'),
    node('Shape', ['input_ids'], 'shape'),
    node('Gather', ['shape', 'one'], 'length'),
    node('Range', ['zero', 'length', 'one'], 'range'),
    node('Gather', ['places', 'range'], 'placed'),
    node('Add', ['embedded', 'placed'], named(0)),
    ...weights.flatMap((_, k) => [
      node('ReduceMean', [named(k)], `mean${k}`, overSubwords),
      node('MatMul', [named(k), `weights${k}`], `product${k}`),
      node('Add', [`product${k}`, `mean${k}`], `sum${k}`),
      node('Tanh', [`sum${k}`], named(k + 1)),
    ]),
  ];
  const layers = Array.from({ length: weights.length + 1 }, (_, layer) => named(layer));
  const shown = layers.filter((name) => !name.startsWith('inner'));
  const graph = message(
    [1, ...nodes],
    [2, 'encoder'],
    [
      5,
      floats('embeddings', embeddings, vocabulary, width),
      floats('places', places, positions, width),
      ...weights.map((w, k) => floats(`weights${k}`, w, width, width)),
      scalar('zero', 0),
      scalar('one', 1),
    ],
    [11, ...inputs.map((name) => value(name, INT64, 'batch', 'sequence'))],
    [12, ...shown.map((name) => value(name, FLOAT, 'batch', 'sequence', width))],
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}
