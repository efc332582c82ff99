// Written by build/kernels.mjs: what the compiler declares of assembly/, where each function is described.

/** The inner loop of skip-gram, over a memory that threads share. */
export interface SkipGram {
  learn(
    struct: number,
    first: number,
    last: number,
    seed: number,
    epoch: number,
    chunk: number,
    rate: number,
    decay: number,
  ): void;
}
