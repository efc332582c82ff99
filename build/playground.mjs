// Builds the playground, a page without a server behind it, into a folder of static files (default: dist/playground).
// After `npm run build`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { stylesheet } from '../dist/src/report/html/page.js';
import { drawingStyle } from '../dist/src/report/svg.js';
import { bundle } from './bundle.mjs';

if (process.argv[2]?.startsWith('-')) {
  console.error('usage: node build/playground.mjs [FOLDER]');
  process.exit(2);
}
const folder = resolve(process.argv[2] ?? 'dist/playground');
const sample = (part) => join('data/sample', `${part}.conllu`);
/** Small parsers for a first vote, trained on the sample. */
const ready = {
  graph: ['--epochs', '5', '--bits', '17'],
  transition: ['--beam', '1', '--epochs', '8', '--bits', '17'],
  bigram: [],
};

mkdirSync(join(folder, 'models'), { recursive: true });
for (const file of readdirSync(folder)) if (file.endsWith('.js')) rmSync(join(folder, file));
await bundle({ main: 'web/playground/main.ts', worker: 'web/playground/worker.ts' }, folder);
writePage();
for (const part of ['train', 'dev']) copyFileSync(sample(part), join(folder, `${part}.conllu`));
const models = [{ ...english(), kind: 'pipeline' }, ...Object.keys(ready).map(trained)];
writeFileSync(join(folder, 'models.json'), `${JSON.stringify(models, null, 1)}\n`);
await writeServiceWorker();

/** Writes the page of `parliament serve` with the additions of the playground. */
function writePage() {
  const data = (name) => readFileSync(join('data', name), 'utf8');
  const page = [
    [/<title>.*?(?=<link)/s, data('playground/head.html')],
    [/<script src="page.js" defer>/, '<script type="module" src="main.js">'],
    [/<p>Parse sentences.*?<\/p>/s, data('playground/header.html')],
    [/(?<=<textarea[^>]*>)/, 'The old dogs bark all night, and nobody knows why.'],
    [/(?=<\/main>)/, data('playground/training.html')],
  ].reduce((text, [place, content]) => {
    if (!place.test(text)) throw new Error(`data/serve/page.html lacks ${place}`);
    return text.replace(place, () => content);
  }, data('serve/page.html'));
  writeFileSync(join(folder, 'index.html'), page);
  const style =
    drawingStyle + stylesheet() + data('editor.css') + data('serve/page.css') + data('playground/page.css');
  writeFileSync(join(folder, 'page.css'), style);
}

function english() {
  const file = 'models/english.model';
  copyFileSync('models/english/english.model', join(folder, file));
  return {
    name: 'english',
    about: 'Universal Dependencies',
    file,
    digest: digestOf([readFileSync(join(folder, file))]),
  };
}

/** Trains a small parser, unless its model is newer than the program. */
function trained(name) {
  const file = `models/${name}.model`;
  const path = join(folder, file);
  const files = ['--train', sample('train'), '--dev', sample('dev'), '--model', path];
  if (!existsSync(path) || statSync(path).mtimeMs < statSync('dist/cli/main.js').mtimeMs) {
    execFileSync('node', ['dist/cli/main.js', 'train', name, ...files, ...ready[name], '--quiet']);
  }
  return { name, kind: 'parser', about: 'the sample', file };
}

async function writeServiceWorker() {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((file) => file.isFile() && !/^(english\.model|service-worker\.js)$/.test(file.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
  const digest = digestOf(files.map((file) => readFileSync(join(folder, file)))).slice(0, 16);
  const playground = { files: ['./', ...files.filter((file) => file !== 'index.html')], digest };
  await bundle({ 'service-worker': 'web/playground/service-worker.ts' }, folder, {
    PLAYGROUND: JSON.stringify(playground),
  });
}

function digestOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
