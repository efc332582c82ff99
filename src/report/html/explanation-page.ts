import type { ParseExplanation } from '../../explain/explanation.ts';
import { explanationParts } from './explanation/parts.ts';
import { html } from './html.ts';
import { words } from './html-table.ts';
import { wholePage } from './page.ts';

export interface ExplanationPageOptions {
  readonly title?: string | undefined;
}

/**
 * An explanation as a page that is one file and needs nothing else: the search to step through, forward and back, a
 * heat map of scored arcs, and all that the explanation has in tables.
 */
export function explanationPage(explained: ParseExplanation, options: ExplanationPageOptions = {}): string {
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
