import { InputError } from '../../../errors.ts';
import { cacheFolder } from '../../../files/cache-folder.ts';
import { isFolder } from '../../../files/files.ts';
import type { GivenFile } from '../../../files/given-file.ts';
import type { HeaderFields } from '../../../model/header-fields.ts';
import { join, resolve } from '../../../platform/files.ts';
import { BlockingWorker } from '../../../platform/threads.ts';
import type { ContextEncoder } from '../encoder.ts';
import { besideModel } from '../encoder-file.ts';
import { givenEncoder } from './folder.ts';
import type { EncodingRequest } from './onnx-worker.ts';

const MOST_DIMENSIONS = 1 << 14;

/** Runs all encoders of this thread. */
let runner: BlockingWorker<EncodingRequest, Float32Array> | undefined;
let isKept = false;

/** Caches the vectors of sentences on disk from now on: a training reads its sentences many times. */
export function keepDescriptions(): void {
  isKept = true;
}

/** An encoder that others have trained and exported; models store its folder and digest. */
export class PublishedEncoder implements ContextEncoder {
  private constructor(
    private readonly folder: string,
    readonly digest: string,
    readonly width: number,
  ) {}

  /** Opens the encoder that an option names; throws `InputError` if it cannot be run. */
  static open({ path, digest }: GivenFile): PublishedEncoder {
    const folder = resolve(path);
    const { length } = describe({ folder, digest, words: ['a'] });
    return new PublishedEncoder(folder, digest, length);
  }

  /**
   * Finds the encoder of a model in the folder that the model names, or beside the model; it is loaded on first use. Throws
   * `InputError` if it is in neither, or has another digest.
   *
   * @param fields those that `save` returned
   */
  static load(fields: HeaderFields, model: string): PublishedEncoder {
    const [digest, width] = [fields.text('digest'), fields.integer('dimensions', 1, MOST_DIMENSIONS)];
    openRunner();
    const folder = besideModel(fields.text('folder'), model, isFolder);
    if (givenEncoder(folder).digest !== digest)
      throw new InputError('is not the encoder that the model was trained with', { file: folder });
    return new PublishedEncoder(folder, digest, width);
  }

  save(): object {
    const { folder, digest, width } = this;
    return { folder, digest, dimensions: width };
  }

  get place(): string {
    return this.digest;
  }

  encode(words: readonly string[], out: Float32Array): void {
    if (words.length === 0) return;
    const { folder, digest, width } = this;
    const numbers = describe({ folder, digest, words });
    if (numbers.length !== words.length * width) {
      const problem = `gives ${numbers.length / words.length} numbers for a word, expected ${width}`;
      throw new InputError(problem, { file: folder });
    }
    out.set(numbers);
  }
}

function openRunner() {
  runner ??= new BlockingWorker(new URL('./onnx-worker.js', import.meta.url));
  return runner;
}

function describe(sentence: Omit<EncodingRequest, 'cache'>): Float32Array {
  return openRunner().ask({ ...sentence, cache: isKept ? join(cacheFolder(), 'encoders') : undefined });
}
