// Bundles what runs in browsers: the scripts of pages, and `parliament/web` with its worker. Modules of src/platform
// are those of pages (`.browser.ts`).
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'rolldown';

const platform = {
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
    return code.replace(/new URL\(\s*'[^']+-worker\.js',\s*import\.meta\.url\)/g, 'undefined');
  },
};

// One file of each page's script and all that it imports: a page that opens from disk can load no modules, and one
// that is served is there sooner.
const scripts = [
  ['src/report/html/browser/main.ts', 'dist/src/report/html/page-script.js'],
  ['src/report/explanation/page-script.ts', 'dist/src/report/html/explanation-script.js'],
  ['serve/page/browser/main.ts', 'dist/serve/page/page-script.js'],
];

for (const [input, file] of scripts) {
  await build({
    input,
    platform: 'browser',
    plugins: [platform],
    transform: { target: 'es2022' },
    output: { file, format: 'iife', comments: false, strict: true },
    logLevel: 'warn',
  });
}

// What the compiler has made of web/ is for its declarations alone.
for (const file of readdirSync('dist/web')) if (file.endsWith('.js')) rmSync(join('dist/web', file));

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
await build({
  input: { index: 'web/index.ts', worker: 'web/worker.ts' },
  platform: 'browser',
  plugins: [platform, threads],
  resolve: { alias: { 'kernels.wasm': resolve('dist/src/learn/network/kernels.wasm') } },
  moduleTypes: { '.wasm': 'binary' },
  transform: {
    target: 'es2022',
    // Only pages with headers of their own have memory that threads share.
    define: { SharedArrayBuffer: 'ArrayBuffer', PARLIAMENT_VERSION: JSON.stringify(version) },
  },
  treeshake: { moduleSideEffects: false },
  output: {
    dir: 'dist/web',
    format: 'esm',
    minify: true,
    comments: false,
    chunkFileNames: '[name]-[hash].js',
  },
  logLevel: 'warn',
});
