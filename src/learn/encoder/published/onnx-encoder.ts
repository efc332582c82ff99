import type { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession } from 'onnxruntime-web';
import { InputError } from '../../../errors.ts';
import { withPackages } from '../../../optional-packages.ts';
import { readFileSync } from '../../../platform/files.ts';
import { type EncoderFiles, encoderFiles } from './folder.ts';

type Runtime = Pick<typeof import('onnxruntime-web'), 'env' | 'InferenceSession' | 'Tensor'>;

/** Loads the runtime for ONNX models: the addon for Node if it is installed, else the slower WebAssembly. */
export async function openRuntime(folder: string): Promise<Runtime> {
  // A variable, as the compiler cannot resolve an optional package.
  const addon: string = 'onnxruntime-node';
  const open = async (): Promise<Runtime> => {
    try {
      return await import(addon);
    } catch (error) {
      return await import('onnxruntime-web').catch(() => {
        throw error;
      });
    }
  };
  return withPackages(`the encoder ${folder}`, 'encoder', open);
}

/** Number of last layers that are averaged, if the model has them as outputs. */
const LAYERS = 4;
const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids'];

/** A published contextual encoder (BERT: Devlin et al. 2019), as it was exported. */
export class OnnxEncoder {
  private constructor(
    private readonly model: string,
    private readonly runtime: Runtime,
    private readonly session: InferenceSession,
    /** The outputs to average, each 1 × subwords × dimensions. */
    private readonly layers: readonly string[],
    private readonly subwords: Subwords,
  ) {}

  /** Throws `InputError` if files or packages are missing, or the model is no encoder. */
  static async open(folder: string, runtime: Runtime): Promise<OnnxEncoder> {
    const files = encoderFiles(folder);
    const { model } = files;
    const subwords = await Subwords.open(files, folder);
    // One thread, so that the same sentence gives the same numbers; no messages besides errors.
    const settings = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 } as const;
    const session = await naming(model, runtime.InferenceSession.create(model, settings));
    const strange = session.inputNames.filter((name) => !knownInputs.includes(name));
    if (strange.length > 0 || !session.inputNames.includes('input_ids'))
      throw unexpected(model, `the inputs ${session.inputNames.join(', ')}`, knownInputs.join(', '));
    return new OnnxEncoder(model, runtime, session, layersOf(session, model), subwords);
  }

  /**
   * Encodes the words of a sentence: a row of numbers for each, averaged over its subwords and the last layers; zeros for a
   * word without subwords. Long sentences are read in windows.
   */
  async describe(words: readonly string[]): Promise<Float32Array> {
    const { subwords, layers } = this;
    const ids = words.map((word) => subwords.of(word));
    const starts = new Int32Array(words.length + 1);
    for (const [w, { length }] of ids.entries()) starts[w + 1] = starts[w] + length;
    const windows = windowsOver(starts, subwords.most);
    const chosen = widestContexts(starts, windows);
    let numbers = new Float32Array(0);
    for (const [number, { first, end }] of windows.entries()) {
      const { outputs, width } = await this.run(subwords.framed(ids.slice(first, end).flat()));
      if (number === 0) numbers = new Float32Array(words.length * width);
      for (let w = first; w < end; w++) {
        if (chosen[w] !== number) continue;
        const row = numbers.subarray(w * width, (w + 1) * width);
        const rows = starts[w + 1] - starts[w];
        const from = subwords.before.length + starts[w] - starts[first];
        for (const output of outputs)
          for (let i = 0; i < rows * width; i++)
            row[i % width] += output[from * width + i] / (rows * layers.length);
      }
    }
    return numbers;
  }

  /** The rows of each layer for these subwords. */
  private async run(ids: readonly number[]): Promise<{ outputs: Float32Array[]; width: number }> {
    const { runtime, session, layers, model } = this;
    const shape = [1, ids.length];
    const tensor = (values: readonly number[]) =>
      new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), shape);
    const ones = tensor(ids.map(() => 1));
    const known = { input_ids: tensor(ids), attention_mask: ones, token_type_ids: tensor(ids.map(() => 0)) };
    const feeds = Object.fromEntries(
      Object.entries(known).filter(([name]) => session.inputNames.includes(name)),
    );
    const found = await naming(model, session.run(feeds, layers));
    const width = found[layers[0]].dims.at(-1)!;
    const expected = [...shape, width].join(' × ');
    const outputs = layers.map((name) => {
      const { type, dims, data } = found[name];
      if (type !== 'float32' || dims.join(' × ') !== expected)
        throw unexpected(model, `${type} ${dims.join(' × ')} as ${name}`, `float32 ${expected}`);
      return data as Float32Array;
    });
    return { outputs, width };
  }
}

