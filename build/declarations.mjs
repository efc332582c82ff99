// Makes the declarations readable for TypeScript before 5.7, which has no generic typed arrays.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const typedArray = /\b(\w+Array|DataView|Buffer)<(Shared)?ArrayBuffer(Like)?>/g;

for (const { parentPath, name } of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = join(parentPath, name);
  const text = readFileSync(file, 'utf8');
  const plain = text.replaceAll(typedArray, '$1');
  if (plain !== text) writeFileSync(file, plain);
}
