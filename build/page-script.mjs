// Makes one file of the report page's script and all that it imports: a page that opens from disk can load no modules.
import { build } from 'esbuild';

await build({
  entryPoints: ['src/report/html/browser/main.ts'],
  outfile: 'dist/src/report/html/page-script.js',
  bundle: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
});
