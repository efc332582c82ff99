import { InputError } from '../../errors.ts';
import type { Sentence } from '../sentence.ts';
import { surfaceTokens } from '../surface.ts';
import { type Json, objectOf, type ReadSentence, row } from './document-rows.ts';
import { universalSource } from './read-json.ts';

/** Reads `Document.to_dict()` of Stanza. */
export function fromStanza(document: unknown): ReadSentence[] {
  if (!Array.isArray(document)) throw new InputError('no list of sentences, expected a document of Stanza');
  const lists: unknown[][] = document.every(Array.isArray) ? document : [document];
  const sentences = lists.map((tokens, i) =>
    tokens.map((token, k) => objectOf(token, `sentence ${i + 1}, token ${k + 1}`)),
  );
  const starts = new Set(sentences.flat().map((token) => token.start_char));
  const filled = sentences.filter((tokens) => tokens.length > 0);
  return filled.map((tokens) => {
    let lastOfRange = 0;
    const rows = inConlluOrder(tokens).map(({ id, token }) => {
      const { text, lemma, upos, xpos, feats, head, deprel, deps, misc, end_char } = token;
      if (typeof text !== 'string')
        throw new InputError(`token ${id} has no text, expected a document of Stanza`);
      const places = stanzaMiscFields.filter((name) => token[name] !== undefined);
      const own = typeof misc === 'string' && misc !== '' ? misc.split('|') : [];
      // Words of a multiword token have offsets, too, but no space stands between them.
      const isPart = Number(id) <= lastOfRange;
      lastOfRange = Math.max(lastOfRange, Number(/-(\d+)$/.exec(String(id))?.[1] ?? 0));
      const isSpaced = isPart || end_char === undefined || !starts.has(end_char);
      if (!isSpaced && !own.some((field) => /^Spaces?After=/.test(field))) own.push('SpaceAfter=No');
      const all = [...own, ...places.map((name) => `${name}=${token[name]}`)];
      return row(id, text, lemma, upos, xpos, feats, head, deprel, deps, all.join('|'));
    });
    return { conllu: `${rows.join('\n')}\n`, words: tokens.filter(({ id }) => [id].flat().length === 1) };
  });
}

/**
 * The tokens with their ids in CoNLL-U. A pair [i, j] is the empty node i.j if it comes after word i, otherwise the
 * multiword token i-j. Stanza writes the empty nodes inside a multiword token after its last word.
 */
function inConlluOrder(tokens: readonly Json[]) {
  let words = 0;
  const placed = tokens.map((token) => {
    const [first, ...last] = [token.id ?? words + 1].flat();
    if (last.length === 0) return { token, id: first, place: ++words };
    if (Number(first) <= words) return { token, id: `${first}.${last}`, place: Number(first) + 0.25 };
    return { token, id: `${first}-${last}`, place: words + 0.5 };
  });
  return placed.sort((a, b) => a.place - b.place);
}

/** JSON fields that Stanza writes into MISC of CoNLL-U, in the order of its JSON. */
const stanzaMiscFields = ['start_char', 'end_char', 'ner', 'multi_ner'] as const;

export function toStanza(sentence: Sentence): Json[] {
  const { forms } = sentence;
  const nodes = emptyNodes(sentence);
  const feats = featuresOfRanges(sentence);
  const tokens = surfaceTokens(sentence).flatMap((token) => {
    const words: Json[] = [];
    for (let d = token.first; d <= token.last; d++)
      words.push({ id: d, text: forms[d], ...stanzaWord(sentence, d) });
    const isSeveral = token.last > token.first;
    const range = {
      id: [token.first, token.last],
      text: token.form,
      feats: feats.get(token.first),
      ...stanzaMisc(token.misc),
    };
    const after = nodes.filter(({ id: [d] }) => d >= token.first && d <= token.last);
    return [...(isSeveral ? [range] : []), ...words, ...after];
  });
  return [...nodes.filter(({ id: [d] }) => d === 0), ...tokens];
}

/** A multiword token's line in CoNLL-U with FEATS, such as `Typo=Yes`: its first word, FEATS. */
const RANGE_FEATURES = /(?:^\ufeff?|\n)(\d+)-\d+\t(?:[^\t]*\t){4}(?!_\t)([^\t]+)\t/g;

function featuresOfRanges(sentence: Sentence): ReadonlyMap<number, string> {
  const rows = (universalSource(sentence)?.text ?? '').matchAll(RANGE_FEATURES);
  return new Map(Array.from(rows, ([, first, feats]) => [Number(first), feats]));
}

/** An empty node's line in CoNLL-U: the word before it, its number after that word, the other columns. */
const EMPTY_NODE = /(?:^\ufeff?|\n)(\d+)\.(\d+)\t([^\r\n]*)/g;

function emptyNodes(sentence: Sentence) {
  const rows = (universalSource(sentence)?.text ?? '').matchAll(EMPTY_NODE);
  return Array.from(rows, ([, word, number, columns]) => {
    const [text, ...others] = columns.split('\t');
    return { id: [Number(word), Number(number)] as const, text, ...stanzaFields(others) };
  });
}

export function stanzaWord(sentence: Sentence, d: number): Json {
  const { lemmas, upos, xpos, feats, heads, labels, deps, misc } = sentence;
  const head = heads[d] < 0 ? '_' : String(heads[d]);
  return stanzaFields([lemmas[d], upos[d], xpos[d], feats[d], head, labels[d], deps[d], misc[d]]);
}

/** The fields for the columns of CoNLL-U from LEMMA on. */
function stanzaFields(columns: readonly string[]): Json {
  const [lemma, upos, xpos, feats, head, deprel, deps] = columns.map((value) =>
    value === '_' ? undefined : value,
  );
  const number = head === undefined ? undefined : Number(head);
  return { lemma, upos, xpos, feats, head: number, deprel, deps, ...stanzaMisc(columns[7]) };
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
