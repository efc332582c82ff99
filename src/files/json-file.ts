import type { z } from 'zod';
import { InputError } from '../errors.ts';

/** Parses the text of a JSON file; throws `InputError`, with the line where the JavaScript engine names the place. */
export function parseJson(text: string, file: string): unknown {
  try {
    // Some editors put a byte-order mark first.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = / at position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new InputError(`not JSON: ${message}`, { file, line });
  }
}

/** Parses the text of a JSON file by a schema; throws `InputError` with the path of the first fault in the file. */
export function parseJsonAs<T>(schema: z.ZodType<T>, text: string, file: string): T {
  const { success, data, error } = schema.safeParse(parseJson(text, file));
  if (success) return data;
  const [{ path, message }] = error.issues;
  throw new InputError(`${path.join('.')}: ${message}`, { file });
}
