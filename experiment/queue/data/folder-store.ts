import { open, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../src/files/make-folder.ts';
import type { DataStore } from './data-store.ts';
import { writeWhole } from './write-whole.ts';

/** Data in a folder that all machines share. Any of its files may be removed that has not been touched for long. */
export class FolderStore implements DataStore {
  private constructor(private readonly folder: string) {}

  /** Makes the folder where it does not exist. Throws `InputError` where that cannot be. */
  static async open(folder: string): Promise<FolderStore> {
    await makeFolder(folder);
    return new FolderStore(folder);
  }

  async has(digest: string): Promise<boolean> {
    const now = new Date();
    return utimes(this.file(digest), now, now).then(
      () => true,
      () => false,
    );
  }

  async put(digest: string, compressed: AsyncIterable<Buffer>): Promise<void> {
    await writeWhole(this.file(digest), async (write) => {
      for await (const piece of compressed) write(piece);
    });
  }

  async get(digest: string): Promise<AsyncIterable<Buffer> | undefined> {
    // Opened at once: it may be removed at any time.
    const file = await open(this.file(digest)).catch(() => undefined);
    return file?.createReadStream();
  }

  async release(): Promise<void> {
    // Others may still need it; a folder has room.
  }

  private file(digest: string): string {
    return join(this.folder, `${digest}.gz`);
  }
}
