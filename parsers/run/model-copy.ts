import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import type { Parser } from '../parser.ts';
import { openParser, registeredModules, registerParadigm } from '../registry.ts';

/** A model as threads are given it: they share its weights. */
export interface ModelCopy {
  readonly buffer: SharedArrayBuffer;
  readonly name: string;
  /** Where paradigms from outside this package are found. */
  readonly modules: readonly string[];
}

/** Of a model that is open, or of one in a file. */
export function copyOf(model: ModelReader | string): ModelCopy {
  const { buffer, name } = typeof model === 'string' ? readModelFile(model) : model;
  return { buffer, name, modules: registeredModules() };
}

/** The parser of a model, in whichever thread. */
export async function openCopy({ buffer, name, modules }: ModelCopy): Promise<Parser> {
  for (const module of modules) await registerParadigm(module);
  return openParser(ModelReader.fromBuffer(buffer, name));
}
