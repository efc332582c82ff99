// `npm run prose`: what is wrong with the words that users and developers read, or nothing, with exit code 0.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proseChecker } from './check.mjs';

const pages = ['README.md', ...filesIn('docs', '.md'), ...filesIn('data', '.md')];
const folders = ['src', 'parsers', 'annotators', 'combine', 'experiment', 'serve', 'cli', 'bench'];
const sources = ['index.ts', ...folders.flatMap((folder) => filesIn(folder, '.ts'))];

function filesIn(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(ending),
  );
  return names.sort().map((name) => join(folder, name));
}

const [...asked] = process.argv.slice(2);
const files = asked.length > 0 ? asked : [...pages, ...sources];
const mistakesOf = await proseChecker();
let mistakes = 0;
for (const file of files) {
  for (const mistake of await mistakesOf(file, readFileSync(file, 'utf8'))) {
    console.log(mistake);
    mistakes++;
  }
}
console.log(`${files.length} files read, ${mistakes} mistakes`);
if (mistakes > 0) process.exitCode = 1;
