import { InputError } from '../../errors.ts';
import { countLines } from '../../files/encoding.ts';
import { quote } from '../../visible.ts';
import { inConllu, plusToConllu } from '../columns/plus.ts';
import { readColumns } from '../columns/read.ts';
import { isBlank, lineAfter } from '../reading/batches.ts';
import type { ReadingOptions } from '../reading/format.ts';
import type { Sentence, SentenceSource, SourcedSentence, TextBatch } from '../sentence.ts';
import { currentSource } from '../sentence.ts';
import { objectOf, shown } from './document-rows.ts';
import type { JsonComments, JsonSentence, JsonToken } from './json-sentence.ts';
import { commentFields, commentLines, contradiction, sentenceFields, tokenFields } from './json-sentence.ts';

/** Reads the sentences of a batch; the texts of their sources, joined, are the batch. Throws `InputError` unless `skipInvalid`. */
export const readJsonLines = (batch: TextBatch, options: ReadingOptions): Generator<Sentence> =>
  validSentences(blocksOf(batch), (block) => readBlock(block, options), options);

/** Reads sentences from items; with `skipInvalid`, leaves out items for which `read` throws `InputError`. */
export function* validSentences<Item>(
  items: Iterable<Item>,
  read: (item: Item) => Sentence,
  options: ReadingOptions,
): Generator<Sentence> {
  for (const item of items) {
    let sentence: Sentence | undefined;
    try {
      sentence = read(item);
    } catch (error) {
      if (!options.skipInvalid || !(error instanceof InputError)) throw error;
      options.onSkip?.(error);
    }
    if (sentence !== undefined) yield sentence;
  }
}

/** A line and the blank lines after it; the first also has those before it. */
interface LineBlock extends TextBatch {
  /** The line number of the sentence itself. */
  readonly sentenceLine: number;
}

function* blocksOf({ file, line: firstLine, text }: TextBatch): Generator<LineBlock> {
  let line = firstLine;
  for (let start = 0; start < text.length; ) {
    let at = start;
    while (at < text.length && isBlank(text, at)) at = lineAfter(text, at);
    if (at === text.length) return;
    const sentenceLine = line + countLines(text.slice(start, at), at - start);
    at = lineAfter(text, at);
    while (at < text.length && isBlank(text, at)) at = lineAfter(text, at);
    const block = text.slice(start, at);
    yield { file, line, sentenceLine, text: block };
    line += countLines(block, block.length);
    start = at;
  }
}

function readBlock({ file, line, sentenceLine, text }: LineBlock, options: ReadingOptions): Sentence {
  let conllu: ConlluText | undefined;
  try {
    conllu = conlluOf(text);
    const reading = { ...options, skipInvalid: false };
    const [sentence] = readColumns({ file, line: 1, text: conllu.text }, 'conllu', reading);
    const lines = new Int32Array(sentence.length + 1).fill(sentenceLine);
    lines[0] = line;
    const source: SentenceSource = { file, format: 'json', line, text, lines };
    inConllu.set(source, sentence.source!);
    return { ...sentence, source };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const name = conllu?.names[(error.place.line ?? 0) - 1];
    const problem = name === undefined ? error.problem : `${name}: ${error.problem}`;
    throw new InputError(problem, { file, line: sentenceLine });
  }
}

interface ConlluText {
  readonly text: string;
  /** For messages. */
  readonly names: readonly string[];
  /** `lines[d]` is the line number of token d, from 1; `lines[0]` is 1. */
  readonly lines: Int32Array;
}

const EXAMPLE = '{"tokens":[{"form":"Dogs"},{"form":"bark"}]}';

/** Converts JSON to CoNLL-U, whose reader checks ids, heads, order; throws `InputError` without a place. */
export function conlluOf(line: string): ConlluText {
  const sentence = jsonSentence(parsed(line.replace(/^\ufeff/, '')));
  const { tokens, multiwordTokens = [], emptyNodes = [] } = sentence;
  const multiword = byPlace(multiwordTokens, 'multiword token', /^(\d+)-\d+$/, 1, tokens.length);
  const empty = byPlace(emptyNodes, 'empty node', /^(\d+)\.\d+$/, 0, tokens.length);
  const rows = commentLines(sentence);
  const names = rows.map((_, i) => `comment ${i + 1}`);
  const lines = new Int32Array(tokens.length + 1).fill(1);
  const add = (token: JsonToken, name: string, id: string) => {
    names.push(name);
    const cells = tokenFields.map((field) => {
      const value = field === 'id' ? id : (token[field] ?? '_');
      if (field === 'head' && Number.isInteger(value)) return String(value);
      if (field === 'head' && typeof value !== 'string')
        throw new InputError(`${name}: head ${shown(value)}, expected an integer`);
      if (typeof value === 'string' && /^[^\t\n\0]+$/.test(value) && !isLineEnd(field, value)) return value;
      throw new InputError(
        `${name}: ${field} ${shown(value)}, expected text without tabs, line ends and NUL`,
      );
    });
    rows.push(cells.join('\t'));
  };
  for (let d = 0; d <= tokens.length; d++) {
    if (d > 0) {
      for (const token of multiword.get(d) ?? []) add(token, `multiword token ${token.id}`, String(token.id));
      add(tokens[d - 1], `token ${d}`, String(tokens[d - 1].id ?? d));
      lines[d] = rows.length;
    }
    for (const node of empty.get(d) ?? []) add(node, `empty node ${node.id}`, String(node.id));
  }
  return { text: `${rows.join('\n')}\n\n`, names, lines };
}

