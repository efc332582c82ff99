import { createHash } from 'node:crypto';
import { Store } from '../src/files/store.ts';
import { sharedBytes } from '../src/model/chunks.ts';
import { ModelReader } from '../src/model/model-reader.ts';

export class KeptModels {
  private constructor(private readonly store: Store | undefined) {}

  /** @param folder undefined: nothing is cached */
  static async open(folder: string | undefined): Promise<KeptModels> {
    return new KeptModels(folder === undefined ? undefined : await Store.open(folder));
  }

  /** Returns the cached model of an `origin` (JSON data: all that it depends on), or makes and caches it. */
  async get(part: string, origin: readonly unknown[], make: () => Promise<SharedArrayBuffer>) {
    const name = `${createHash('sha256').update(JSON.stringify(origin)).digest('hex')}.model`;
    const kept = this.store?.read(name);
    if (kept !== undefined) return { model: ModelReader.fromBuffer(sharedBytes([kept]), part), isKept: true };
    const made = await make();
    this.store?.write(name, new Uint8Array(made));
    return { model: ModelReader.fromBuffer(made, part), isKept: false };
  }
}
