import { escapeXml } from '../svg.ts';

/** HTML that is safe to insert without escaping. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template: text and numbers are escaped, `Html` is not; `undefined` and `null` are empty. */
export type HtmlValue = string | number | undefined | null | Html | readonly HtmlValue[];

/** Fills a template; values are escaped for content and quoted attributes, characters that HTML forbids become U+FFFD. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(parts.reduce((text, part, i) => text + asText(values[i - 1]) + part));

function asText(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? value.map(asText).join('') : escapeXml(String(value));
}

/** Writes JSON for a script element, with `<` escaped so that it can neither end the element nor begin a comment. */
export const scriptData = (value: unknown): Html =>
  new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/** Embeds a drawing with a label for screen readers; sizes in pixels are rounded up. */
export function drawing(label: string, width: number, height: number, content: HtmlValue): Html {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return html`<svg class="drawing" role="img" aria-label="${label}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${content}</svg>`;
}

/** Maps 0…1 to the stylesheet's shades 0 to 10, since a strict CSP forbids style attributes. */
export const shadeOf = (figure: number): number => Math.round(10 * figure);
