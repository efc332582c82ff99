/**
 * Characters that control a terminal: control characters (C0, C1), line separators, overrides of the writing
 * direction (Boucher & Anderson 2021, "Trojan Source"), lone surrogates. Joiners, combining marks and direction
 * marks, which some scripts need, are left alone.
 */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;
/** The same characters except tabs and line ends. */
const CONTROLS_IN_LINES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Cs}](?<![\t\n]|\r(?=\n))/gu;
const NAMES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
/** Escapes a value for display on one line: characters that control a terminal become `\t` or `\u{…}`. */
export const visible = (value: string): string => value.replace(CONTROLS, escaped);
/** Escapes a text of several lines for display: as `visible`, but keeps tabs and line ends. */
export const visibleLines = (text: string): string => text.replace(CONTROLS_IN_LINES, escaped);

/** Returns equivalent JSON in which characters that control a terminal are escaped. */
export function visibleJson(json: string): string {
  return json.replace(
    CONTROLS_IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const escaped = (character: string) => NAMES[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
/** Maximum length of a quotation in a message: a cell of a damaged file may hold a megabyte. */
const LONGEST = 40;

/** Quotes a piece of input in a message, shortened if too long, with invisible characters as `\t` or `\u{…}`. */
export function quote(text: string): string {
  // A character may have two UTF-16 units: it is not cut in half.
  const characters = [...text.slice(0, 2 * (LONGEST + 1))];
  const start = characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
  return `“${start.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, escaped)}”`;
}
