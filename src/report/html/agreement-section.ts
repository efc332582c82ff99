import type { Agreement, Shares } from '../../evaluate/agreement.ts';
import { fullLabels } from '../tables/comparison-tables.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import { figure, htmlTable, linkedFigure, type SentenceAddress, words } from './html-table.ts';

export function agreementSection(agreement: Agreement, parsers: readonly string[], labelled: boolean): Html {
  const answer = labelled ? 'head and label' : 'head';
  const share = (shares: Shares) => (labelled ? shares.las : shares.uas);
  return html`${matrixTable(agreement, parsers, share)}
<p class="note">Percent of tokens with the same ${answer}, right or wrong. ${labelled ? `${fullLabels} ` : ''}Figures link to the differences.</p>
${uniqueTable(agreement, parsers, share)}
${summaryTable(agreement, share)}`;
}

type Share = (shares: Shares) => number;
/** Opacity, in percent, for the pair that agrees least and the pair that agrees most. */
const [palest, darkest] = [5, 30];

function matrixTable({ matrix }: Agreement, parsers: readonly string[], share: Share): Html {
  const shares = matrix.map((row) => row.map(share));
  const ofPairs = shares.flatMap((row, i) => row.filter((_, j) => i !== j));
  const [least, most] = [Math.min(...ofPairs), Math.max(...ofPairs)];
  const shade = (value: number) =>
    Math.round(darkest - ((darkest - palest) * (most - value)) / (most - least || 1));
  const cell = (value: number, content: HtmlValue = figure(value)) => shaded(shade(value), content);
  const answers = (i: number, j: number) => ({ answers: `${Math.min(i, j)}-${Math.max(i, j)}` });
  const table = htmlTable({
    caption: 'Agreement of each pair',
    columns: [
      { title: 'Parser' },
      ...parsers.map((name) => ({ title: words(name), figures: true, kind: 'shaded' })),
    ],
    rows: parsers.map((name, i) => [
      words(name),
      ...shares[i].map((value, j) =>
        i === j ? '' : cell(value, value === 100 ? figure(value) : linked(value, answers(i, j))),
      ),
    ]),
  });
  return html`${table}
<p class="legend shaded">${cell(least)} … ${cell(most)} the stronger the colour, the more they agree</p>`;
}

const shaded = (shade: number, text: HtmlValue) => html`<span style="--shade: ${shade}%">${text}</span>`;

function uniqueTable({ unique }: Agreement, parsers: readonly string[], share: Share): Html {
  return htmlTable({
    caption: 'Each parser against all others, percent of the tokens',
    columns: [
      { title: 'Parser' },
      { title: 'Right alone', figures: true },
      { title: 'Wrong alone', figures: true },
    ],
    rows: parsers.map((name, i) => [
      words(name),
      linked(share(unique[i].right), { right: `only-${i}` }),
      linked(share(unique[i].errors), { wrong: `only-${i}` }),
    ]),
  });
}

function summaryTable({ oracle, majority, unanimousRight, unanimousWrong }: Agreement, share: Share): Html {
  const rows: [string, HtmlValue][] = [
    ['Some parser is right (upper bound of a vote)', linked(share(oracle), { right: 'any' })],
    ['More than half are right', linked(share(majority), { right: 'most' })],
    ['All are right', linked(share(unanimousRight), { right: 'every' })],
    ['All give the same wrong answer', linked(share(unanimousWrong), { wrong: 'every', answers: 'same' })],
  ];
  return htmlTable({
    caption: 'All parsers together, percent of the tokens',
    columns: [{ title: 'Tokens for which' }, { title: 'Share', figures: true }],
    rows,
  });
}

const linked = (share: number, address: SentenceAddress) => linkedFigure(share, address, figure(share));
