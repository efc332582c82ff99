import type { z } from 'zod';
import { InputError } from '../errors.ts';
import { describeIssue } from '../schema-issue.ts';

/**
 * Parses the text of a JSON file; throws `InputError`, also for a key that an object has twice, with the line where the
 * JavaScript engine names the place.
 */
export function parseJson(text: string, file: string): unknown {
  // Some editors put a byte-order mark first.
  const json = text.replace(/^\uFEFF/, '');
  const lineAt = (position: number) => json.slice(0, position).split('\n').length;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = / at position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : lineAt(Number(position));
    throw new InputError(`not JSON: ${message}`, { file, line });
  }
  const repeated = repeatedKey(json);
  if (repeated === undefined) return value;
  throw new InputError(`the key ${repeated.key} a second time`, { file, line: lineAt(repeated.at) });
}

/** The first key of valid JSON that its object has already, in quotation marks. */
function repeatedKey(json: string): { readonly key: string; readonly at: number } | undefined {
  const open: Set<unknown>[] = [];
  // A group for each character of a string would overflow the stack.
  const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;
  for (const { 0: token, 1: text, 2: colon, index: at } of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    if (colon === undefined) continue;
    const keys = open.at(-1)!;
    const key = JSON.parse(text);
    if (keys.has(key)) return { key: text, at };
    keys.add(key);
  }
  return undefined;
}

/** Parses the text of a JSON file by a schema; throws `InputError` with the path of the first fault in the file. */
export function parseJsonAs<T>(schema: z.ZodType<T>, text: string, file: string): T {
  const { success, data, error } = schema.safeParse(parseJson(text, file));
  if (success) return data;
  throw new InputError(describeIssue(error.issues[0]), { file });
}
