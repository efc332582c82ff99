import { InputError } from '../../errors.ts';
import { quote } from '../../visible.ts';
import { readSentences } from '../reading/treebank-file.ts';
import type { Sentence } from '../sentence.ts';
import { miscOf, spacesAfter, surfaceTokens } from '../surface.ts';
import { universalSource } from './read-json.ts';

/** JSON of whole documents: spaCy's `Doc.to_json()`, and Stanza's `Document.to_dict()`. */
export const documentFormats = ['spacy', 'stanza'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

type Json = Readonly<Record<string, unknown>>;

/** The sentences of documents: one in the whole text, or one a line. Throws `InputError`. */
export function readDocuments(text: string, format: DocumentFormat, file: string): Sentence[] {
  const read = format === 'spacy' ? fromSpacy : fromStanza;
  const conllu = documentsIn(text, file).flatMap(({ value, line }) => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.problem, { file, line });
    }
  });
  if (conllu.length === 0) throw new InputError('no sentences', { file });
  return readSentences(`${conllu.join('\n')}\n`, { format: 'conllu', name: `${file}, as CoNLL-U` });
}

/** One document, with what it has of the sentences; ends with a line end. */
export function documentText(sentences: readonly Sentence[], format: DocumentFormat): string {
  return `${JSON.stringify(format === 'spacy' ? toSpacy(sentences) : sentences.map(toStanza))}\n`;
}

