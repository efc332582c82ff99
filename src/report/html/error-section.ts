import type { Comparison, WrongArcPattern, WrongWord } from '../../evaluate/comparison/comparison.ts';
import { arcText } from '../tables/figure-text.ts';
import { type Html, html } from './html.ts';
import { htmlTable, linkedFigure, type SentenceAddress, sentenceLink, words } from './html-table.ts';

/** The most frequent errors, linked to their sentences. */
export function errorSection({ parsers, errors, labelled }: Comparison, limit: number): Html {
  const counts = parsers.map(({ name }) => ({ title: words(name), figures: true }));
  const columns = (...titles: string[]) => titles.map((title) => ({ title }));
  const confusions = htmlTable({
    caption: 'Label confusions: gold label, predicted label, number of words',
    columns: [...columns('Gold', 'Given'), ...counts],
    rows: errors.labelConfusions
      .slice(0, limit)
      .map(({ gold, predicted, counts }) => [
        words(gold),
        words(predicted),
        ...counts.map((count, parser) => linkedFigure(count, { gold, predicted, wrong: String(parser) })),
      ]),
  });
  const arcs = htmlTable({
    caption: 'Most frequent wrong arcs: tag of the dependent, gold arc, predicted arc',
    columns: [...columns('Tag', 'Gold', 'Given'), ...counts],
    rows: errors.wrongArcs
      .slice(0, limit)
      .map((pattern) => [
        words(pattern.tag),
        words(arcText(pattern.gold)),
        words(arcText(pattern.predicted)),
        ...pattern.counts.map((count, parser) => linkedFigure(count, arcAddress(pattern, parser))),
      ]),
  });
  const wrongWords = htmlTable({
    caption: 'Words most often attached or labelled wrongly',
    columns: [...columns('Word', 'Tag'), { title: 'Occurs', figures: true }, ...counts],
    rows: errors.words
      .slice(0, limit)
      .map((word) => [
        words(word.form),
        words(word.tag),
        linkedFigure(word.tokens, wordAddress(word)),
        ...word.counts.map((count, parser) =>
          linkedFigure(count, { ...wordAddress(word), wrong: String(parser) }),
        ),
      ]),
  });
  const lists = [
    ...(labelled
      ? [{ title: 'Label confusion', size: errors.labelConfusions.length, list: confusions }]
      : []),
    { title: 'Wrong arcs', size: errors.wrongArcs.length, list: arcs },
    { title: 'Wrong words', size: errors.words.length, list: wrongWords },
  ];
  const shown = lists.filter(({ size }) => size > 0);
  if (shown.length === 0) return html`<p>No parser makes errors.</p>`;
  return html`${shown.map(
    ({ title, list }, i) =>
      html`<details${i === 0 ? html` open` : undefined}><summary>${title}</summary>${list}</details>\n`,
  )}`;
}

/** The sentences on which the parsers differ most. */
export function differingSection({ parsers, sentences, labelled }: Comparison, limit: number): Html {
  if (sentences.length === 0) return html`<p>All parsers have equal scores on every sentence.</p>`;
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

function arcAddress({ tag, gold, predicted }: WrongArcPattern, parser: number): SentenceAddress {
  return { tag, 'gold-arc': arcText(gold), 'given-arc': arcText(predicted), wrong: String(parser) };
}

function wordAddress({ form, tag }: WrongWord): SentenceAddress {
  return { form, tag };
}
