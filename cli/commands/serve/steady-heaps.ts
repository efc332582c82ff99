import { setFlagsFromString } from 'node:v8';

/** By how many percent a heap may grow before it is collected again. */
const GROWTH = 20;

/**
 * Has the heaps of this process collected before they have grown by much. Left alone, V8 lets the small heap of a parsing
 * thread grow to several times what is in use: memory would rise for hours after a start, and after models are read anew.
 * It is for programs that only serve: it holds for every thread of the process, and cannot be taken back.
 */
export function keepHeapsSteady(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
