import type { ModelWriter } from '../../src/model/model-writer.ts';

/** A model file's bytes as `readModelFile` would have them. */
export function modelBuffer(writer: ModelWriter): SharedArrayBuffer {
  const bytes = Buffer.concat([...writer.chunks()]);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
