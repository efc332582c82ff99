/** The model file: its header and sections. */

export type { HeaderFields } from '../src/model/header-fields.ts';
export type { ModelKind, SectionArray, SectionArrays, SectionType } from '../src/model/layout.ts';
export { readModelFile, writeModelFile } from '../src/model/model-file.ts';
export type { NumberReader } from '../src/model/model-reader.ts';
export { type ExpectedNumbers, type ModelContent, ModelReader } from '../src/model/model-reader.ts';
export { ModelWriter, type SaveOptions } from '../src/model/model-writer.ts';
