import { jsonDigest } from '../src/digest.ts';
import type { Store } from '../src/files/store.ts';
import { sharedBytes } from '../src/model/chunks.ts';
import { ModelReader } from '../src/model/model-reader.ts';

/**
 * Returns the cached model of an `origin`, or makes and caches it; the digest of the origin is the file's name.
 *
 * @param origin all that the model depends on, as JSON data
 * @param store undefined: nothing is cached
 * @param part name of the model in messages
 */
export async function cachedModel(
  store: Store | undefined,
  part: string,
  origin: readonly unknown[],
  make: () => Promise<SharedArrayBuffer>,
) {
  const name = `${jsonDigest(origin)}.model`;
  const cached = store?.read(name);
  if (cached !== undefined)
    return { model: ModelReader.fromBuffer(sharedBytes([cached]), part), isKept: true };
  const made = await make();
  store?.write(name, new Uint8Array(made));
  return { model: ModelReader.fromBuffer(made, part), isKept: false };
}
