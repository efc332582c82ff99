/**
 * Adds a field to a running hash; all are signed 32-bit integers. One round is XOR, a multiplication (by the first prime
 * of xxHash) and a shift: enough, since `finish` follows the last.
 */
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
