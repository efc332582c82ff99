/**
 * What a terminal obeys instead of showing it: controls (C0, C1), of which escape sequences are made, separators of
 * lines, overrides of the writing direction (Boucher & Anderson 2021, "Trojan Source"), halves of surrogate pairs.
 * Marks that letters need (joiners, combining and direction marks) are none of them.
 */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;

/** The same but for tabs and line ends. */
const OBEYED_IN_LINES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}](?<![\t\n]|\r(?=\n))/gu;

const NAMES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value (a word, a name) for somebody to read, on one line: what a terminal would obey as `\t` or `\u{…}`. */
export function visible(value: string): string {
  return value.replace(OBEYED, escaped);
}

/** A text of several lines for somebody to read: as `visible`, but for its tabs and line ends. */
export function visibleLines(text: string): string {
  return text.replace(OBEYED_IN_LINES, escaped);
}

/** JSON that means the same, with what a terminal would obey escaped. */
export function visibleJson(json: string): string {
  return json.replace(
    OBEYED_IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `\t`, `\u{1b}`. */
function escaped(character: string): string {
  return NAMES[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

/** Longest quotation in a message, in characters: a cell of a damaged file may be a megabyte. */
const LONGEST = 40;

/**
 * A piece of input for a message: in quotation marks, cut where too long, with what cannot be seen written as
 * `\t` or `\u{…}`.
 */
export function quote(text: string): string {
  // A character may be two units long: it is not cut in half.
  const characters = [...text.slice(0, 2 * (LONGEST + 1))];
  const start = characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
  return `“${start.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped)}”`;
}
