import type { HeaderFields } from '../../model/header-fields.ts';
import { LANES } from '../network/layout.ts';

export const MOST_UNITS = 1024;
export const MOST_LAYERS = 4;
export const MOST_WORDS = 1_000_000;
export const MOST_CHARACTERS = 4096;
/** Word embeddings and character filters are each half as long as an LSTM's output. */
export const UNIT_STEP = 2 * LANES;

/** The sizes of a language model, the same for both directions. */
export interface EncoderSettings {
  /** LSTM units per direction, a multiple of eight. */
  readonly units: number;
  readonly layers: number;
  /** Rows of the word table and of the character table, special ones included. */
  readonly words: number;
  readonly characters: number;
}

/** Reads the settings from a model's header; throws `InputError` if they are not valid. */
export function encoderSettings(fields: HeaderFields): EncoderSettings {
  const units = fields.integer('units', UNIT_STEP, MOST_UNITS);
  if (units % UNIT_STEP !== 0) fields.refuse('units', `a multiple of ${UNIT_STEP}`);
  return {
    units,
    layers: fields.integer('layers', 1, MOST_LAYERS),
    words: fields.integer('words', FIRST_WORD, MOST_WORDS),
    characters: fields.integer('characters', FIRST_CHARACTER, MOST_CHARACTERS),
  };
}

/** Rows of the word table before the vocabulary: unknown words, and sentence boundaries. */
const UNKNOWN_WORD = 0;
export const BOUNDARY = 1;
export const FIRST_WORD = 2;
/** Rows of the character table before the known characters. */
export const PADDING = 0;
const WORD_START = 1;
const WORD_END = 2;
const UNKNOWN_CHARACTER = 3;
export const FIRST_CHARACTER = 4;
/** A sentence of n words is read as n + 2 tokens, with a boundary at both ends. */
export const BOUNDARIES = 2;

/** Maximum length of a word in characters, its start and end marks included; longer words lose their middle. */
export const MOST_OF_WORD = 26;
/** The characters of the boundary between sentences. */
export const BOUNDARY_CHARACTERS: readonly number[] = [PADDING];

/** The vocabulary of a language model: words and characters in the order of their rows. */
export class EncoderVocabulary {
  private readonly wordRows: ReadonlyMap<string, number>;
  private readonly characterRows: ReadonlyMap<string, number>;

  constructor(
    readonly words: readonly string[],
    readonly characters: readonly string[],
  ) {
    this.wordRows = new Map(words.map((word, i) => [word, FIRST_WORD + i]));
    this.characterRows = new Map(characters.map((character, i) => [character, FIRST_CHARACTER + i]));
  }

  rowOf(word: string): number {
    return this.wordRows.get(word) ?? UNKNOWN_WORD;
  }

  /** The rows of a word's characters, between the rows for its start and end. */
  charactersOf(word: string): number[] {
    const all = [...word];
    const half = MOST_OF_WORD / 2 - 1;
    const read = all.length > 2 * half ? [...all.slice(0, half), ...all.slice(-half)] : all;
    const rows = read.map((character) => this.characterRows.get(character) ?? UNKNOWN_CHARACTER);
    return [WORD_START, ...rows, WORD_END];
  }
}
