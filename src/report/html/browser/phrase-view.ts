import type { Picture } from '../../svg.ts';
import { phrasePair } from '../../trees/phrase-svg.ts';
import { Html, html } from '../html.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';

/** Of each parser drawn its phrases beside gold's: what is missing in the ones and wrong in the others is marked. */
export function phrasePictures(
  { phrases }: ShownSentence,
  parsers: readonly string[],
  drawn: readonly number[],
): Html[] {
  if (phrases === undefined) return [];
  return drawn
    .filter((parser) => parser >= 0)
    .map((parser) => {
      const pair = phrasePair(phrases.gold, phrases.trees[parser], parsers[parser]);
      return html`<figure class="tree"><figcaption><span dir="auto">${parsers[parser]}</span></figcaption>
<div class="pair">${pair.map(pictureOf)}</div></figure>`;
    });
}

function pictureOf({ width, height, title, elements }: Picture): Html {
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return html`<svg class="drawing" role="img" aria-label="${title}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${new Html(elements.join('\n'))}</svg>`;
}
