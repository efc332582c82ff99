import { InputError } from '../../errors.ts';
import { quote } from '../../visible.ts';
import { readSentences } from '../reading/treebank-file.ts';
import type { Sentence } from '../sentence.ts';
import type { Json } from './document-rows.ts';
import { fromSpacy, spacyWord, toSpacy } from './spacy.ts';
import { fromStanza, stanzaWord, toStanza } from './stanza.ts';

/** JSON formats of other programs: spaCy's `Doc.to_json()` and Stanza's `Document.to_dict()`. */
export const documentFormats = ['spacy', 'stanza'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export const isDocument = (format: string | undefined): format is DocumentFormat =>
  documentFormats.some((each) => each === format);

/** Documents of spaCy or Stanza whose tags, lemmas and trees can be replaced; everything else keeps its bytes, but a byte-order mark is dropped. */
export class Documents {
  private constructor(
    readonly sentences: readonly Sentence[],
    private readonly format: DocumentFormat,
    private readonly documents: readonly StyledJson[],
    private readonly words: readonly (readonly Json[])[],
  ) {}

  /** Reads a text with a single document, or with one document per line. Throws `InputError`. */
  static read(text: string, format: DocumentFormat, file: string): Documents {
    const read = format === 'spacy' ? fromSpacy : fromStanza;
    const documents = documentsIn(text.replace(/^\ufeff/, ''), file);
    const all = documents.flatMap(({ json, line }) => {
      try {
        return read(json.value).map(({ conllu, words }, i) => ({
          words,
          sentence: readSentence(conllu, file, i + 1),
        }));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new InputError(error.problem, { file, line });
      }
    });
    if (all.length === 0) throw new InputError('no sentences', { file });
    return new Documents(
      all.map(({ sentence }) => sentence),
      format,
      documents.map(({ json }) => json),
      all.map(({ words }) => words),
    );
  }

  /** Writes the documents with the annotation of these sentences, whose words must be the same. */
  textWith(sentences: readonly Sentence[]): string {
    for (const [i, before] of this.sentences.entries()) {
      const words = this.words[i];
      const fieldsOf = (sentence: Sentence, d: number) =>
        this.format === 'spacy' ? spacyWord(sentence, d, (h) => words[h - 1].id) : stanzaWord(sentence, d);
      for (let d = 1; d <= before.length; d++)
        change(words[d - 1], fieldsOf(before, d), fieldsOf(sentences[i], d));
    }
    return this.documents.join('');
  }
}

/** Reads a sentence's lines of CoNLL-U, which only its reader sees: messages name the token. */
function readSentence(conllu: string, name: string, number: number): Sentence {
  try {
    return readSentences(`${conllu}\n`, { format: 'conllu', name })[0];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [id] = conllu.split('\n')[error.place.line! - 1].split('\t');
    throw new InputError(`sentence ${number}, token ${id}: ${error.problem}`);
  }
}

/** Changes the fields of a word that differ; new fields go where spaCy and Stanza write them. */
function change(word: Json, before: Json, after: Json): void {
  const changes = Object.entries(after).filter(([name, value]) => value !== before[name]);
  if (changes.length === 0) return;
  const order = ['id', 'text', 'start', 'end', ...Object.keys(after)];
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const fields = Object.entries({ ...word, ...Object.fromEntries(changes) });
  if (changes.some(([name]) => !(name in word))) fields.sort(([a], [b]) => placeOf(a) - placeOf(b));
  for (const name of Object.keys(word)) Reflect.deleteProperty(word, name);
  Object.assign(word, Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

/** Writes sentences as one document, as far as the format can hold them, with a line end. */
export const documentText = (sentences: readonly Sentence[], format: DocumentFormat): string =>
  `${JSON.stringify(format === 'spacy' ? toSpacy(sentences) : sentences.map(toStanza))}\n`;

function documentsIn(text: string, file: string): { readonly json: StyledJson; readonly line: number }[] {
  const whole = StyledJson.parse(text);
  if (whole !== undefined) return [{ json: whole, line: 1 }];
  const lines = text.split(/(?<=\n)/);
  const filled = [...lines.keys()].filter((i) => lines[i].trim() !== '');
  return filled.map((i, k) => {
    // Blank lines belong to the document before them.
    const json = StyledJson.parse(lines.slice(k === 0 ? 0 : i, filled[k + 1]).join(''), text);
    if (json !== undefined) return { json, line: i + 1 };
    const found = quote(lines[i].trim());
    throw new InputError(`no JSON in ${found}, expected one document, or one per line`, {
      file,
      line: i + 1,
    });
  });
}

/** How a program lays JSON out, like the arguments of Python's `json.dumps`. */
interface JsonStyle {
  /** Indentation per level; empty: everything on one line. */
  readonly indent: string;
  readonly comma: string;
  readonly colon: string;
  /** Whether characters other than ASCII are escaped. */
  readonly isAscii: boolean;
  readonly before: string;
  readonly after: string;
}

/** Marks numbers that keep their spelling, such as `1.0` and `1e-05`. */
const RAW = '\0';

/** A value read from JSON that can be written in the same layout. */
class StyledJson {
  private constructor(
    readonly value: unknown,
    private readonly style: JsonStyle,
  ) {}

  /** Parses JSON, undefined if it is invalid; whether non-ASCII characters are escaped is judged from the whole `file`. */
  static parse(text: string, file = text): StyledJson | undefined {
    const [before] = /^\s*/.exec(text)!;
    const after = text.slice(text.trimEnd().length);
    const own = text.slice(before.length, Math.max(before.length, text.length - after.length));
    const structure = own.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""');
    const [, indent = ''] = /^[[{]\r?\n([ \t]+)/.exec(structure) ?? [];
    const [comma = ', '] = /, ?/.exec(structure) ?? [];
    const [colon = ': '] = /: ?/.exec(structure) ?? [];
    const isAscii = !/[^\0-\x7f]/.test(file);
    const marked = own.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (one) =>
      one.startsWith('"') || String(Number(one)) === one ? one : `"\\u0000${one}"`,
    );
    try {
      // Marked numbers must be valid, too: `01` is not.
      JSON.parse(own);
      return new StyledJson(JSON.parse(marked), { indent, comma, colon, isAscii, before, after });
    } catch {
      return undefined;
    }
  }

  toString(): string {
    const { before, after } = this.style;
    return before + this.written(this.value, '\n') + after;
  }

  private written(value: unknown, margin: string): string {
    const { indent, comma, colon } = this.style;
    if (typeof value === 'string') return this.quoted(value);
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const inner = margin + indent;
    const items = Array.isArray(value)
      ? value.map((one) => this.written(one, inner))
      : Object.entries(value).map(([name, one]) => this.quoted(name) + colon + this.written(one, inner));
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    if (items.length === 0 || indent === '') return open! + items.join(comma) + close!;
    return open! + inner + items.join(`,${inner}`) + margin + close!;
  }

  private quoted(text: string): string {
    if (text.startsWith(RAW)) return text.slice(1);
    const quoted = JSON.stringify(text);
    if (!this.style.isAscii) return quoted;
    return quoted.replace(
      /[\x7f-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }
}
