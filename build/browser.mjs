// Bundles what runs in browsers: the scripts of pages, and `parliament/web` with its worker.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { bundle, platform } from './bundle.mjs';

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

await bundle({ index: 'web/index.ts', worker: 'web/worker.ts' }, 'dist/web');
