import type { z } from 'zod';
import { InputError } from '../errors.ts';

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
  for (const { 0: token, 1: key, index: at } of json.matchAll(
    /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g,
  )) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    if (key === undefined) continue;
    const keys = open.at(-1)!;
    if (keys.has(JSON.parse(key))) return { key, at };
    keys.add(JSON.parse(key));
  }
  return undefined;
}

/** Parses the text of a JSON file by a schema; throws `InputError` with the path of the first fault in the file. */
export function parseJsonAs<T>(schema: z.ZodType<T>, text: string, file: string): T {
  const { success, data, error } = schema.safeParse(parseJson(text, file));
  if (success) return data;
  const [{ path, message }] = error.issues;
  throw new InputError(`${path.join('.')}: ${message}`, { file });
}
