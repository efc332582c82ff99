/** The kernels of networks, which the bundle holds as bytes. */
declare module 'kernels.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
