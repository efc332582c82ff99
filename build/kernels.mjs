// Compiles the inner loops of networks to WebAssembly.
import { main } from 'assemblyscript/asc';

const files = ['matrices', 'rows', 'recurrence', 'rounded', 'learning'];

const { error, stderr } = await main([
  ...files.map((name) => `src/learn/network/assembly/${name}.ts`),
  ...['--outFile', 'dist/src/learn/network/kernels.wasm'],
  ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory'],
]);
if (error) {
  process.stderr.write(stderr.toString());
  throw error;
}
