/** Parsing whole files in threads, and the best tree of a score matrix. */

export type {
  Parse,
  ParseOptions,
  Parser,
  ParserImplementation,
  ProbableArcs,
  RankedParse,
  UnseenValue,
} from '../parsers/parser.ts';
export { loadParser, openParser, saveParser } from '../parsers/registry.ts';
export type { SentenceParser } from '../parsers/run/batch-parser.ts';
export type { MissingColumnOptions, ParseCallbacks } from '../parsers/run/column-check.ts';
export type { ThreadedParser } from '../parsers/run/parse-batches.ts';
export type { ParseFigures, ParseFileOptions, SentenceCheck } from '../parsers/run/parse-file.ts';
export { parseFile } from '../parsers/run/parse-file.ts';
export type { Decoder, DecoderOptions } from '../src/decode/decoder.ts';
export { createDecoder, type DecoderName, decoderNames, decoders } from '../src/decode/registry.ts';
export type { ConfidenceKind, Confidences } from '../src/treebank/columns/confidence.ts';
export type { AnnotatedColumn as ReadColumn } from '../src/treebank/columns/names.ts';
