// Reads declaration files: each declaration with the comment before it.
import { readFileSync } from 'node:fs';

const start =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|function\*?|const|enum)\s+(\w+)/;

/**
 * The declarations of a file, by name; those of an overloaded function are one text.
 * @returns {Map<string, { comment: string, text: string }>}
 */
export function declarationsIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const found = new Map();
  let comment = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].startsWith('/**')) {
      const from = i;
      while (!lines[i].includes('*/')) i++;
      comment = lines.slice(from, i + 1);
      continue;
    }
    const name = start.exec(lines[i])?.[1];
    if (name === undefined) continue;
    const from = i;
    for (let depth = nesting(lines[i]); depth > 0 && i + 1 < lines.length; ) depth += nesting(lines[++i]);
    const text = visible(lines.slice(from, i + 1));
    const earlier = found.get(name);
    found.set(name, {
      comment: earlier?.comment || plainComment(comment),
      text: earlier === undefined ? text : `${earlier.text}\n${text}`,
    });
    comment = [];
  }
  return found;
}

/** How many more brackets a line opens than it closes; arrows are none. */
function nesting(line) {
  if (/^\s*(\/\*\*|\*)/.test(line)) return 0;
  const code = line.replace(/\/\*.*?\*\//g, '').replaceAll('=>', '');
  return (code.match(/[{([]/g)?.length ?? 0) - (code.match(/[})\]]/g)?.length ?? 0);
}

/** Without `export declare` and private members. */
function visible(lines) {
  return lines
    .filter((line) => !/^\s*(private |#private;)/.test(line))
    .join('\n')
    .replace(/^export (declare )?/, '')
    .replace(/;$/, '');
}

/** The text of a comment as Markdown: its tags are a list. */
function plainComment(lines) {
  return lines
    .join('\n')
    .replace(/^\/\*\*\s?|\s*\*\/$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim()
    .replace(/^@param (\S+) /gm, '- `$1`: ')
    .replace(/^@returns /gm, '- returns ')
    .replace(/^@throws (\w+) /gm, '- throws `$1` ')
    .replace(/\n- /, '\n\n- ')
    .replace(/\{@link (\w+)\}/g, '`$1`');
}
