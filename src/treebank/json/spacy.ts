import { InputError } from '../../errors.ts';
import type { Sentence } from '../sentence.ts';
import { inText, miscOf, spacesAfter, spacesBefore, surfaceTokens } from '../surface.ts';
import { type Json, objectOf, type ReadSentence, row, shown } from './document-rows.ts';

interface Span extends Json {
  readonly start: number;
  readonly end: number;
}

interface SpacyToken extends Span, Partial<Record<'tag' | 'pos' | 'morph' | 'lemma' | 'dep', string>> {
  /** Numbers of tokens count from 0 in the document; a root is its own head. */
  readonly head?: number;
}

/** Reads `Doc.to_json()` of spaCy. */
export function fromSpacy(document: unknown): ReadSentence[] {
  const { text, tokens: list, sents } = (document ?? {}) as Json;
  if (typeof text !== 'string' || !Array.isArray(list))
    throw new InputError('no text and tokens, expected a document of spaCy');
  const tokens: SpacyToken[] = list.map((token, i) => spanOf(token, `token ${i}`));
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
  const bounds = boundsIn(sents ?? [{ start: 0, end: characters.length }]);
  // White space may be a token with dependents: these get its head.
  const headOf = (i: number) => {
    let head = tokens[i].head;
    for (let steps = 0; head !== undefined && tokens[head] !== undefined && !nextOf.has(head); steps++) {
      if (tokens[head].head === head) break;
      if (steps === tokens.length) throw new InputError(`the heads above token ${i} form a cycle`);
      head = tokens[head].head;
    }
    return head;
  };
  let next = 0;
  const read = bounds.flatMap(({ start, end }) => {
    // Sentences come in the order of the text, as a rule.
    if (next > 0 && tokens[words[next - 1]].start >= start) next = 0;
    while (next < words.length && tokens[words[next]].start < start) next++;
    const first = next;
    while (next < words.length && tokens[words[next]].end <= end) next++;
    const own = words.slice(first, next);
    if (own.length === 0) return [];
    const number = new Map(own.map((i, place) => [i, place + 1]));
    const rows = own.map((i, place) => {
      const { lemma, pos, tag, morph, dep, end: last, start: begin } = tokens[i];
      const head = headOf(i);
      const following = nextOf.get(i);
      const after = between(last, following === undefined ? characters.length : tokens[following].start);
      const h = head === undefined ? undefined : head === i ? 0 : number.get(head);
      if (head !== undefined && h === undefined)
        throw new InputError(`the head of token ${i}, ${head}, is not in its sentence`);
      const misc = miscOf('', following === undefined && after === '' ? ' ' : after);
      const label = dep === 'ROOT' ? 'root' : dep;
      return row(place + 1, between(begin, last), lemma, pos, tag, morph, h, label, '_', misc);
    });
    const comment = `# text = ${between(start, end).trim().replace(/\s+/g, ' ')}`;
    return { conllu: `${comment}\n${rows.join('\n')}\n`, words: own.map((i) => tokens[i]) };
  });
  const inSentences = new Set(read.flatMap((sentence) => sentence.words));
  const lost = words.find((i) => !inSentences.has(tokens[i]));
  if (lost === undefined) return read;
  throw new InputError(`token ${lost} is in no sentence, expected each within start and end of one`);
}

function boundsIn(sents: unknown): Span[] {
  if (Array.isArray(sents)) return sents.map((span, i) => spanOf(span, `sentence ${i + 1}`));
  throw new InputError(`sents ${shown(sents)}, expected a list`);
}

function spanOf(value: unknown, name: string): Span {
  const span = objectOf(value, name) as Span;
  const { start, end } = span;
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end) return span;
  throw new InputError(`${name}: start ${shown(start)}, end ${shown(end)}, expected 0 ≤ start ≤ end`);
}

/** The fields of a word in spaCy's JSON; `numberOf` gives a word's index in the document. */
export function spacyWord(
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

export function toSpacy(sentences: readonly Sentence[]): Json {
  let text = '';
  let length = 0;
  const add = (more: string) => {
    text += more;
    length += [...more].length;
  };
  const tokens: Json[] = [];
  const sents: Json[] = [];
  for (const [i, sentence] of sentences.entries()) {
    let start = length;
    const first = tokens.length;
    let end = start;
    for (const { before, form, after } of spacedWords(sentence)) {
      const d = tokens.length - first + 1;
      add(before);
      const begin = length;
      if (d === 1) start = begin;
      add(form);
      end = length;
      const own = spacyWord(sentence, d, (h) => first + h - 1);
      tokens.push({ id: tokens.length, start: begin, end, ...own });
      const isEnd = d === sentence.length && i === sentences.length - 1;
      if (!isEnd || after !== ' ') add(after);
    }
    sents.push({ start, end });
  }
  return { text, ents: [], sents, tokens };
}

/**
 * The words as they stand in the text, with the white space around them. Parts of a multiword token are joined where they
 * make up its form, like `do` and `n't`, not `à` and `le`.
 */
function* spacedWords(sentence: Sentence) {
  for (const { form, first, last, misc } of surfaceTokens(sentence)) {
    const parts = last === first ? [inText(form, misc)] : sentence.forms.slice(first, last + 1);
    const between = parts.join('') === form ? '' : ' ';
    for (const [k, part] of parts.entries()) {
      const before = k === 0 ? spacesBefore(misc) : '';
      yield { before, form: part, after: k === parts.length - 1 ? spacesAfter(misc) : between };
    }
  }
}
