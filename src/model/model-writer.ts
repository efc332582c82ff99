import { fileChunks, sharedBytes } from './chunks.ts';
import { type ModelKind, prefixOf, type SectionArray } from './layout.ts';
import type { ModelReader } from './model-reader.ts';

export interface SaveOptions {
  /** Quantize and compress the model, for a fraction of the size; default: no. */
  readonly compact?: boolean | undefined;
}

/** Collects the content of a model file: a JSON header, named arrays of numbers (sections), and models as parts. */
export class ModelWriter {
  /** Written as JSON in the order of insertion; the same content gives the same bytes. */
  readonly header: Record<string, unknown>;
  private readonly sections = new Map<string, SectionArray>();
  private readonly parts = new Map<string, ModelWriter>();

  constructor(kind: ModelKind = 'model') {
    this.header = { kind };
  }

  /** Adds a section. The array is not copied: leave it unchanged until the file is written. */
  section(name: string, array: SectionArray): void {
    if (this.sections.has(name)) throw new TypeError(`two sections are called ${name}`);
    this.sections.set(name, array);
  }

  /** Adds a part: a model within the file, which `ModelReader.part` opens. */
  part(name: string): ModelWriter {
    if (name === '' || name.includes('/')) throw new TypeError(`a part cannot be called “${name}”`);
    if (this.parts.has(name)) throw new TypeError(`two parts are called ${name}`);
    const part = new ModelWriter();
    this.parts.set(name, part);
    return part;
  }

  /** Adds the whole content of a model. */
  copy(model: ModelReader): void {
    const { parts: _, ...header } = model.header;
    Object.assign(this.header, header);
    for (const [name, array] of model.sections()) this.section(name, array);
    for (const name of model.partNames) this.part(name).copy(model.part(name));
  }

  /** The file's bytes in order; arrays are not copied, unless the file is to be compact (see `pack`). */
  chunks({ compact = false }: SaveOptions = {}): Generator<Uint8Array> {
    return fileChunks(this.wholeHeader(), this.allSections(), compact);
  }

  private wholeHeader(): Record<string, unknown> {
    if (this.parts.size === 0) return this.header;
    if ('parts' in this.header) throw new TypeError('the header’s field parts is taken by the parts');
    const parts = [...this.parts].map(([name, part]) => [name, part.wholeHeader()]);
    return { ...this.header, parts: Object.fromEntries(parts) };
  }

  private allSections(): Map<string, SectionArray> {
    const all = new Map(this.sections);
    for (const [part, writer] of this.parts) {
      for (const [section, array] of writer.allSections()) {
        const name = prefixOf([part]) + section;
        if (all.has(name)) throw new TypeError(`two sections are called ${name}`);
        all.set(name, array);
      }
    }
    return all;
  }
}

export function modelBytes(writer: ModelWriter, options?: SaveOptions): SharedArrayBuffer {
  return sharedBytes([...writer.chunks(options)]);
}
