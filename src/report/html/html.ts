import { escapeXml } from '../svg.ts';

/** A piece of HTML that is safe to be put into other HTML as it is. */
export class Html {
  constructor(readonly text: string) {}
}

/** What may stand in a template: text and numbers are escaped, pieces of HTML are not; `undefined` and `null` are nothing. */
export type HtmlValue = string | number | undefined | null | Html | readonly HtmlValue[];

/**
 * A template for HTML that escapes what is put into it, both in content and in attributes within double
 * quotes. Characters that no HTML can hold become U+FFFD.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, i) => text + asText(values[i - 1]) + part));
}

function asText(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? value.map(asText).join('') : escapeXml(String(value));
}

/** A value as JSON for the content of a script element: no `<` of it can end the element or begin a comment. */
export function scriptData(value: unknown): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

/**
 * A figure from 0 to 1 as one of the shades that stylesheets have, 0 to 10: in place of styles of elements, which a
 * strict policy (CSP) forbids.
 */
export function shadeOf(figure: number): number {
  return Math.round(10 * figure);
}
