import { InputError } from '../../errors.ts';
import { quote } from '../../visible.ts';
import { readSentences } from '../reading/treebank-file.ts';
import type { Sentence } from '../sentence.ts';
import { miscOf, spacesAfter, surfaceTokens } from '../surface.ts';
import { StyledJson } from './json-style.ts';

/** JSON formats of other programs: spaCy's `Doc.to_json()` and Stanza's `Document.to_dict()`. */
export const documentFormats = ['spacy', 'stanza'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export const isDocument = (format: string | undefined): format is DocumentFormat =>
  documentFormats.some((each) => each === format);

type Json = Readonly<Record<string, unknown>>;
/** A sentence of a document, and the JSON objects of its words 1…n. */
type ReadSentence = { readonly conllu: string; readonly words: readonly Json[] };

/** Documents of spaCy or Stanza whose tags, lemmas and trees can be replaced; everything else keeps its bytes. */
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
    const documents = documentsIn(text, file);
    const all = documents.flatMap(({ json, line }) => {
      try {
        return read(json.value);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new InputError(error.problem, { file, line });
      }
    });
    if (all.length === 0) throw new InputError('no sentences', { file });
    const conllu = `${all.map((one) => one.conllu).join('\n')}\n`;
    return new Documents(
      readSentences(conllu, { format: 'conllu', name: `${file}, as CoNLL-U` }),
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

/** Joins the cells of a line of CoNLL-U; empty and missing values become `_`. */
function row(...cells: readonly unknown[]): string {
  const texts = cells.map((cell) =>
    cell === undefined || cell === null || cell === '' ? '_' : String(cell),
  );
  const wrong = texts.find((cell) => /[\t\r\n]/.test(cell));
  if (wrong === undefined) return texts.join('\t');
  throw new InputError(`a value ${quote(wrong)}, expected text without tabs and line ends`);
}

function fromStanza(document: unknown): ReadSentence[] {
  if (!Array.isArray(document)) throw new InputError('no list of sentences, expected a document of Stanza');
  const sentences = document.every(Array.isArray) ? (document as Json[][]) : [document as Json[]];
  return sentences.map((tokens) => {
    const isSpaced = (token: Json, i: number) =>
      token.end_char === undefined || tokens[i + 1]?.start_char !== token.end_char;
    const rows = tokens.map((token, i) => {
      const { text, lemma, upos, xpos, feats, head, deprel, deps, misc } = token;
      if (typeof text !== 'string')
        throw new InputError(`token ${i + 1} has no text, expected a document of Stanza`);
      const [first, last] = [token.id].flat();
      const join = Number(last) > Number(first) ? '-' : '.';
      const id = last === undefined ? first : `${first}${join}${last}`;
      const places = stanzaMiscFields.filter((name) => token[name] !== undefined);
      const own = typeof misc === 'string' && misc !== '' ? misc.split('|') : [];
      if (!isSpaced(token, i) && !own.some((field) => /^Spaces?After=/.test(field)))
        own.push('SpaceAfter=No');
      const all = [...own, ...places.map((name) => `${name}=${token[name]}`)];
      return row(id ?? i + 1, text, lemma, upos, xpos, feats, head, deprel, deps, all.join('|'));
    });
    return { conllu: `${rows.join('\n')}\n`, words: tokens.filter(({ id }) => [id].flat().length === 1) };
  });
}

/** JSON fields that Stanza writes into MISC of CoNLL-U, in the order of its JSON. */
const stanzaMiscFields = ['start_char', 'end_char', 'ner', 'multi_ner'] as const;

function toStanza(sentence: Sentence): Json[] {
  const { forms } = sentence;
  return surfaceTokens(sentence).flatMap((token) => {
    const words: Json[] = [];
    for (let d = token.first; d <= token.last; d++)
      words.push({ id: d, text: forms[d], ...stanzaWord(sentence, d) });
    const isSeveral = token.last > token.first;
    const range = { id: [token.first, token.last], text: token.form, ...stanzaMisc(token.misc) };
    return isSeveral ? [range, ...words] : words;
  });
}

function stanzaWord({ lemmas, upos, xpos, feats, heads, labels, deps, misc }: Sentence, d: number): Json {
  const filled = (value: string) => (value === '_' ? undefined : value);
  return {
    lemma: filled(lemmas[d]),
    upos: filled(upos[d]),
    xpos: filled(xpos[d]),
    feats: filled(feats[d]),
    head: heads[d] < 0 ? undefined : heads[d],
    deprel: filled(labels[d]),
    deps: filled(deps[d]),
    ...stanzaMisc(misc[d]),
  };
}

function stanzaMisc(misc: string): Json {
  const fields = misc === '_' ? [] : misc.split('|');
  const nameOf = (field: string) => stanzaMiscFields.find((name) => field.startsWith(`${name}=`));
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

function fromSpacy(document: unknown): ReadSentence[] {
  const { text, tokens, sents } = (document ?? {}) as {
    text?: string;
    tokens?: SpacyToken[];
    sents?: SpacyToken[];
  };
  if (typeof text !== 'string' || !Array.isArray(tokens))
    throw new InputError('no text and tokens, expected a document of spaCy');
  // Offsets count characters, not UTF-16 units.
  const characters = [...text];
  const between = (start: number, end: number) => characters.slice(start, end).join('');
  const beyond = tokens.findIndex(({ end }) => end > characters.length);
  if (beyond >= 0) {
    const found = `token ${beyond} ends at ${tokens[beyond].end}`;
    throw new InputError(`${found}, expected at most ${characters.length}, the length of the text`);
  }
  const words = [...tokens.keys()].filter((i) => between(tokens[i].start, tokens[i].end).trim() !== '');
  const nextOf = new Map(words.map((i, k) => [i, words[k + 1]]));
  const bounds = sents ?? [{ start: 0, end: characters.length }];
  // White space may be a token with dependents: these get its head.
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
    const comment = `# text = ${between(start, end).trim().replace(/\s+/g, ' ')}`;
    return {
      conllu: `${comment}\n${rows.join('\n')}\n`,
      words: own.map((i) => tokens[i] as unknown as Json),
    };
  });
}

/** The fields of a word in spaCy's JSON; `numberOf` gives a word's index in the document. */
function spacyWord(
  { lemmas, upos, xpos, feats, heads, labels }: Sentence,
  d: number,
  numberOf: (d: number) => unknown,
): Json {
  const filled = (value: string) => (value === '_' ? '' : value);
  const own = {
    tag: filled(xpos[d]),
    pos: filled(upos[d]),
    morph: filled(feats[d]),
    lemma: filled(lemmas[d]),
  };
  if (heads[d] < 0) return own;
  const dep = labels[d] === 'root' ? 'ROOT' : filled(labels[d]);
  return { ...own, dep, head: numberOf(heads[d] === 0 ? d : heads[d]) };
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
    const { forms } = sentence;
    const spaces = spacesAfterWords(sentence);
    for (let d = 1; d <= sentence.length; d++) {
      const begin = length;
      add(forms[d]);
      end = length;
      const own = spacyWord(sentence, d, (h) => first + h - 1);
      tokens.push({ id: tokens.length, start: begin, end, ...own });
      const isEnd = d === sentence.length && i === sentences.length - 1;
      if (!isEnd || spaces[d] !== ' ') add(spaces[d]);
    }
    sents.push({ start, end });
  }
  return { text, ents: [], sents, tokens };
}

/** Parts of a multiword token are joined where they make up its form, like `do` and `n't`, not `à` and `le`. */
function spacesAfterWords(sentence: Sentence): string[] {
  const spaces = [''];
  for (const { form, first, last, misc } of surfaceTokens(sentence)) {
    const isJoined = sentence.forms.slice(first, last + 1).join('') === form;
    spaces.push(...new Array(last - first).fill(isJoined ? '' : ' '), spacesAfter(misc));
  }
  return spaces;
}
