/** A comment `# name = value`. Only LF and CR LF end a line: U+2028 and a lone CR are part of a value. */
const COMMENT = /(?:^\ufeff?|\n)#([^=\n]*)=[ \t]*([^\n]*[^ \t\r\n]|)[ \t\r]*(?=\n|$)/g;

/** The value of the first comment `# name = value`; undefined if there is none. */
export function commentIn(text: string, name: string): string | undefined {
  for (const [, found, value] of text.matchAll(COMMENT)) if (found!.trim() === name) return value;
  return undefined;
}

/** A comment `# newdoc` or `# newdoc id = value` before the tokens of a sentence. */
const NEW_DOCUMENT =
  /^\ufeff?(?:(?:#[^\n]*|\r?)\n)*?#[ \t]*newdoc\b(?:[ \t]+id[ \t]*=[ \t]*([^\n]*[^ \t\r\n]|)[ \t\r]*(?:\n|$))?/;

/** The id of the document that a sentence begins, empty if it has none; undefined if the sentence begins no document. */
export function documentIn(text: string): string | undefined {
  const begun = NEW_DOCUMENT.exec(text);
  return begun === null ? undefined : (begun[1] ?? '');
}

/** Whether the comments of a sentence, in JSON or not, say that its tree is not the first of several of the n-best. */
export const isFurtherTree = (text: string): boolean => /(?:^|")# tree = (?!1 of )\d+ of \d+\b/m.test(text);

/** Replaces the value of every comment `# name = value`, in its place. */
export function withValue(text: string, name: string, value: string): string {
  return text.replace(COMMENT, (comment: string, found: string) => {
    if (found.trim() !== name) return comment;
    const end = comment.endsWith('\r') ? '\r' : '';
    return `${comment.slice(0, comment.indexOf('=') + 1)} ${value}${end}`;
  });
}

/**
 * Sets comments of a sentence in CoNLL-U before or after its others, in place of earlier ones with these
 * names; undefined only removes one. The result ends with a blank line, so that another sentence may follow.
 */
export function withComments(
  conllu: string,
  comments: Readonly<Record<string, string | undefined>>,
  place: 'first' | 'last' = 'last',
): string {
  const lineEnd = /\r?\n/.exec(conllu)?.[0] ?? '\n';
  const names = Object.keys(comments);
  const [before, mark, lines] = /^(\ufeff?)((?:(?:#[^\n]*|\r?)\n)*)/.exec(conllu)!;
  const others = lines!
    .split(/(?<=\n)/)
    .filter((line) => names.every((name) => commentIn(line, name) === undefined));
  const set = names
    .filter((name) => comments[name] !== undefined)
    .map((name) => `# ${name} = ${comments[name]}${lineEnd}`);
  const all = place === 'first' ? [...set, ...others] : [...others, ...set];
  return [mark, ...all, withBlankLine(conllu.slice(before.length), lineEnd)].join('');
}

/**
 * Prepares the text of a file for joining with other files: drops a byte-order mark and blank lines at its beginning,
 * and adds a missing blank line at its end.
 */
export function asBlock(conllu: string): string {
  const text = conllu.replace(/^\ufeff?(?:\r?\n)*/, '');
  return text === '' ? '' : withBlankLine(text, /\r?\n/.exec(text)?.[0] ?? '\n');
}

function withBlankLine(text: string, lineEnd: string): string {
  const ended = text.endsWith('\n') ? text : text + lineEnd;
  return /\n\r?\n$/.test(ended.slice(-3)) ? ended : ended + lineEnd;
}
