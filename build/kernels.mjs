// Compiles the inner loops of networks to WebAssembly.
import { main } from 'assemblyscript/asc';

const { error, stderr } = await main([
  ...['src/learn/network/assembly/kernels.ts', '--outFile', 'dist/src/learn/network/kernels.wasm'],
  ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory'],
]);
if (error) {
  process.stderr.write(stderr.toString());
  throw error;
}
