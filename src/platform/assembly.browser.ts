import kernels from 'kernels.wasm';

/** The WebAssembly module of the bundle, the only one that pages need. */
export function assembly(): Uint8Array {
  return kernels;
}
