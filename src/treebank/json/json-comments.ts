import { commentFields, type JsonComments } from './json-sentence.ts';

type FieldName = (typeof commentFields)[number];
type NamedComments = { readonly [name in FieldName]?: JsonComments[name] };

const patterns: Readonly<Record<FieldName, RegExp>> = {
  newdoc: /^#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*))?$/,
  newpar: /^#[ \t]*newpar(?:[ \t]+id[ \t]*=[ \t]*(.*))?$/,
  id: /^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)\s*$/,
  text: /^#[ \t]*text[ \t]*=[ \t]?(.*)$/,
};

const prefixes: Readonly<Record<FieldName, string>> = {
  newdoc: '# newdoc',
  newpar: '# newpar',
  id: '# sent_id',
  text: '# text',
};

/** The comments of a sentence, as fields from which `commentLines` makes the same again. */
export function commentsAsFields(lines: readonly string[]): JsonComments {
  if (lines.length === 0) return {};
  const named = namedComments(lines);
  const others = lines.slice(Object.keys(named).length);
  const short = { ...named, comments: others.length === 0 ? undefined : others };
  const again = commentLines(short);
  const isWhole = again.length === lines.length && again.every((line, i) => line === lines[i]);
  return isWhole ? short : { ...named, comments: lines };
}

/** The comments that fields tell: `comments`, and before them what these do not say themselves. */
export function commentLines({ comments = [], ...fields }: JsonComments): string[] {
  const said = namedComments(comments);
  const unsaid = commentFields.flatMap((name) => {
    const value = fields[name];
    return value === undefined || said[name] !== undefined ? [] : [commentOf(name, value)];
  });
  return [...unsaid, ...comments];
}

/** The first field that says another thing than the comments do. */
export function contradiction({ comments = [], ...fields }: JsonComments): FieldName | undefined {
  const said = namedComments(comments);
  return commentFields.find(
    (name) => fields[name] !== undefined && said[name] !== undefined && fields[name] !== said[name],
  );
}

function namedComments(lines: readonly string[]): NamedComments {
  const found = new Map<FieldName, string | true>();
  for (const name of commentFields) {
    for (const line of lines) {
      const match = patterns[name].exec(line);
      if (match !== null) found.set(name, match[1] ?? true);
    }
  }
  return Object.fromEntries(found) as NamedComments;
}

function commentOf(name: FieldName, value: string | true): string {
  if (value === true) return prefixes[name];
  const isMark = name === 'newdoc' || name === 'newpar';
  return `${prefixes[name]}${isMark ? ' id' : ''} = ${value}`;
}
