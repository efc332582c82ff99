import { RequestError } from './request-error.ts';

/** What a request gives by name, the last of each name. */
export type Parameters = ReadonlyMap<string, string>;

const MOST_PARAMETERS = 64;

/** Throws `RequestError` for what is not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError('expected UTF-8');
  }
}

/**
 * Parameters as they stand in the query of an address, or in a form: `name=value&name=value`.
 *
 * @throws RequestError where an escape is none, or is not UTF-8
 */
export function formParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  if (text === '') return parameters;
  const pairs = text.split('&', MOST_PARAMETERS + 1);
  checkCount(pairs.length);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    parameters.set(unescaped(name), unescaped(value));
  }
  return parameters;
}

/** The parameters in the query of an address. */
export function queryParameters(url: string): Parameters {
  const query = url.indexOf('?');
  return formParameters(query < 0 ? '' : url.slice(query + 1));
}

export function checkCount(parameters: number): void {
  if (parameters > MOST_PARAMETERS) {
    throw new RequestError(`more than ${MOST_PARAMETERS} parameters`);
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RequestError('a parameter with an escape that is not UTF-8');
  }
}
