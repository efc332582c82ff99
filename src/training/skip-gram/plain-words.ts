/** Letters and digits, with hyphens and apostrophes between them, or points and commas between digits; several full stops; else one character. */
export const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+|(?<=\p{N})[.,:]\p{N}+)*|\.{2,}|\S/gu;
export const SOFT_HYPHENS = /\u00ad/g;
/** Splits a line of text into words and punctuation marks by a plain rule. */
export const plainWords = (line: string): string[] => line.replace(SOFT_HYPHENS, '').match(WORD) ?? [];
