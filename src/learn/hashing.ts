/** Adds a field to a 32-bit hash by XOR, xxHash's first prime and a shift; `finish` completes the mixing. */
export function mix(hash: number, field: number): number {
  const h = Math.imul(hash ^ field, 0x9e3779b1);
  return h ^ (h >>> 15);
}

/** Spreads every bit of a hash over all 32: the bijection `fmix32`, the finaliser of MurmurHash3. */
export function finish(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