/** The words of a sentence from `first` to before `end`, which an encoder reads together. */
interface Window {
  readonly first: number;
  readonly end: number;
}

/**
 * Covers a sentence by windows of at most `most` subwords; each begins in the middle of the previous one.
 *
 * @param starts for each word, the number of subwords before it, then the number of all subwords; no word has more than `most`
 */
export function windowsOver(starts: ArrayLike<number>, most: number): Window[] {
  const words = starts.length - 1;
  const windows: Window[] = [];
  for (let first = 0; ; ) {
    let [middle, end] = [first + 1, first + 1];
    while (end < words && starts[end + 1] - starts[first] <= most) end++;
    windows.push({ first, end });
    if (end >= words) return windows;
    while (middle < end && starts[middle] - starts[first] < most / 2) middle++;
    first = middle;
  }
}

/** For each word, the window with the most context: the largest distance to the nearer edge; an end of the sentence is no edge. */
export function widestContexts(starts: ArrayLike<number>, windows: readonly Window[]): Int32Array {
  const words = starts.length - 1;
  const chosen = new Int32Array(words);
  const widest = new Float64Array(words).fill(-1);
  for (const [number, { first, end }] of windows.entries())
    for (let w = first; w < end; w++) {
      const before = first === 0 ? Infinity : starts[w] - starts[first];
      const after = end === words ? Infinity : starts[end] - starts[w + 1];
      const context = Math.min(before, after);
      if (context <= widest[w]) continue;
      widest[w] = context;
      chosen[w] = number;
    }
  return chosen;
}

function layersOf({ outputNames }: InferenceSession, model: string): string[] {
  const numbered = outputNames
    .flatMap((name) => {
      const number = /^hidden_states[._](\d+)$/.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number);
  if (numbered.length > 0) return numbered.slice(-LAYERS).map(({ name }) => name);
  if (outputNames.includes('last_hidden_state')) return ['last_hidden_state'];
  throw unexpected(model, `the outputs ${outputNames.join(', ')}`, 'last_hidden_state or hidden_states.N');
}

/** Maximum number of subwords in a window, special ones included, unless the encoder takes fewer. */
const MOST_SUBWORDS = 512;

/** Splits words into numbered subwords. */
class Subwords {
  private constructor(
    private readonly tokenizer: Tokenizer,
    /** The special subwords around a sentence. */
    readonly before: readonly number[],
    private readonly after: readonly number[],
    /** Maximum number in a window, without the special ones. */
    readonly most: number,
  ) {}

  static async open({ tokenizer: path, ...files }: EncoderFiles, folder: string): Promise<Subwords> {
    const { Tokenizer } = await withPackages(
      `the encoder ${folder}`,
      'encoder',
      () => import('@huggingface/tokenizers'),
    );
    const config = files.tokenizerConfig === undefined ? {} : jsonOf(files.tokenizerConfig);
    const tokenizer = await naming(path, async () => new Tokenizer(jsonOf(path), config));
    const [alone, framed]: number[][] = await naming(path, async () =>
      [false, true].map((add_special_tokens) => tokenizer.encode(' a', { add_special_tokens }).ids),
    );
    const place = framed.findIndex((_, i) => alone.every((id, k) => framed[i + k] === id));
    const { max_position_embeddings } = files.config === undefined ? {} : jsonOf(files.config);
    const limits = [config.model_max_length, max_position_embeddings].filter(
      Number.isSafeInteger,
    ) as number[];
    const limit = Math.min(MOST_SUBWORDS, ...limits);
    const most = limit - (framed.length - alone.length);
    if (place < 0 || most < 1) {
      const expected = `${alone.length} and special ones around, of ${limit} in all`;
      throw unexpected(path, `${framed.length} subwords for “a”`, expected);
    }
    return new Subwords(tokenizer, framed.slice(0, place), framed.slice(place + alone.length), most);
  }

  /** Tokenizes each word by itself, after a space. */
  of(word: string): number[] {
    const { ids } = this.tokenizer.encode(` ${word}`, { add_special_tokens: false });
    return ids.filter(Number.isInteger).slice(0, this.most);
  }

  framed(ids: readonly number[]): number[] {
    return [...this.before, ...ids, ...this.after];
  }
}

function jsonOf(path: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new InputError(`is not valid JSON: ${(error as Error).message}`, { file: path });
  }
}

/** Awaits the work of other packages on a file; rethrows their errors with its name. */
async function naming<T>(file: string, work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot be used: ${(error as Error).message}`, { file });
  }
}

function unexpected(file: string, found: string, expected: string): InputError {
  return new InputError(`has ${found}, expected ${expected}`, { file });
}
