/** What is code already, and addresses of links. */
const marked = /(?<!\\)`+[^`]*`+|\]\([^)]*\)/;

/** What is no English wherever it stands. */
const names = [
  /https?:\/\/[^\s)]+/,
  // Flags and what is to be put in.
  /(?<![\w/-])--?[a-z][\w-]*/,
  /<[\w ,…|-]*>/,
  // Files.
  /[\w./*-]*\.(?:[a-z]{1,3}|conll[ux]|model|html|json)\b/,
  // Treebanks.
  /\bud-[a-z-]+/,
  // Code points, papers of the ACL's anthology, and digests.
  /\bU\+[0-9A-F]+/,
  /\b[A-Z]\d\d-\d{4}\b/,
  /\b(?=[a-f]*\d)[0-9a-f]{7,}\b/,
  // Names with capitals within or with figures, and letters of formulas.
  /\b[A-Z]?[a-z]+[A-Z]\w*(?:\.\w+)*/,
  /\b(?:[A-Za-z]+\d\w*|\d+[a-z]\b)/,
  /(?<![\p{L}\p{N}'’])(?:[b-z]|[A-HJ-Z])[\dᵢⱼₖᵣⁿᵖ]*(?:['’]s)?(?![\p{L}\p{N}'’])/u,
  /[ᵢⱼₖᵣⁿᵖ]/,
];

const all = new RegExp([marked, ...names].map(({ source }) => source).join('|'), 'gu');

/** The text with names marked as code, which a checker passes over. */
export function namesAsCode(text) {
  return text
    .replace(all, (found) => (/^[`\]]/.test(found) ? found : '`x`'))
    .replace(/(?<=[`)*])['’]s\b/g, '');
}
