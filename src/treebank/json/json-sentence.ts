import { BYTE_ORDER_MARK } from '../../files/encoding.ts';
import { ColumnLine } from '../columns/column-line.ts';
import { CONLLU_COLUMNS, FORM, ID } from '../columns/names.ts';
import { isBlank, isComment, lineAfter } from '../reading/batches.ts';

/** A sentence as JSON, with fields named after CoNLL-U's columns; values `_` are left out, except forms. */
export interface JsonSentence extends JsonComments {
  /** `tokens[d − 1]` is token d. */
  readonly tokens: readonly JsonToken[];
  /** Multiword tokens: `{"id": "2-3", "form": "du"}`. */
  readonly multiwordTokens?: readonly JsonToken[] | undefined;
  /** Empty nodes of enhanced dependencies: `{"id": "3.1", …}`. */
  readonly emptyNodes?: readonly JsonToken[] | undefined;
}

export interface JsonToken
  extends Readonly<
    Partial<Record<'lemma' | 'upos' | 'xpos' | 'feats' | 'deprel' | 'deps' | 'misc', string | undefined>>
  > {
  readonly id?: number | string | undefined;
  readonly form: string;
  /** 0: the artificial root; absent in empty nodes and multiword tokens. */
  readonly head?: number | string | undefined;
}

export interface JsonComments {
  /** The document's id, or true where it has none. */
  readonly newdoc?: string | true | undefined;
  readonly newpar?: string | true | undefined;
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  /** Lines with `#`: comments not in other fields, or all if the fields would change their order or spelling. */
  readonly comments?: readonly string[] | undefined;
}

export const tokenFields: readonly (keyof JsonToken)[] = CONLLU_COLUMNS.map(
  (name) => name.toLowerCase() as Lowercase<typeof name>,
);

/** The fields that hold comments, in the order in which they are written. */
export const commentFields = ['newdoc', 'newpar', 'id', 'text'] as const;

export const sentenceFields: readonly (keyof JsonSentence)[] = [
  ...commentFields,
  'comments',
  'tokens',
  'multiwordTokens',
  'emptyNodes',
];

type FieldName = (typeof commentFields)[number];
type NamedComments = { readonly [name in FieldName]?: JsonComments[name] };

/** How the comment of a field begins, and the pattern of its line. */
const fieldComments: Readonly<Record<FieldName, { readonly prefix: string; readonly pattern: RegExp }>> = {
  newdoc: { prefix: '# newdoc', pattern: /^#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*))?$/s },
  newpar: { prefix: '# newpar', pattern: /^#[ \t]*newpar(?:[ \t]+id[ \t]*=[ \t]*(.*))?$/s },
  id: { prefix: '# sent_id', pattern: /^#[ \t]*sent_id[ \t]*=[ \t]*(.*\S|)\s*$/s },
  text: { prefix: '# text', pattern: /^#[ \t]*text[ \t]*=[ \t]?(.*)$/s },
};

/** Converts comment lines to fields: the reverse of `commentLines`. */
export function commentsAsFields(lines: readonly string[]): JsonComments {
  if (lines.length === 0) return {};
  const named = namedComments(lines);
  const others = lines.slice(Object.keys(named).length);
  const short = { ...named, comments: others.length === 0 ? undefined : others };
  const isLossless = commentLines(short).join('\n') === lines.join('\n');
  return isLossless ? short : { ...named, comments: lines };
}

/** Converts fields to comment lines: first the named fields that `comments` lacks, then `comments`. */
export function commentLines({ comments = [], ...fields }: JsonComments): string[] {
  const named = namedComments(comments);
  const added = commentFields.flatMap((name) => {
    const value = fields[name];
    return value === undefined || named[name] !== undefined ? [] : [commentOf(name, value)];
  });
  return [...added, ...comments];
}

/** Finds the first field that contradicts the comments. */
export function contradiction({ comments = [], ...fields }: JsonComments): FieldName | undefined {
  const named = namedComments(comments);
  return commentFields.find(
    (name) => fields[name] !== undefined && named[name] !== undefined && fields[name] !== named[name],
  );
}

function namedComments(lines: readonly string[]): NamedComments {
  const found = new Map<FieldName, string | true>();
  for (const name of commentFields) {
    for (const line of lines) {
      const match = fieldComments[name].pattern.exec(line);
      if (match !== null) found.set(name, match[1] ?? true);
    }
  }
  return Object.fromEntries(found) as NamedComments;
}

function commentOf(name: FieldName, value: string | true): string {
  const { prefix } = fieldComments[name];
  if (value === true) return prefix;
  const isMark = name === 'newdoc' || name === 'newpar';
  return `${prefix}${isMark ? ' id' : ''} = ${value}`;
}

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,8})$/;
/** Reused from line to line; nothing here is asynchronous. */
const row = new ColumnLine();

/**
 * Converts a sentence in CoNLL-U to a line of JSON. Line ends, further blank lines, comments among tokens and
 * the places of some empty nodes are lost.
 */
export function jsonOf(conllu: string): string {
  const comments: string[] = [];
  const lists = { tokens: [] as string[], multiwordTokens: [] as string[], emptyNodes: [] as string[] };
  const start = conllu.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  for (let at = start; at < conllu.length; at = lineAfter(conllu, at)) {
    if (isBlank(conllu, at)) continue;
    row.read(conllu, at);
    if (isComment(conllu, at)) comments.push(row.content);
    else lists[listOf(row.field(ID))].push(tokenJson());
  }
  const members = Object.entries(commentsAsFields(comments))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  for (const [name, tokens] of Object.entries(lists))
    if (tokens.length > 0) members.push(`"${name}":[${tokens.join(',')}]`);
  return `{${members.join(',')}}\n`;
}

function listOf(id: string): 'tokens' | 'multiwordTokens' | 'emptyNodes' {
  if (id.includes('-')) return 'multiwordTokens';
  return id.includes('.') ? 'emptyNodes' : 'tokens';
}

function tokenJson(): string {
  const members: string[] = [];
  for (const [column, name] of tokenFields.entries()) {
    if (column !== FORM && row.equals(column, '_')) continue;
    const value = row.field(column);
    const isNumber = (name === 'id' || name === 'head') && WHOLE_NUMBER.test(value);
    members.push(`"${name}":${isNumber ? value : JSON.stringify(value)}`);
  }
  return `{${members.join(',')}}`;
}
