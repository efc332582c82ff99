// Makes one file of each page's script and all that it imports: a page that opens from disk can load no modules.
import { build } from 'rolldown';

const scripts = { main: 'page-script', explanation: 'explanation-script' };

for (const [name, made] of Object.entries(scripts)) {
  await build({
    input: `src/report/html/browser/${name}.ts`,
    platform: 'browser',
    transform: { target: 'es2022' },
    output: { file: `dist/src/report/html/${made}.js`, format: 'iife', comments: false, strict: true },
    logLevel: 'warn',
  });
}
