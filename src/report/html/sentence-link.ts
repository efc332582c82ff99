import { type Html, type HtmlValue, html } from './html.ts';

/** What the browser of sentences is asked for, by the names of its fields. */
export type SentenceAddress = Readonly<Record<string, string>>;

/** A link to the sentences behind a figure. */
export function sentenceLink(address: SentenceAddress, content: HtmlValue): Html {
  return html`<a href="#${new URLSearchParams(address).toString()}">${content}</a>`;
}

/** A number, or a share, of words with the way to them; none where there is nothing to be found. */
export function linkedFigure(value: number, address: SentenceAddress, text = String(value)): HtmlValue {
  return value === 0 || Number.isNaN(value) ? text : sentenceLink(address, text);
}
