// AssemblyScript: the random numbers of class `Random`; every thread has a generator of its own.

let a: u32 = 0;
let b: u32 = 0;
let c: u32 = 0;
let counter: u32 = 0;

export function startDraws(seed: u32, second: u32, third: u32): void {
  a = seed;
  b = second;
  c = third;
  counter = 1;
  for (let i = 0; i < 15; i++) draw();
}

/** sfc32 of PractRand. */
export function draw(): u32 {
  const result = a + b + counter++;
  a = b ^ (b >>> 9);
  b = c + (c << 3);
  c = rotl<u32>(c, 21) + result;
  return result;
}

/** A draw from 0 to bound − 1. */
export function below(bound: u32): u32 {
  return (((draw() as u64) * (bound as u64)) >>> 32) as u32;
}
