/** Longest quotation in a message: a cell of a damaged file may be a megabyte. */
const LONGEST = 40;

const NAMES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * A piece of input for a message: in quotation marks, cut where too long, with what cannot be seen written as
 * `\t` or `\u{…}`.
 */
export function quote(text: string): string {
  const start = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `“${start.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, named)}”`;
}

function named(character: string): string {
  return NAMES[character] ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
