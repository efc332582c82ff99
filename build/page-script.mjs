// Makes one file of each page's script and all that it imports: a page that opens from disk can load no modules, and
// one that is served is there sooner.
import { build } from 'rolldown';

const scripts = [
  ['src/report/html/browser/main.ts', 'dist/src/report/html/page-script.js'],
  ['src/report/explanation/page-script.ts', 'dist/src/report/html/explanation-script.js'],
  ['serve/page/browser/main.ts', 'dist/serve/page/page-script.js'],
];

for (const [input, file] of scripts) {
  await build({
    input,
    platform: 'browser',
    transform: { target: 'es2022' },
    output: { file, format: 'iife', comments: false, strict: true },
    logLevel: 'warn',
  });
}
