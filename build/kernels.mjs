// Compiles the inner loops of networks to WebAssembly, and writes their signatures as the compiler declares them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { main } from 'assemblyscript/asc';

const folder = 'src/learn/network';
const files = ['matrices', 'lstm', 'quantized', 'adam'];
const built = `dist/${folder}`;
let declarations = '';

mkdirSync(built, { recursive: true });
const { error, stderr } = await main(
  [
    ...files.map((name) => `${folder}/assembly/${name}.ts`),
    ...['--outFile', `${built}/kernels.wasm`, '--bindings', 'raw'],
    ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory'],
  ],
  { writeFile: write },
);
if (error) {
  process.stderr.write(stderr.toString());
  throw error;
}
const signatures = [...declarations.matchAll(/export function (\w+)\((.*)\): (\w+);/g)].map(signature);
writeFileSync(
  `${folder}/kernels.ts`,
  `// Written by build/kernels.mjs: what the compiler declares of assembly/, where each function is described.

/** The inner loops of networks over one memory. Arguments are addresses in bytes, or counts of numbers. */
export interface Kernels {
${signatures.join('\n')}
}
`,
);

function write(name, contents) {
  if (name.endsWith('.wasm')) writeFileSync(name, contents);
  if (name.endsWith('.d.ts')) declarations = contents;
}

/** A method of an interface, broken into lines as the formatter would. */
function signature([, name, parameters, result]) {
  const line = `  ${name}(${parameters}): ${result};`;
  if (line.length <= 110) return line;
  const lines = parameters.split(', ').map((parameter) => `    ${parameter},\n`);
  return `  ${name}(\n${lines.join('')}  ): ${result};`;
}
