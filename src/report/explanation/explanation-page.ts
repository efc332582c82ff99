import { checkFields } from '../../checks.ts';
import type { ParseExplanation } from '../../explain/explanation.ts';
import { html } from '../html/html.ts';
import { words } from '../html/html-table.ts';
import { wholePage } from '../html/page.ts';
import { explanationParts } from './explanation-html.ts';

export type ExplanationPageOptions = { readonly title?: string | undefined };

/** Renders an explanation as a self-contained HTML page: the search, a heat map of arc scores, and tables. */
export function explanationPage(explained: ParseExplanation, options: ExplanationPageOptions = {}): string {
  checkFields<keyof ExplanationPageOptions>('explanationPage', options, ['title']);
  const { tokens, paradigm, id } = explained;
  const sentence = tokens
    .slice(1)
    .map(({ form }) => form)
    .join(' ');
  return wholePage({
    title: options.title ?? 'How a sentence is parsed',
    subtitle: html`${paradigm}${id === undefined ? '' : `, ${id}`}: <span lang="" dir="auto">${words(sentence)}</span>`,
    sections: explanationParts(explained),
    skipTo: { id: 'main', text: 'To the explanation' },
    script: 'explanation-script.js',
  });
}
