import { UsageError } from '../../errors.ts';
import { assembly } from '../../platform/assembly.ts';
import type { Kernels } from './kernels.ts';
import { FLOAT, LANES } from './layout.ts';

/** A block of floats in the network's memory: its byte address for kernels, and a view of its values. */
export type Floats = { readonly at: number; readonly values: Float32Array };

/** The part of the WebAssembly API used here, which the types of Node lack. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
  Memory: new (pages: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: boolean;
  }) => WasmMemory;
};

/** A WebAssembly memory; a shared one may be sent to threads. */
export type WasmMemory = { readonly buffer: ArrayBufferLike };

/** The unit of WebAssembly's memory: 64 KiB. */
const PAGE = 65_536;
/** Largest number of floats: just below 4 GB. */
const MOST_NUMBERS = 1_073_676_288;
/** Bytes reserved for structs at the beginning of the memory. */
const STRUCT_BYTES = 4096;

const compiled = new Map<string, object>();

/** Rounds n up to a multiple of `LANES`: the length of a row of n floats. */
export const padded = (n: number): number => Math.ceil(n / LANES) * LANES;

/** The second half of a doubled memory. */
export type SecondHalf = { readonly memory: WasmMemory; readonly start: number; readonly isShared: boolean };

/**
 * A network's memory, with its kernels: a bump allocator whose blocks are never freed; untouched pages use no physical
 * memory. A doubled memory holds a network twice, for the two halves of a batch: both halves have the same layout, and the
 * blocks of `takeCommon` exist only in the first.
 */
export class NetworkMemory {
  kernels!: Kernels;
  private memory: WasmMemory | undefined;
  private buffer: ArrayBufferLike | undefined;
  private structs: Uint32Array = new Uint32Array(STRUCT_BYTES / FLOAT);
  private readonly taken: [floats: { readonly at: number; values: Float32Array }, count: number][] = [];
  private freeStruct = LANES;
  private free: number;
  private bytes = 0;

  /**
   * @param count number of floats to allocate at once; absent: `allocate` is called after the last `take`
   * @param kind `doubled` or `shared`: the first half of a doubled memory, for one thread or two;
   * `SecondHalf`: the second
   */
  constructor(
    count?: number,
    private readonly kind: 'single' | 'doubled' | 'shared' | SecondHalf = 'single',
  ) {
    this.free = this.start + STRUCT_BYTES;
    if (count !== undefined) this.allocate(count);
  }

  /** The second half; only after `allocate`. */
  get second(): SecondHalf {
    return { memory: this.memory!, start: this.bytes, isShared: this.kind === 'shared' };
  }

  private get start(): number {
    return typeof this.kind === 'string' ? 0 : this.kind.start;
  }

  /** Allocates zeros and sets the views of all blocks; throws `UsageError` beyond WebAssembly's address space. */
  allocate(count = (this.free - this.start - STRUCT_BYTES) / FLOAT): void {
    this.bytes = STRUCT_BYTES + count * FLOAT;
    const { kind } = this;
    this.memory = typeof kind === 'string' ? this.newMemory(count) : kind.memory;
    const isShared = typeof kind === 'string' ? kind === 'shared' : kind.isShared;
    this.kernels = instantiate(paths[isShared ? 'kernels-shared' : 'kernels'], this.memory) as Kernels;
    this.buffer = this.memory.buffer;
    const structs = new Uint32Array(this.buffer, this.start, this.structs.length);
    structs.set(this.structs);
    this.structs = structs;
    for (const [floats, length] of this.taken)
      floats.values = new Float32Array(this.buffer, floats.at, length);
  }

  private newMemory(each: number): WasmMemory {
    const count = this.kind === 'single' ? each : 2 * each + STRUCT_BYTES / FLOAT;
    if (count > MOST_NUMBERS) {
      throw new UsageError(
        `a network with ${count} numbers in memory, the limit is ${MOST_NUMBERS}: expected a smaller network, or shorter sentences`,
      );
    }
    const pages = Math.ceil((STRUCT_BYTES + count * FLOAT) / PAGE);
    return memoryOf(pages, this.kind === 'shared');
  }

  /** Takes the next `count` floats, a multiple of `LANES`. */
  take(count: number): Floats {
    const at = this.free;
    this.free += count * FLOAT;
    return this.view(at, count);
  }

  /** Takes floats that both halves of a doubled memory share. */
  takeCommon(count: number): Floats {
    const { at } = this.take(count);
    return this.view(at - this.start, count);
  }

  /** Returns the address in the other half that corresponds to `at` in this one. */
  inOther(at: number): number {
    return typeof this.kind === 'string' ? at + this.bytes : at - this.kind.start;
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
    if (this.freeStruct > this.structs.length) throw new Error('no space for another struct');
    for (const [name, value] of entries) this.structs[at + (fields[name as keyof Fields] as number)] = value;
    return this.start + at * FLOAT;
  }
}

/** Literal paths, so that bundlers and the package's file list see these modules as dependencies. */
const paths = {
  kernels: 'dist/src/learn/network/kernels.wasm',
  'kernels-shared': 'dist/src/learn/network/kernels-shared.wasm',
};

/** Compiles the module of a path, once, and instantiates it over a memory; returns its exports. */
export function instantiate(path: string, memory: WasmMemory): unknown {
  const module = compiled.get(path) ?? new WebAssembly.Module(assembly(path));
  compiled.set(path, module);
  return new WebAssembly.Instance(module, { env: { memory } }).exports;
}

/** A memory of a fixed number of pages. */
export function memoryOf(pages: number, shared: boolean): WasmMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
}
