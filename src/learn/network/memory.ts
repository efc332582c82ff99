import { UsageError } from '../../errors.ts';
import { assembly } from '../../platform/assembly.ts';
import type { Kernels } from './kernels.ts';
import { FLOAT, LANES } from './layout.ts';

/** Numbers in the memory of a network, as kernels address them (in bytes) and as this program sees them. */
export type Floats = { readonly at: number; readonly values: Float32Array };

/** The parts of WebAssembly that are used here: Node has it, its types lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  Memory: new (pages: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

/** The unit of WebAssembly's memory: 64 KiB. */
const PAGE = 65_536;
/** Just below 4 GB of numbers. */
const MOST_NUMBERS = 1_073_676_288;
/** Bytes at the beginning of the memory for structs. */
const STRUCT_BYTES = 4096;

let compiled: object | undefined;

/** The smallest multiple of `LANES` that is not below n: the length of a row of n numbers. */
export const padded = (n: number): number => Math.ceil(n / LANES) * LANES;

/** The memory of a network and its kernels: handed out once; untouched pages use no physical memory. */
export class NetworkMemory {
  kernels!: Kernels;
  private buffer: ArrayBuffer | undefined;
  private structs = new Uint32Array(STRUCT_BYTES / FLOAT);
  private readonly taken: [floats: { readonly at: number; values: Float32Array }, count: number][] = [];
  private freeStruct = LANES;
  private free = STRUCT_BYTES;

  /** @param count of numbers that can be taken; absent: all are taken before `allocate` */
  constructor(count?: number) {
    if (count !== undefined) this.allocate(count);
  }

  /** Allocates zeros and sets what was taken; throws `UsageError` beyond WebAssembly's addresses. */
  allocate(count = (this.free - STRUCT_BYTES) / FLOAT): void {
    if (count > MOST_NUMBERS) {
      throw new UsageError(
        `a network with ${count} numbers in memory, the limit is ${MOST_NUMBERS}: expected a smaller network, or shorter sentences`,
      );
    }
    compiled ??= new WebAssembly.Module(assembly('dist/src/learn/network/kernels.wasm'));
    const memory = new WebAssembly.Memory({ initial: Math.ceil((STRUCT_BYTES + count * FLOAT) / PAGE) });
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    this.kernels = exports as Kernels;
    this.buffer = memory.buffer;
    const structs = new Uint32Array(memory.buffer, 0, this.structs.length);
    structs.set(this.structs);
    this.structs = structs;
    for (const [floats, length] of this.taken)
      floats.values = new Float32Array(memory.buffer, floats.at, length);
  }

  /** The next `count` numbers, a multiple of `LANES`. */
  take(count: number): Floats {
    const at = this.free;
    this.free += count * FLOAT;
    return this.view(at, count);
  }

  view(at: number, count: number): Floats {
    if (this.buffer !== undefined) return { at, values: new Float32Array(this.buffer, at, count) };
    const floats = { at, values: new Float32Array(0) };
    this.taken.push([floats, count]);
    return floats;
  }

  /** Stores a struct for kernels, its fields in the order of an enumeration of layout.ts; returns its address. */
  struct<Fields extends object>(
    fields: Fields,
    values: Readonly<Record<Extract<keyof Fields, string>, number>>,
  ): number {
    const at = this.freeStruct;
    const entries = Object.entries<number>(values);
    this.freeStruct += entries.length;
    if (this.freeStruct > this.structs.length) throw new Error('no room for another struct');
    for (const [name, value] of entries) this.structs[at + (fields[name as keyof Fields] as number)] = value;
    return at * FLOAT;
  }
}
