import { createHash } from 'node:crypto';
import type { Store } from '../src/files/store.ts';
import { sharedBytes } from '../src/model/chunks.ts';
import { ModelReader } from '../src/model/model-reader.ts';

/** The SHA-256 of all that a cached file depends on, as JSON data: the file's name. */
export function digestOf(origin: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(origin)).digest('hex');
}

/**
 * Returns the cached model of an `origin` (see `digestOf`), or makes and caches it.
 *
 * @param store undefined: nothing is cached
 * @param part name of the model in messages
 */
export async function cachedModel(
  store: Store | undefined,
  part: string,
  origin: readonly unknown[],
  make: () => Promise<SharedArrayBuffer>,
) {
  const name = `${digestOf(origin)}.model`;
  const kept = store?.read(name);
  if (kept !== undefined) return { model: ModelReader.fromBuffer(sharedBytes([kept]), part), isKept: true };
  const made = await make();
  store?.write(name, new Uint8Array(made));
  return { model: ModelReader.fromBuffer(made, part), isKept: false };
}
