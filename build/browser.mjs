// Bundles what runs in browsers: the scripts of pages, and `parliament/web` with its worker.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { bundle, platform } from './bundle.mjs';

// Each script is one file with all that it imports: pages opened from disk cannot load modules, and served ones load faster.
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

// Of the compiler's output for web/, only the declarations are needed.
for (const file of readdirSync('dist/web')) if (file.endsWith('.js')) rmSync(join('dist/web', file));

await bundle({ index: 'web/index.ts', worker: 'web/worker.ts' }, 'dist/web');
