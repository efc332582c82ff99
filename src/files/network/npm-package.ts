import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Parser } from 'tar';
import { atMost } from './at-most.ts';
import { NpmRegistry } from './npm-registry.ts';
import type { Patience } from './patience.ts';

/** Bytes of an unpacked package: no registry takes one nearly as large. */
const LARGEST_PACKAGE = 2 ** 30;

/**
 * Reads one file out of a package's tarball as it streams by; the rest of the package is never unpacked. What
 * the registry says of the tarball's digest is not asked: who receives the file knows the file's own.
 *
 * @param spec name and version
 * @param path of the file within the tarball
 */
export async function fetchFromPackage(
  spec: string,
  path: string,
  patience: Patience,
  receive: (data: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const at = spec.lastIndexOf('@');
  const registry = new NpmRegistry(spec.slice(0, at), patience);
  try {
    await extract(await registry.openTarball(spec.slice(at + 1)), path, receive);
  } finally {
    await registry.close();
  }
}

/** Hands one file of a tarball on, and reads no further. */
function extract(
  tarball: AsyncIterable<Uint8Array>,
  path: string,
  receive: (data: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const isNone = ({ message }: Error) => reject(new Error(`what came is no package: ${message}`));
    let found = false;
    const tar = new Parser({
      strict: true,
      filter: (name) => name === path && !found,
      onReadEntry: (entry) => {
        found = true;
        receive(entry).then(resolve, reject);
      },
    });
    tar.on('error', isNone);
    tar.on('end', () => {
      if (!found) reject(new Error(`no file ${path} in the package`));
    });
    const packed = Readable.from(tarball).on('error', reject);
    const unpacked = packed.pipe(createGunzip()).on('error', isNone);
    const bounded = Readable.from(atMost(LARGEST_PACKAGE, unpacked)).on('error', isNone);
    bounded.pipe(tar as unknown as NodeJS.WritableStream);
  });
}
