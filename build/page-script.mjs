// Makes one file of the report page's script and all that it imports: a page that opens from disk can load no modules.
import { build } from 'rolldown';

await build({
  input: 'src/report/html/browser/main.ts',
  platform: 'browser',
  transform: { target: 'es2022' },
  output: { file: 'dist/src/report/html/page-script.js', format: 'iife', comments: false, strict: true },
  logLevel: 'warn',
});
