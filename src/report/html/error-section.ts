import type {
  Comparison,
  ErrorCounts,
  WrongArcPattern,
  WrongWord,
} from '../../evaluate/comparison/comparison.ts';
import { errorTables } from '../tables/comparison-tables.ts';
import { arcText } from '../tables/figure-text.ts';
import { type Html, html } from './html.ts';
import type { AddressOf, SentenceAddress } from './html-table.ts';
import { htmlTable, linkedTable, sentenceLink, words } from './html-table.ts';

export function errorSection(comparison: Comparison, limit: number): Html {
  const { labelConfusions, wrongArcs, words: wrongWords } = comparison.errors;
  const [confusions, arcs, wordTable] = errorTables(comparison, limit);
  const wordCounts = countAddress(wrongWords, 3, wordAddress);
  const lists = [
    {
      title: 'Label confusion',
      table: confusions,
      addressOf: countAddress(labelConfusions, 2, ({ gold, predicted }) => ({ gold, predicted })),
    },
    { title: 'Wrong arcs', table: arcs, addressOf: countAddress(wrongArcs, 3, arcAddress) },
    {
      title: 'Wrong words',
      table: wordTable,
      addressOf: (row: number, column: number) =>
        column === 2 ? wordAddress(wrongWords[row]) : wordCounts(row, column),
    },
  ].filter(({ table: { table } }) => table.rows.length > 0);
  if (lists.length === 0) return html`<p>No parser makes errors.</p>`;
  return html`${lists.map(
    ({ title, table, addressOf }, i) =>
      html`<details${i === 0 ? html` open` : undefined}><summary>${title}</summary>${linkedTable(table, addressOf)}</details>\n`,
  )}`;
}

function countAddress<Kind extends ErrorCounts>(
  kinds: readonly Kind[],
  first: number,
  addressOf: (kind: Kind) => SentenceAddress,
): AddressOf {
  return (row, column) => {
    const parser = column - first;
    return kinds[row].counts[parser] > 0 ? { ...addressOf(kinds[row]), wrong: String(parser) } : undefined;
  };
}

const arcAddress = ({ tag, gold, predicted }: WrongArcPattern): SentenceAddress => ({
  tag,
  'gold-arc': arcText(gold),
  'given-arc': arcText(predicted),
});

const wordAddress = ({ form, tag }: WrongWord): SentenceAddress => ({ form, tag });

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
