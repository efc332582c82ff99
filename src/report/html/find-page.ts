import type { Sentence } from '../../treebank/sentence.ts';
import { directionOf } from '../trees/arc-layout.ts';
import { treePicture } from '../trees/tree-svg.ts';
import { drawing, Html, html } from './html.ts';
import { wholePage } from './page.ts';

/** A sentence that matches a query. */
export interface FoundMatch {
  /** The sentence's number in its file, from 1. */
  readonly number: number;
  readonly sentence: Sentence;
  /** By token, the name of the query's node that it matches. */
  readonly names: ReadonlyMap<number, string>;
}

export interface FoundInFile {
  readonly file: string;
  /** `3 matches in 2 of 10 sentences` */
  readonly summary: string;
  readonly matches: readonly FoundMatch[];
}

/** Renders the matches of a query as a self-contained page: sentences and trees in which the matching words are marked. */
export function findPage(query: string, files: readonly FoundInFile[]): string {
  return wholePage({
    title: 'Sentences found',
    subtitle: html`<code>${query}</code>`,
    sections: files.map(({ file, summary, matches }, i) => ({
      id: `file-${i + 1}`,
      title: file,
      link: file,
      content: html`<p class="answer">${summary}</p>\n${matches.map(matchHtml)}`,
    })),
    skipTo: { id: 'file-1', text: 'To the sentences' },
    script: 'explanation-script.js',
  });
}

function matchHtml({ number, sentence, names }: FoundMatch): Html {
  const { forms, id = `sentence ${number}` } = sentence;
  const words = forms.slice(1).map((form, i) => {
    const name = names.get(i + 1);
    return name === undefined ? html`${form} ` : html`<mark>${form}<sub>${name}</sub></mark> `;
  });
  const direction = directionOf(forms);
  return html`<h3>${id}</h3>
<p class="sentence" lang="" dir="${direction}">${words}</p>
<div class="scroll" dir="${direction}" tabindex="0" role="region" aria-label="Tree of ${id}">${markedTree(sentence, names)}</div>\n`;
}

function markedTree(sentence: Sentence, names: FoundMatch['names']): Html {
  const { width, height, description, elements } = treePicture(sentence);
  const beforeWords = elements.length - sentence.length - 1;
  const marked = elements.map((element, i) =>
    i > beforeWords && names.has(i - beforeWords) ? `<g class="match">${element}</g>` : element,
  );
  return drawing(description, width, height, new Html(marked.join('\n')));
}
