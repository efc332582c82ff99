import { InputError } from '../src/errors.ts';
import { sha256 } from '../src/platform/platform.ts';
import type { LoadProgress } from './protocol.ts';
import { openStore } from './store.ts';

interface FetchedModel {
  readonly bytes: ArrayBuffer;
  /** Caches the bytes of the opened model; a compressed model is kept decompressed, which opens faster. */
  keep?(opened: ArrayBuffer): Promise<void>;
  /** Removes a model that is damaged from the cache. */
  forget?(): Promise<unknown>;
}

/**
 * Fetches a model. With its digest (SHA-256, hexadecimal), it is fetched once and then read from the browser's cache,
 * even if its address changes. Throws `InputError` if it cannot be fetched or has another digest.
 */
export async function fetchModel(
  address: string,
  wanted: string | undefined,
  onProgress: (progress: LoadProgress) => void,
): Promise<FetchedModel> {
  // Addresses such as `blob:` have no path for a key.
  const isCached = wanted !== undefined && /^https?:/.test(address);
  const store = isCached ? await openStore('parliament-models') : undefined;
  if (store === undefined) return { bytes: (await fetched(address, onProgress, wanted)).buffer };
  const key = new URL(`/parliament-models/${wanted!.toLowerCase()}`, address).href;
  const kept = await store.match(key);
  if (kept !== undefined) return { bytes: await kept.arrayBuffer(), forget: () => store.delete(key) };
  const bytes = await fetched(address, onProgress, wanted);
  return {
    bytes: bytes.buffer,
    // If the cache is full, the model is fetched again next time.
    keep: async (opened) => store.put(key, new Response(opened)).catch(() => undefined),
  };
}

/** Throws `InputError` for bytes of another digest (SHA-256, hexadecimal). */
export function checkDigest(bytes: Uint8Array, wanted: string, file: string): void {
  const found = sha256().update(bytes).digest('hex');
  if (found !== wanted.toLowerCase()) throw new InputError(`SHA-256 ${found}, expected ${wanted}`, { file });
}

async function fetched(
  address: string,
  onProgress: (progress: LoadProgress) => void,
  digest: string | undefined,
) {
  const refuse = (problem: string): never => {
    throw new InputError(`cannot be fetched: ${problem}`, { file: address });
  };
  const response = await fetch(address).catch((error: Error) => refuse(error.message));
  if (!response.ok) refuse(`${response.status} ${response.statusText}`.trim());
  const length = Number(response.headers.get('content-length'));
  // The header has the length of the response as sent, which may be compressed.
  const isPlain = response.headers.get('content-encoding') === null;
  const total = isPlain && length > 0 ? length : undefined;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let loaded = 0;
  const reader = response.body!.getReader();
  const read = () => reader.read().catch((error: Error) => refuse(error.message));
  for (let next = await read(); !next.done; next = await read()) {
    chunks.push(next.value);
    loaded += next.value.length;
    onProgress({ loaded, total });
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  if (digest !== undefined) checkDigest(bytes, digest, address);
  return bytes;
}
