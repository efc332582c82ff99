import type { Span } from '../../../evaluate/alignment/align.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

/** Finds the words of a sentence that match. */
export type WordSearch = (sentence: ShownSentence) => ReadonlySet<number>;

/**
 * Compiles a search, ignoring case: text; `"in quotes"`, whole words; `/between slashes/`, a regular expression.
 * @throws SyntaxError for an invalid regular expression
 */
export function wordSearch(asked: string): WordSearch {
  const [, pattern] = /^\/(.+)\/$/su.exec(asked) ?? [];
  if (pattern !== undefined) return expressionSearch(new RegExp(pattern, 'giu'));
  const [, quoted] = /^["“](.+)["”]$/su.exec(asked) ?? [];
  const wanted = folded(quoted ?? asked);
  return (sentence) =>
    inTexts(sentence, folded, (text, places) =>
      occurrences(text, wanted).filter((span) => quoted === undefined || areWhole(span, places)),
    );
}

function expressionSearch(expression: RegExp): WordSearch {
  const found = (text: string) =>
    [...text.matchAll(expression)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
  return (sentence) => inTexts(sentence, (text) => text, found);
}

function inTexts(
  { forms, text }: ShownSentence,
  written: (text: string) => string,
  find: (text: string, places: readonly (Span | undefined)[]) => readonly Span[],
): Set<number> {
  const words = forms.map(written);
  const texts = [words.slice(1).join(' '), ...(text === undefined ? [] : [written(text)])];
  const found = new Set<number>();
  for (const each of texts) {
    const places = placesIn(each, words);
    for (const span of find(each, places)) {
      places.forEach((place, d) => {
        if (place !== undefined && place.start < span.end && span.start < place.end) found.add(d);
      });
    }
  }
  return found;
}

const areWhole = ({ start, end }: Span, places: readonly (Span | undefined)[]): boolean =>
  places.some((place) => place?.start === start) && places.some((place) => place?.end === end);

/** Maximum distance in characters between the end of a word and the next word. */
const AHEAD = 40;

/** Aligns words (from 1) with a text; words that do not occur in it share the text between their neighbours. */
export function placesIn(text: string, forms: readonly string[]): (Span | undefined)[] {
  const places: (Span | undefined)[] = forms.map(() => undefined);
  let at = 0;
  let missing: number[] = [];
  const share = (end: number) => {
    if (end > at) for (const d of missing) places[d] = { start: at, end };
    missing = [];
  };
  for (let d = 1; d < forms.length; d++) {
    const start = text.indexOf(forms[d], at);
    if (start < 0 || start - at > AHEAD || (missing.length === 0 && text.slice(at, start).trim() !== '')) {
      missing.push(d);
      continue;
    }
    share(start);
    at = start + forms[d].length;
    places[d] = { start, end: at };
  }
  share(text.length);
  return places;
}

function occurrences(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1))
    found.push({ start, end: start + wanted.length });
  return found;
}

const folded = (text: string): string => text.normalize('NFC').toLowerCase();
