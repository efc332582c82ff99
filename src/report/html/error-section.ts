import type { Comparison, ErrorCounts, TokenPlace } from '../../evaluate/comparison/comparison.ts';
import { arcText } from '../tables/comparison-tables.ts';
import { type Html, html } from './html.ts';
import { htmlTable, words } from './html-table.ts';
import { sentenceLink } from './sentence-link.ts';

/** What goes wrong most often, with ways to the sentences in which it does. */
export function errorSection({ parsers, errors, labelled }: Comparison, limit: number): Html {
  const counts = parsers.map(({ name }) => ({ title: words(name), figures: true }));
  const columns = (...titles: string[]) => titles.map((title) => ({ title }));
  const confusions = htmlTable({
    caption:
      'Labels taken for others: gold label, label given, number of words; the numbers lead to the sentences',
    columns: [...columns('Gold', 'Given'), ...counts],
    rows: errors.labelConfusions
      .slice(0, limit)
      .map(({ gold, predicted, counts }) => [
        words(gold),
        words(predicted),
        ...counts.map((count, parser) =>
          count === 0 ? count : sentenceLink({ gold, predicted, wrong: String(parser) }, String(count)),
        ),
      ]),
  });
  const arcs = htmlTable({
    caption: 'Most frequent wrong arcs: tag of the dependent, arc in gold, arc given',
    columns: [...columns('Tag', 'Gold', 'Given'), ...counts, ...columns('For example')],
    rows: errors.wrongArcs
      .slice(0, limit)
      .map((pattern) => [
        words(pattern.tag),
        words(arcText(pattern.gold)),
        words(arcText(pattern.predicted)),
        ...pattern.counts,
        exampleLinks(pattern),
      ]),
  });
  const wrongWords = htmlTable({
    caption: 'Words most often attached or labelled wrongly',
    columns: [
      ...columns('Word', 'Tag'),
      { title: 'Occurs', figures: true },
      ...counts,
      ...columns('For example'),
    ],
    rows: errors.words
      .slice(0, limit)
      .map((word) => [words(word.form), words(word.tag), word.tokens, ...word.counts, exampleLinks(word)]),
  });
  const lists = [
    ...(labelled
      ? [{ title: 'Label confusion', size: errors.labelConfusions.length, list: confusions }]
      : []),
    { title: 'Wrong arcs', size: errors.wrongArcs.length, list: arcs },
    { title: 'Wrong words', size: errors.words.length, list: wrongWords },
  ];
  const shown = lists.filter(({ size }) => size > 0);
  if (shown.length === 0) return html`<p>No parser makes any.</p>`;
  return html`${shown.map(
    ({ title, list }, i) =>
      html`<details${i === 0 ? html` open` : undefined}><summary>${title}</summary>${list}</details>\n`,
  )}`;
}

/** The sentences on which the parsers differ most. */
export function differingSection({ parsers, sentences, labelled }: Comparison, limit: number): Html {
  if (sentences.length === 0) return html`<p>All parsers are equally good on every sentence.</p>`;
  return htmlTable({
    caption: `Sentences on which the parsers differ most: right ${labelled ? 'arcs' : 'heads'} of each`,
    columns: [
      { title: 'Sentence' },
      { title: 'Words scored', figures: true },
      ...parsers.map(({ name }) => ({ title: words(name), figures: true })),
      { title: 'Text', kind: 'text' },
    ],
    rows: sentences
      .slice(0, limit)
      .map(({ sentence, scored, heads, arcs, text }) => [
        sentenceLink({ sentence: String(sentence) }, String(sentence)),
        scored,
        ...(labelled ? arcs : heads),
        words(text),
      ]),
  });
}

/** Up to three different sentences in which parsers make the error. */
function exampleLinks({ examples }: ErrorCounts): Html {
  const places = examples.flatMap((each: readonly TokenPlace[]) => each.map(({ sentence }) => sentence));
  const numbers = [...new Set(places)].slice(0, 3).map(String);
  return html`${numbers.map((number) => html`${sentenceLink({ sentence: number }, number)} `)}`;
}
