// Bundles modules for browsers: modules of src/platform are those of pages (`.browser.ts`).
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build } from 'rolldown';

export const platform = {
  name: 'platform of pages',
  resolveId(name, importer = '') {
    if (!name.startsWith('.') || !`${importer}/${name}`.includes('platform/')) return null;
    const twin = resolve(dirname(importer), name).replace(/\.ts$/, '.browser.ts');
    return existsSync(twin) ? twin : null;
  },
};

/** Pages have no worker threads of Node: bundlers of users would look for their files. */
const threads = {
  name: 'no threads of Node',
  transform(code, id) {
    if (id.includes('/web/')) return null;
    return code.replace(/new URL\(\s*'[^']+\.js',\s*import\.meta\.url\)/g, 'undefined');
  },
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Entries and the chunks that they share, as modules in a folder. */
export function bundle(input, dir, define = {}) {
  return build({
    input,
    platform: 'browser',
    plugins: [platform, threads],
    resolve: { alias: { 'kernels.wasm': resolve('dist/src/learn/network/kernels.wasm') } },
    moduleTypes: { '.wasm': 'binary' },
    transform: {
      target: 'es2022',
      // Only pages with headers of their own have memory that threads share.
      define: { SharedArrayBuffer: 'ArrayBuffer', PARLIAMENT_VERSION: JSON.stringify(version), ...define },
    },
    treeshake: { moduleSideEffects: false },
    output: { dir, format: 'esm', minify: true, comments: false, chunkFileNames: '[name]-[hash].js' },
    logLevel: 'warn',
  });
}
