import { BYTE_ORDER_MARK } from '../../files/encoding.ts';
import { ColumnLine } from '../columns/column-line.ts';
import { FORM, ID } from '../columns/names.ts';
import { isBlank, isComment, lineAfter } from '../reading/batches.ts';
import { commentsAsFields, tokenFields } from './json-sentence.ts';

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
