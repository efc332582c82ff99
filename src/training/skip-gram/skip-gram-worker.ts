/** Entry of a worker thread that learns some of the dimensions of word vectors. */
import { workerData } from 'piscina';
import type { WasmMemory } from '../../learn/network/memory.ts';
import { openSkipGram } from '../../learn/skip-gram/memory.ts';
import type { SkipGram } from '../../learn/skip-gram/skip-gram.ts';

/** Arguments of the kernel after the thread's struct. */
export type Place = Parameters<SkipGram['learn']> extends [number, ...infer Rest] ? Rest : never;

export type SkipGramTask = { readonly struct: number; readonly place: Place };
const kernel = openSkipGram((workerData as { readonly memory: WasmMemory }).memory);

export default function learn({ struct, place }: SkipGramTask): void {
  kernel.learn(struct, ...place);
}
