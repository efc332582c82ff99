import kernels from 'kernels.wasm';

/** The one module that pages need, which the bundle holds. */
export function assembly(): Uint8Array {
  return kernels;
}
