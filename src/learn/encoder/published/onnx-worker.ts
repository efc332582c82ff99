/** Entry of the thread that runs published encoders: their packages are asynchronous, parsers are not. */
import { jsonDigest } from '../../../digest.ts';
import { Store } from '../../../files/store.ts';
import { join } from '../../../platform/files.ts';
import { answerRequests } from '../../../platform/threads.ts';
import { OnnxEncoder, openRuntime } from './onnx-encoder.ts';

/** Asks for the vectors of the words of a sentence, which must have one or more; the answer: a row of numbers for each. */
export interface EncodingRequest {
  readonly folder: string;
  readonly digest: string;
  readonly words: readonly string[];
  /** The folder that caches answers. */
  readonly cache: string | undefined;
}

/** Open encoders by digest. */
const opened = new Map<string, Promise<OnnxEncoder>>();

answerRequests(async ({ folder, digest, words, cache }: EncodingRequest): Promise<Float32Array> => {
  const runtime = await openRuntime(folder);
  const describe = async () => {
    const encoder = opened.get(digest) ?? OnnxEncoder.open(folder, runtime);
    opened.set(digest, encoder);
    return (await encoder).describe(words);
  };
  if (cache === undefined) return describe();
  const store = await Store.open(join(cache, digest));
  const name = jsonDigest([runtime.env.versions, words]);
  const kept = store.read(name);
  if (kept !== undefined) return new Float32Array(Uint8Array.from(kept).buffer);
  const numbers = await describe();
  store.write(name, new Uint8Array(numbers.buffer));
  return numbers;
});
