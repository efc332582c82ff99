// Written by build/kernels.mjs: the declarations of the functions in assembly/, which are described there.

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
