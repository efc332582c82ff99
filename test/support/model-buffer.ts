import type { ModelWriter, SaveOptions } from '../../src/model/model-writer.ts';

/** The bytes of a model file, in the kind of buffer that `readModelFile` uses. */
export function modelBuffer(writer: ModelWriter, options?: SaveOptions): SharedArrayBuffer {
  const bytes = Buffer.concat([...writer.chunks(options)]);
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
