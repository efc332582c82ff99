import { createHash } from 'node:crypto';
import { Store } from '../src/files/store.ts';
import { sharedBytes } from '../src/model/chunks.ts';
import { ModelReader } from '../src/model/model-reader.ts';

/** The SHA-256 of all that a cached file depends on, as JSON data: the file's name. */
export function digestOf(origin: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(origin)).digest('hex');
}

/** A cache of trained models in a folder. */
export class ModelCache {
  private constructor(private readonly store: Store | undefined) {}

  /** @param folder undefined: nothing is cached */
  static async open(folder: string | undefined): Promise<ModelCache> {
    return new ModelCache(folder === undefined ? undefined : await Store.open(folder));
  }

  /**
   * Returns the cached model of an `origin` (see `digestOf`), or makes and caches it.
   *
   * @param part name of the model in messages
   */
  async get(part: string, origin: readonly unknown[], make: () => Promise<SharedArrayBuffer>) {
    const name = `${digestOf(origin)}.model`;
    const kept = this.store?.read(name);
    if (kept !== undefined) return { model: ModelReader.fromBuffer(sharedBytes([kept]), part), isKept: true };
    const made = await make();
    this.store?.write(name, new Uint8Array(made));
    return { model: ModelReader.fromBuffer(made, part), isKept: false };
  }
}
