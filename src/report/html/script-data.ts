import { Html } from './html.ts';

/** A value as JSON for the content of a script element: no `<` of it can end the element or begin a comment. */
export function scriptData(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
