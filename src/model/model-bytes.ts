import type { ModelWriter } from './model-writer.ts';

/** The bytes that the model's file would have, in memory that threads can share. */
export function modelBytes(writer: ModelWriter): SharedArrayBuffer {
  return sharedBytes([...writer.chunks()]);
}

/** Bytes in memory that threads can share. */
export function sharedBytes(chunks: readonly Uint8Array[]): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(chunks.reduce((sum, { length }) => sum + length, 0));
  const bytes = new Uint8Array(buffer);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return buffer;
}
