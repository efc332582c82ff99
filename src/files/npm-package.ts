import { Readable } from 'node:stream';
import { Parser } from 'tar';
import { NpmRegistry } from './npm-registry.ts';

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
  signal: AbortSignal | undefined,
  receive: (data: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const at = spec.lastIndexOf('@');
  const registry = new NpmRegistry(spec.slice(0, at));
  try {
    const tarball = await registry.openTarball(spec.slice(at + 1), signal);
    await extract(Readable.fromWeb(tarball), path, receive);
  } finally {
    await registry.close();
  }
}

/** Hands one file of a tarball on, and reads no further. */
function extract(
  tarball: Readable,
  path: string,
  receive: (data: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let found = false;
    const tar = new Parser({
      strict: true,
      filter: (name) => name === path,
      onReadEntry: (entry) => {
        found = true;
        receive(entry).then(resolve, reject);
      },
    });
    tar.on('error', reject);
    tar.on('end', () => {
      if (!found) reject(new Error(`no file ${path} in the package`));
    });
    tarball.on('error', reject);
    tarball.pipe(tar as unknown as NodeJS.WritableStream);
  });
}
