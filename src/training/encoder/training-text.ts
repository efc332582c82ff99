import { InputError } from '../../errors.ts';
import { GrowingCounts } from '../../evaluate/growing-counts.ts';
import {
  BOUNDARY,
  BOUNDARY_CHARACTERS,
  EncoderVocabulary,
  FIRST_CHARACTER,
  FIRST_WORD,
  MOST_CHARACTERS,
} from '../../learn/encoder/settings.ts';
import { numberIn } from '../../number-in.ts';

/** The distinct forms of a text as the model reads them; all arrays are in shared memory. */
export interface FormTable {
  /** Row of each form in the word table. */
  readonly rows: Int32Array;
  /** The characters of form f: from `starts[f]` to `starts[f + 1]`. */
  readonly starts: Int32Array;
  readonly characters: Uint16Array;
}

/** A text as numbers of forms: a boundary, then each sentence followed by a boundary. Form 0 is the boundary. */
export interface TrainingText {
  readonly tokens: Int32Array;
  readonly heldOut: Int32Array;
  readonly forms: FormTable;
  /** Occurrences of each row of the word table in `tokens`. */
  readonly counts: Int32Array;
}

/** Minimum number of words in a text. */
const LEAST_WORDS = 2000;
/** One sentence in this many is held out, but at most `MOST_HELD_OUT`. */
const LEAST_SPACING = 20;
const MOST_HELD_OUT = 500;
/** Minimum count of a character to be known. */
const LEAST_CHARACTER_COUNT = 5;

/**
 * Reads sentences, and chooses the words and characters with embeddings: the most frequent; ties: the first in the text.
 *
 * @param words maximum number of words with an embedding, or the vocabulary of a trained model
 */
export async function readTrainingText(
  sentences: AsyncIterable<readonly string[]>,
  words: number | EncoderVocabulary,
  name: string,
): Promise<{ readonly text: TrainingText; readonly vocabulary: EncoderVocabulary }> {
  const forms = new Map<string, number>();
  const counts: number[] = [];
  const ids = new GrowingCounts();
  let count = 0;
  for await (const sentence of sentences) {
    if (sentence.length === 0) continue;
    count++;
    for (const form of sentence) {
      const number = numberIn(forms, form);
      counts[number] = (counts[number] ?? 0) + 1;
      // Id 0 is the boundary.
      ids.push(number + 1);
    }
    ids.push(0);
  }
  const length = ids.length - count;
  if (length < LEAST_WORDS) {
    const problem = `a text of ${length} words: expected at least ${LEAST_WORDS}, better a million`;
    throw new InputError(problem, { file: name });
  }
  if (count < LEAST_SPACING) {
    const problem = `a text of ${count} sentences: expected at least ${LEAST_SPACING}, one of which is held out`;
    throw new InputError(problem, { file: name });
  }
  const vocabulary = typeof words === 'number' ? vocabularyOf([...forms.keys()], counts, words) : words;
  const table = formTable(forms.keys(), vocabulary);
  const { tokens, heldOut } = withHeldOut(ids.values, count);
  const rowCounts = new Int32Array(FIRST_WORD + vocabulary.words.length);
  for (const token of tokens) rowCounts[table.rows[token]]++;
  return { text: { tokens, heldOut, forms: table, counts: rowCounts }, vocabulary };
}

function vocabularyOf(forms: readonly string[], counts: readonly number[], mostWords: number) {
  const order = forms.map((_, i) => i).sort((a, b) => counts[b] - counts[a] || a - b);
  const words = order
    .filter((i) => counts[i] > 1)
    .slice(0, mostWords)
    .map((i) => forms[i]);
  const ofCharacters = new Map<string, number>();
  for (const [i, form] of forms.entries()) {
    for (const character of form) ofCharacters.set(character, (ofCharacters.get(character) ?? 0) + counts[i]);
  }
  const characters = [...ofCharacters]
    .filter(([, count]) => count >= LEAST_CHARACTER_COUNT)
    .sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .slice(0, MOST_CHARACTERS - FIRST_CHARACTER)
    .map(([character]) => character);
  return new EncoderVocabulary(words, characters);
}

function formTable(forms: Iterable<string>, vocabulary: EncoderVocabulary): FormTable {
  const [rows, starts, characters] = [new GrowingCounts(), new GrowingCounts(), new GrowingCounts()];
  const add = (row: number, ofForm: readonly number[]) => {
    rows.push(row);
    starts.push(characters.length);
    for (const character of ofForm) characters.push(character);
  };
  add(BOUNDARY, BOUNDARY_CHARACTERS);
  for (const form of forms) add(vocabulary.rowOf(form), vocabulary.charactersOf(form));
  starts.push(characters.length);
  return {
    rows: shared(Int32Array, rows),
    starts: shared(Int32Array, starts),
    characters: shared(Uint16Array, characters),
  };
}

/** Holds out sentences at equal distances; both parts begin and end with a boundary. */
function withHeldOut(ids: Int32Array, sentences: number): Pick<TrainingText, 'tokens' | 'heldOut'> {
  const spacing = Math.max(LEAST_SPACING, Math.ceil(sentences / MOST_HELD_OUT));
  const parts = { tokens: new GrowingCounts(), heldOut: new GrowingCounts() };
  parts.tokens.push(0);
  parts.heldOut.push(0);
  let sentence = 0;
  for (const id of ids) {
    (sentence % spacing === spacing - 1 ? parts.heldOut : parts.tokens).push(id);
    if (id === 0) sentence++;
  }
  return { tokens: shared(Int32Array, parts.tokens), heldOut: shared(Int32Array, parts.heldOut) };
}

/** Copies numbers into shared memory. */
function shared<A extends Int32Array | Uint16Array>(
  Numbers: { new (buffer: SharedArrayBuffer): A; readonly BYTES_PER_ELEMENT: number },
  { length, values }: GrowingCounts,
): A {
  const copy = new Numbers(new SharedArrayBuffer(length * Numbers.BYTES_PER_ELEMENT));
  copy.set(values);
  return copy;
}