/** The comments of a sentence that may be invalid; none where they cannot be read. */
export function commentsInJson(line: string): string[] {
  try {
    const sentence = parsed(line.replace(/^\ufeff/, ''));
    return commentLines(commentsOf(fieldsOf(sentence, 'a sentence', sentenceFields)));
  } catch {
    return [];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(`no JSON in ${quote(line.trim())}, expected a sentence on one line: ${EXAMPLE}`);
  }
}

function jsonSentence(value: unknown): JsonSentence {
  // Fields that spaCy's Doc.to_json() always writes, and no sentence has.
  if (typeof value === 'object' && value !== null && 'ents' in value && 'tokens' in value)
    throw new InputError('a document of spaCy: parliament convert reads it, with the format spacy');
  const sentence = fieldsOf(value, 'a sentence', sentenceFields);
  const { tokens, multiwordTokens, emptyNodes } = sentence;
  if (!isList(tokens) || tokens.length === 0)
    throw new InputError(`tokens ${shown(tokens)}, expected a list of at least one: ${EXAMPLE}`);
  return {
    ...commentsOf(sentence),
    tokens: tokens.map((token, i) => tokenOf(token, `token ${i + 1}`)),
    multiwordTokens: tokenList(multiwordTokens, 'multiwordTokens'),
    emptyNodes: tokenList(emptyNodes, 'emptyNodes'),
  };
}

function commentsOf(sentence: Fields<keyof JsonSentence>): JsonComments {
  const { comments } = sentence;
  const isComment = (value: unknown) => typeof value === 'string' && /^#([^\n\0]*[^\r\n\0])?$/.test(value);
  if (comments !== undefined && !(isList(comments) && comments.every(isComment)))
    throw new InputError(`comments ${shown(comments)}, expected a list of lines that begin with #`);
  for (const name of commentFields) {
    const value = sentence[name];
    const isMark = value === true && (name === 'newdoc' || name === 'newpar');
    if (value === undefined || isMark || (typeof value === 'string' && /^([^\n\0]*[^\r\n\0])?$/.test(value)))
      continue;
    throw new InputError(`${name} ${shown(value)}, expected text without line ends and NUL`);
  }
  const fields = sentence as JsonComments;
  const name = contradiction(fields);
  if (name === undefined) return fields;
  throw new InputError(`${name} ${shown(fields[name])}, but the comments have another value`);
}

function tokenList(value: unknown, name: string): JsonToken[] | undefined {
  if (value === undefined) return undefined;
  if (isList(value)) return value.map((token, i) => tokenOf(token, `${name} ${i + 1}`));
  throw new InputError(`${name} ${shown(value)}, expected a list`);
}

function tokenOf(value: unknown, name: string): JsonToken {
  const token = fieldsOf(value, name, tokenFields);
  if (token.form === undefined) throw new InputError(`${name}: no form`);
  return token as unknown as JsonToken;
}

/** Whether a value would end its line with CR LF; other carriage returns are part of a value. */
const isLineEnd = (field: string, value: string): boolean => field === 'misc' && value.endsWith('\r');

/** Groups multiword tokens by their first word, empty nodes by the word before them, both given by their ids. */
function byPlace(tokens: readonly JsonToken[], name: string, pattern: RegExp, first: number, last: number) {
  const found = new Map<number, JsonToken[]>();
  for (const token of tokens) {
    const place = typeof token.id === 'string' ? Number(pattern.exec(token.id)?.[1] ?? -1) : -1;
    if (place < first || place > last) {
      const expected = name === 'empty node' ? 'such as "2.1", after' : 'such as "2-3", the first of';
      throw new InputError(
        `${name} with id ${shown(token.id)}, expected ${expected} tokens ${first} to ${last}`,
      );
    }
    (found.get(place) ?? found.set(place, []).get(place)!).push(token);
  }
  return found;
}

type Fields<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/** Returns the non-null fields of an object; throws `InputError` for unknown ones. */
function fieldsOf<Name extends string>(value: unknown, name: string, known: readonly Name[]): Fields<Name> {
  const fields = Object.entries(objectOf(value, name)).filter(([, each]) => each !== null);
  const unknown = fields.find(([field]) => !(known as readonly string[]).includes(field));
  if (unknown === undefined) return Object.fromEntries(fields) as Fields<Name>;
  throw new InputError(`${name} has a field ${quote(unknown[0])}, expected some of ${known.join(', ')}`);
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** The source of a CoNLL-U, CoNLL-U Plus or JSON sentence, converted to CoNLL-U; undefined for other sentences. */
export function universalSource(sentence: SourcedSentence): SentenceSource | undefined {
  const source = currentSource(sentence);
  if (source?.format === 'conllu') return source;
  if (source?.format !== 'conllup' && source?.format !== 'json') return undefined;
  const known = inConllu.get(source) ?? toConllu(source);
  inConllu.set(source, known);
  return known;
}

function toConllu(source: SentenceSource): SentenceSource {
  if (source.format === 'conllup')
    return { ...source, format: 'conllu', text: plusToConllu(source.text, source.columns!) };
  const { text, lines } = conlluOf(source.text);
  return { file: source.file, format: 'conllu', line: 1, text, lines };
}