/** What a sentence has and such a document has no place for. */
export function lostInDocuments(sentence: Sentence, format: DocumentFormat): string[] {
  const text = universalSource(sentence.source)?.text ?? '';
  const hasOtherMisc = sentence.misc.some((misc) => /(?:^|\|)(?!Spaces?After=)[^_|]/.test(misc));
  const losses: readonly (readonly [name: string, isLost: boolean])[] = [
    ['comments', /^#(?![ \t]*text[ \t]*=)/m.test(text)],
    ['empty nodes', /^\d+\.\d+\t/m.test(text)],
    ['multiword tokens', format === 'spacy' && /^\d+-\d+\t/m.test(text)],
    ['DEPS', format === 'spacy' && sentence.deps.some((deps) => deps !== '_' && deps !== '')],
    ['MISC', format === 'spacy' && hasOtherMisc],
  ];
  return losses.filter(([, isLost]) => isLost).map(([name]) => name);
}

function documentsIn(text: string, file: string): { readonly value: unknown; readonly line: number }[] {
  const whole = parsed(text);
  if (whole !== undefined) return [{ value: whole, line: 1 }];
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const value = parsed(line);
    if (value !== undefined) return [{ value, line: i + 1 }];
    throw new InputError(`no JSON in ${quote(line.trim())}, expected a document in the file, or one a line`, {
      file,
      line: i + 1,
    });
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** The cells of a line of CoNLL-U; empty and missing values are `_`. */
function row(...cells: readonly unknown[]): string {
  const texts = cells.map((cell) =>
    cell === undefined || cell === null || cell === '' ? '_' : String(cell),
  );
  const wrong = texts.find((cell) => /[\t\r\n]/.test(cell));
  if (wrong === undefined) return texts.join('\t');
  throw new InputError(`a value ${quote(wrong)}, expected text without tabs and line ends`);
}

function fromStanza(document: unknown): string[] {
  if (!Array.isArray(document)) throw new InputError('no list of sentences, as Stanza’s documents are');
  const sentences = document.every(Array.isArray) ? (document as Json[][]) : [document as Json[]];
  return sentences.map((tokens) => {
    const isSpaced = (token: Json, i: number) =>
      token.end_char === undefined || tokens[i + 1]?.start_char !== token.end_char;
    const rows = tokens.map((token, i) => {
      const { text, lemma, upos, xpos, feats, head, deprel, deps, misc } = token;
      if (typeof text !== 'string')
        throw new InputError(`token ${i + 1} has no text, as those of Stanza have`);
      const [first, last] = [token.id].flat();
      const join = Number(last) > Number(first) ? '-' : '.';
      const id = last === undefined ? first : `${first}${join}${last}`;
      const places = stanzaFields.filter((name) => token[name] !== undefined);
      const own = typeof misc === 'string' && misc !== '' ? misc.split('|') : [];
      if (!isSpaced(token, i) && !own.some((field) => /^Spaces?After=/.test(field)))
        own.push('SpaceAfter=No');
      const all = [...own, ...places.map((name) => `${name}=${token[name]}`)];
      return row(id ?? i + 1, text, lemma, upos, xpos, feats, head, deprel, deps, all.join('|'));
    });
    return `${rows.join('\n')}\n`;
  });
}

/** Fields that Stanza writes into MISC of CoNLL-U, in the order of its JSON. */
const stanzaFields = ['start_char', 'end_char', 'ner', 'multi_ner'] as const;

function toStanza(sentence: Sentence): Json[] {
  const { forms, lemmas, upos, xpos, feats, heads, labels, deps, misc } = sentence;
  const filled = (value: string) => (value === '_' ? undefined : value);
  return surfaceTokens(sentence).flatMap((token) => {
    const words: Json[] = [];
    for (let d = token.first; d <= token.last; d++) {
      words.push({
        id: d,
        text: forms[d],
        lemma: filled(lemmas[d]),
        upos: filled(upos[d]),
        xpos: filled(xpos[d]),
        feats: filled(feats[d]),
        head: heads[d] < 0 ? undefined : heads[d],
        deprel: filled(labels[d]),
        deps: filled(deps[d]),
        ...stanzaMisc(misc[d]),
      });
    }
    const isSeveral = token.last > token.first;
    const range = { id: [token.first, token.last], text: token.form, ...stanzaMisc(token.misc) };
    return isSeveral ? [range, ...words] : words;
  });
}

function stanzaMisc(misc: string): Json {
  const fields = misc === '_' ? [] : misc.split('|');
  const nameOf = (field: string) => stanzaFields.find((name) => field.startsWith(`${name}=`));
  const others = fields.filter((field) => nameOf(field) === undefined).join('|');
  const places = fields.flatMap((field) => {
    const name = nameOf(field);
    if (name === undefined) return [];
    const value = field.slice(name.length + 1);
    return [[name, name.endsWith('_char') ? Number(value) : value]];
  });
  return { misc: others === '' ? undefined : others, ...Object.fromEntries(places) };
}

interface SpacyToken {
  readonly start: number;
  readonly end: number;
  readonly tag?: string;
  readonly pos?: string;
  readonly morph?: string;
  readonly lemma?: string;
  readonly dep?: string;
  /** Numbers of tokens count from 0 in the document; a root is its own head. */
  readonly head?: number;
}

function fromSpacy(document: unknown): string[] {
  const { text, tokens, sents } = (document ?? {}) as {
    text?: string;
    tokens?: SpacyToken[];
    sents?: SpacyToken[];
  };
  if (typeof text !== 'string' || !Array.isArray(tokens))
    throw new InputError('no text and tokens, as spaCy’s documents have');
  // Offsets count characters, not UTF-16 units.
  const characters = [...text];
  const between = (start: number, end: number) => characters.slice(start, end).join('');
  const words = [...tokens.keys()].filter((i) => between(tokens[i].start, tokens[i].end).trim() !== '');
  const nextOf = new Map(words.map((i, k) => [i, words[k + 1]]));
  const bounds = sents ?? [{ start: 0, end: characters.length }];
  // What hangs on white space hangs on its head.
  const headOf = (i: number) => {
    let head = tokens[i].head;
    while (head !== undefined && tokens[head] !== undefined && !nextOf.has(head)) {
      if (tokens[head].head === head) break;
      head = tokens[head].head;
    }
    return head;
  };
  return bounds.flatMap(({ start, end }) => {
    const own = words.filter((i) => tokens[i].start >= start && tokens[i].end <= end);
    if (own.length === 0) return [];
    const number = new Map(own.map((i, place) => [i, place + 1]));
    const rows = own.map((i, place) => {
      const { lemma, pos, tag, morph, dep, end: last, start: begin } = tokens[i];
      const head = headOf(i);
      const next = nextOf.get(i);
      const after = between(last, next === undefined ? characters.length : tokens[next].start);
      const h = head === undefined ? undefined : head === i ? 0 : number.get(head);
      if (head !== undefined && h === undefined)
        throw new InputError(`the head of token ${i}, ${head}, is not in its sentence`);
      const misc = miscOf('', next === undefined && after === '' ? ' ' : after);
      const label = dep === 'ROOT' ? 'root' : dep;
      return row(place + 1, between(begin, last), lemma, pos, tag, morph, h, label, '_', misc);
    });
    return [`# text = ${between(start, end).trim().replace(/\s+/g, ' ')}\n${rows.join('\n')}\n`];
  });
}

function toSpacy(sentences: readonly Sentence[]): Json {
  let text = '';
  let length = 0;
  const add = (more: string) => {
    text += more;
    length += [...more].length;
  };
  const tokens: Json[] = [];
  const sents: Json[] = [];
  for (const [i, sentence] of sentences.entries()) {
    const start = length;
    const first = tokens.length;
    let end = start;
    const { forms, lemmas, upos, xpos, feats, heads, labels, misc } = sentence;
    const last = new Map(surfaceTokens(sentence).map((token) => [token.last, token.misc]));
    for (let d = 1; d <= sentence.length; d++) {
      const begin = length;
      add(forms[d]);
      end = length;
      const filled = (value: string) => (value === '_' ? '' : value);
      const arc =
        heads[d] < 0
          ? {}
          : {
              dep: labels[d] === 'root' ? 'ROOT' : filled(labels[d]),
              head: first + (heads[d] === 0 ? d : heads[d]) - 1,
            };
      const own = {
        tag: filled(xpos[d]),
        pos: filled(upos[d]),
        morph: filled(feats[d]),
        lemma: filled(lemmas[d]),
      };
      tokens.push({ id: tokens.length, start: begin, end, ...own, ...arc });
      const isEnd = d === sentence.length && i === sentences.length - 1;
      if (!isEnd || /Spaces?After=/.test(misc[d])) add(spacesAfter(last.get(d) ?? '_'));
    }
    sents.push({ start, end });
  }
  return { text, ents: [], sents, tokens };
}
