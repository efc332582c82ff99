import type { ModelWriter, SaveOptions } from '../../src/model/model-writer.ts';

/** A model file's bytes as `readModelFile` would have them. */
export function modelBuffer(writer: ModelWriter, options?: SaveOptions): SharedArrayBuffer {
  const bytes = Buffer.concat([...writer.chunks(options)]);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
