import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DataStore, FolderStore } from '../../../experiment/queue/data-store.ts';
import {
  receiveFile,
  receiveText,
  sendFile,
  sendText,
  sizeLimits,
} from '../../../experiment/queue/transfer.ts';
import { InputError } from '../../../src/errors.ts';
import { Replacement } from '../../../src/files/replacement.ts';
import { collect } from '../../support/collect.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('transfer');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

class MemoryStore implements DataStore {
  readonly data = new Map<string, Buffer>();
  async has(digest: string) {
    return this.data.has(digest);
  }
  async put(digest: string, compressed: AsyncIterable<Buffer>) {
    const pieces: Buffer[] = [];
    for await (const piece of compressed) pieces.push(piece);
    this.data.set(digest, Buffer.concat(pieces));
  }
  async get(digest: string) {
    const bytes = this.data.get(digest);
    if (bytes === undefined) return undefined;
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
      bytes.subarray(7 * i, 7 * i + 7),
    );
    return Readable.from(pieces);
  }
  async release() {}
  async remove(digest: string) {
    this.data.delete(digest);
  }
}

describe('transferred data', () => {
  it('arrive unchanged, and are compressed in the store', async () => {
    const store = new MemoryStore();
    const text = 'a line\n'.repeat(1000);
    const file = sandbox.save('sent', text);
    await sendFile(store, sha256(text), file);
    expect([...store.data.values()][0].length).toBeLessThan(text.length / 10);
    expect(await receiveFile(store, sha256(text), sandbox.path('got'))).toBe(true);
    expect(readFileSync(sandbox.path('got'), 'utf8')).toBe(text);
    expect(await receiveText(store, await sendText(store, 'ö'))).toBe('ö');
  });

  it('that are missing are reported; damaged or wrong data are refused and removed, and no file is written', async () => {
    const store = new MemoryStore();
    const path = sandbox.path('never');
    const digest = sha256('right');
    expect(await receiveFile(store, digest, path)).toBe(false);
    for (const wrong of [
      gzipSync('wrong'),
      gzipSync('right').subarray(0, 12),
      Buffer.from('no gzip'),
      Buffer.of(),
    ]) {
      store.data.set(digest, wrong);
      await expect(receiveFile(store, digest, path)).rejects.toThrow(
        /^data [0-9a-f]{12}… in the store are damaged$/,
      );
      expect(await store.has(digest)).toBe(false);
    }
    expect(existsSync(path)).toBe(false);
  });

  it('that cannot be written, here or into a shared folder, cause an error with the file and the reason', async () => {
    const store = await FolderStore.open(sandbox.path('shared'));
    const digest = await sendText(store, 'text');
    const nowhere = sandbox.path('no such folder/file');
    await expect(receiveFile(store, digest, nowhere)).rejects.toThrow(
      new InputError('cannot be written: no such file or folder', { file: nowhere }),
    );
    rmSync(sandbox.path('shared'), { recursive: true });
    writeFileSync(sandbox.path('shared'), 'no folder any more');
    const file = sandbox.path(`shared/${sha256('other')}.gz`);
    await expect(sendText(store, 'other')).rejects.toThrow(
      new InputError('cannot be written: part of the path is not a folder', { file }),
    );
  });

  it('that cannot be written leave no file open', async () => {
    const store = await FolderStore.open(sandbox.path('open'));
    const digest = await sendText(store, 'text');
    const data = (await store.get(digest))!;
    store.get = async () => data;
    await expect(receiveFile(store, digest, sandbox.path('no such folder/file'))).rejects.toThrow(InputError);
    expect(data.destroyed).toBe(true);
  });

  it('are refused if the disk is full, and the process goes on', async () => {
    const store = new MemoryStore();
    const digest = await sendText(store, 'text');
    const full = vi.spyOn(Replacement.prototype, 'write').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28 });
    });
    const file = sandbox.path('full');
    const refusal = new InputError('cannot be written: no space left on device', { file });
    await expect(receiveFile(store, digest, file)).rejects.toThrow(refusal);
    full.mockRestore();
    expect(await receiveFile(store, digest, file)).toBe(true);
  });

  it('still arrive whole if they are removed from a shared folder while they are read', async () => {
    const store = await FolderStore.open(sandbox.path('cleared'));
    const digest = await sendText(store, 'text');
    const data = await store.get(digest);
    rmSync(sandbox.path('cleared'), { recursive: true });
    expect(String(gunzipSync(Buffer.concat(await collect(data!))))).toBe('text');
    expect(await receiveText(store, digest)).toBeUndefined();
  });
});

describe('the limit on decompressed data', () => {
  const limits = { ...sizeLimits };
  afterEach(() => {
    Object.assign(sizeLimits, limits);
  });

  it('is 4 GB for files and 256 MB for texts held in memory', () => {
    expect(sizeLimits).toEqual({ file: 4_000_000_000, text: 256_000_000 });
  });

  it.each([
    ['file', (store: DataStore, digest: string, path: string) => receiveFile(store, digest, path)],
    ['text', (store: DataStore, digest: string) => receiveText(store, digest)],
  ] as const)('accepts exactly this number of bytes and refuses one more: %s', async (kind, receive) => {
    const store = new MemoryStore();
    const path = sandbox.path(`limited-${kind}`);
    // With 0 for the other limit, the test fails if that is the one applied.
    Object.assign(sizeLimits, { file: 0, text: 0, [kind]: 100_000 });
    const right = await sendText(store, 'x'.repeat(100_000));
    expect(await receive(store, right, path)).toBeTruthy();
    rmSync(path, { force: true });
    const tooMuch = await sendText(store, 'x'.repeat(100_001));
    await expect(receive(store, tooMuch, path)).rejects.toThrow(
      `data ${tooMuch.slice(0, 12)}… are larger than 100000 bytes`,
    );
    expect(existsSync(path)).toBe(false);
  });

  it('stops a decompression bomb as soon as it is reached', async () => {
    const bomb = gzipSync(Buffer.alloc(64_000_000));
    let read = 0;
    const store = new MemoryStore();
    store.get = async () =>
      Readable.from(
        (function* () {
          for (let i = 0; i < bomb.length; i += 100) {
            read += 100;
            yield bomb.subarray(i, i + 100);
          }
        })(),
      );
    sizeLimits.text = 1_000_000;
    await expect(receiveText(store, sha256('other'))).rejects.toThrow('are larger than 1000000 bytes');
    expect(read).toBeLessThan(bomb.length / 2);
  });
});
