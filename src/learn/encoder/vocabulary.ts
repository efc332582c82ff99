import {
  FIRST_CHARACTER,
  FIRST_WORD,
  PADDING,
  UNKNOWN_CHARACTER,
  UNKNOWN_WORD,
  WORD_END,
  WORD_START,
} from './settings.ts';

/** Maximum length of a word in characters, its start and end marks included; longer words lose their middle. */
export const MOST_OF_WORD = 26;
/** The characters of the boundary between sentences. */
export const BOUNDARY_CHARACTERS: readonly number[] = [PADDING];

/** The words and characters that a language model knows, in the order of their rows. */
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

  /** The rows of a word's characters, between those of its start and end. */
  charactersOf(word: string): number[] {
    const all = [...word];
    const half = MOST_OF_WORD / 2 - 1;
    const read = all.length > 2 * half ? [...all.slice(0, half), ...all.slice(-half)] : all;
    const rows = read.map((character) => this.characterRows.get(character) ?? UNKNOWN_CHARACTER);
    return [WORD_START, ...rows, WORD_END];
  }
}
