import type { Agreement, Shares } from '../../evaluate/agreement.ts';
import { type Html, html } from './html.ts';
import { figure, htmlTable, words } from './html-table.ts';

/** How far the parsers agree with each other, and what a vote of them could reach. */
export function agreementSection(agreement: Agreement, parsers: readonly string[], labelled: boolean): Html {
  const answer = labelled ? 'head and label' : 'head';
  const share = (shares: Shares) => (labelled ? shares.las : shares.uas);
  return html`${matrixTable(agreement, parsers, share)}
<p class="note">Tokens to which both parsers give the same ${answer}, right or wrong, percent.</p>
${uniqueTable(agreement, parsers, share)}
${summaryTable(agreement, share)}`;
}

type Share = (shares: Shares) => number;

/** Percent of the accent's colour behind the pair that agrees least, and behind the one that agrees most. */
const [palest, darkest] = [5, 50];

/** The more of the colour, the more the parsers agree. */
function matrixTable({ matrix }: Agreement, parsers: readonly string[], share: Share): Html {
  const shares = matrix.map((row) => row.map(share));
  const ofPairs = shares.flatMap((row, i) => row.filter((_, j) => i !== j));
  const [least, most] = [Math.min(...ofPairs), Math.max(...ofPairs)];
  const shade = (value: number) =>
    Math.round(darkest - ((darkest - palest) * (most - value)) / (most - least || 1));
  const cell = (value: number) => shaded(shade(value), figure(value));
  const table = htmlTable({
    caption: 'Agreement of each pair',
    columns: [
      { title: 'Parser' },
      ...parsers.map((name) => ({ title: words(name), figures: true, kind: 'shaded' })),
    ],
    rows: parsers.map((name, i) => [
      words(name),
      ...shares[i].map((value, j) => (i === j ? '' : cell(value))),
    ]),
  });
  return html`${table}
<p class="legend shaded">${cell(least)} … ${cell(most)} the darker, the more the two agree</p>`;
}

function shaded(shade: number, text: string): Html {
  return html`<span style="--shade: ${shade}%">${text}</span>`;
}

function uniqueTable({ unique }: Agreement, parsers: readonly string[], share: Share): Html {
  return htmlTable({
    caption: 'Alone against all others, percent of the tokens',
    columns: [
      { title: 'Parser' },
      { title: 'Only it is right', figures: true },
      { title: 'Only it is wrong', figures: true },
    ],
    rows: parsers.map((name, i) => [
      words(name),
      figure(share(unique[i].right)),
      figure(share(unique[i].errors)),
    ]),
  });
}

function summaryTable({ oracle, majority, unanimousRight, unanimousWrong }: Agreement, share: Share): Html {
  const rows: [string, Shares][] = [
    ['Some parser is right: the most that a vote could reach', oracle],
    ['More than half are right', majority],
    ['All are right', unanimousRight],
    ['All give the same wrong answer', unanimousWrong],
  ];
  return htmlTable({
    caption: 'All parsers together, percent of the tokens',
    columns: [{ title: 'Tokens for which' }, { title: 'Share', figures: true }],
    rows: rows.map(([text, shares]) => [text, figure(share(shares))]),
  });
}
