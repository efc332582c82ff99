import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package.ts';

/** A WebAssembly module of this package, by its path. */
export function assembly(path: string): Uint8Array {
  return readFileSync(join(packageFolder, path));
}
