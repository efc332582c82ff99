// Compiles inner loops to WebAssembly, and writes their signatures as the compiler declares them.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';

const shared = ['--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'];
const kernels = ['matrices', 'blocked', 'lstm', 'quantized', 'adam'];
await compile('src/learn/network', 'kernels', kernels, {
  name: 'Kernels',
  about:
    'The inner loops of networks over one memory. Arguments are addresses in bytes, or counts of numbers.',
  flags: [],
});
await compile('src/learn/network', 'kernels-shared', kernels, { flags: shared });
await compile('src/learn/skip-gram', 'skip-gram', ['skip-gram'], {
  name: 'SkipGram',
  about: 'The inner loop of skip-gram, over a memory that threads share.',
  flags: shared,
});

/** Whether a file is newer than what it is made from, this script and the compiler included. */
function isNewer(file, folder) {
  const sources = readdirSync(folder).map((name) => `${folder}/${name}`);
  const changed = [...sources, import.meta.filename, 'package-lock.json'].map(
    (path) => statSync(path).mtimeMs,
  );
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Math.max(...changed);
}

/** Compiles files of `folder/assembly` into a module in dist/; with a name, writes an interface of it into `folder`. */
async function compile(folder, module, files, { name, about, flags }) {
  const built = `dist/${folder}`;
  if (isNewer(`${built}/${module}.wasm`, `${folder}/assembly`)) return;
  const { main } = await import('assemblyscript/asc'); // Takes a second to load.
  let declarations = '';
  mkdirSync(built, { recursive: true });
  const { error, stderr } = await main(
    [
      ...files.map((file) => `${folder}/assembly/${file}.ts`),
      ...['--outFile', `${built}/${module}.wasm`, '--bindings', 'raw'],
      ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory', ...flags],
    ],
    {
      writeFile(path, contents) {
        if (path.endsWith('.wasm')) writeFileSync(path, contents);
        if (path.endsWith('.d.ts')) declarations = contents;
      },
    },
  );
  if (error) {
    process.stderr.write(stderr.toString());
    throw error;
  }
  if (name === undefined) return;
  const signatures = [...declarations.matchAll(/export function (\w+)\((.*)\): (\w+);/g)].map(signature);
  writeFileSync(
    `${folder}/${module}.ts`,
    `// Written by build/kernels.mjs: the declarations of the functions in assembly/, which are described there.

/** ${about} */
export interface ${name} {
${signatures.join('\n')}
}
`,
  );
}

/** A method of an interface, broken into lines as the formatter would. */
function signature([, name, parameters, result]) {
  const line = `  ${name}(${parameters}): ${result};`;
  if (line.length <= 110) return line;
  const lines = parameters.split(', ').map((parameter) => `    ${parameter},\n`);
  return `  ${name}(\n${lines.join('')}  ): ${result};`;
}
