// Bundles modules for browsers, with the `.browser.ts` variants of modules in src/platform.
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

/** Removes the URLs of Node's worker threads: users' bundlers would look for their files. */
const threads = {
  name: 'no threads of Node',
  transform(code, id) {
    if (id.includes('/web/')) return null;
    return code.replace(/new URL\(\s*'[^']+\.js',\s*import\.meta\.url\)/g, 'undefined');
  },
};

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Bundles entries, and the chunks that they share, as modules into a folder. */
export function bundle(input, dir, define = {}) {
  return build({
    input,
    platform: 'browser',
    plugins: [platform, threads],
    resolve: { alias: { 'kernels.wasm': resolve('dist/src/learn/network/kernels.wasm') } },
    moduleTypes: { '.wasm': 'binary' },
    transform: {
      target: 'es2022',
      // Shared memory is only available to pages with special headers.
      define: { SharedArrayBuffer: 'ArrayBuffer', PARLIAMENT_VERSION: JSON.stringify(version), ...define },
    },
    treeshake: { moduleSideEffects: false },
    output: { dir, format: 'esm', minify: true, comments: false, chunkFileNames: '[name]-[hash].js' },
    logLevel: 'warn',
  });
}
