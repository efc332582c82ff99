import type { Explanation } from '../../../combine/vote/analysis/explain.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import { pText, signed, type TitledTable } from '../../../src/report/tables/comparison-tables.ts';
import { figures, type Table, withoutEmptyColumns } from '../../../src/report/tables/table.ts';
import { count } from '../../terminal/output.ts';

/** What a vote of parsers of these names does; without labels, by heads alone. */
export function voteTables(explanation: Explanation, names: readonly string[]): TitledTable[] {
  const { best, against } = explanation.vote;
  const p = (['uas', 'las'] as const)
    .filter((score) => !Number.isNaN(explanation.vote[score]))
    .map((score) => `${score.toUpperCase()} p ${pText(against[score].twoSided)}`);
  return [
    {
      title: 'Members and vote',
      table: withoutEmptyColumns(memberTable(explanation, names)),
      notes: [
        `The vote against ${names[best]}, the best member here: ${p.join(', ')} (stratified shuffling, two-sided).`,
      ],
    },
    {
      title: 'Winners overruled',
      table: overrulingTable(explanation),
      notes: ['Tokens that did not get the head with most votes, so that there is a tree.'],
    },
    {
      title: 'By the number of members',
      table: withoutEmptyColumns(sizeTable(explanation)),
      notes: [
        'Best first: those with the highest weights. Mean: of all such ensembles, or of so many drawn.',
      ],
    },
  ];
}

/** How far the members agree, and who is right; without labels, by heads alone. */
export function memberAgreementTables(explanation: Explanation, names: readonly string[]): TitledTable[] {
  return [
    {
      title: 'Who is right',
      table: withoutEmptyColumns(rightTable(explanation)),
      notes: ['Oracle: some member is right.'],
    },
    {
      title: 'Errors and right answers of one member alone',
      table: withoutEmptyColumns(uniqueTable(explanation, names)),
      notes: [],
    },
    {
      title: 'The same head',
      table: matrixTable(explanation, names),
      notes: ['Percent of the tokens to which two members give the same head.'],
    },
  ];
}

function memberTable({ members, vote, gold }: Explanation, names: readonly string[]): Table {
  return {
    columns: [
      { key: 'member', title: 'member' },
      figures('uas', 'UAS', 2),
      figures('las', 'LAS', 2),
      figures('uasWithout', 'UAS without', 2),
      figures('lasWithout', 'LAS without', 2),
      { ...figures('contribution', 'adds to LAS', 2), format: signed },
      figures('nonProjectiveArcs', 'non-proj. arcs %', 2),
      figures('nonProjectiveSentences', 'sentences %', 2),
    ],
    rows: [
      ...members.map(({ uas, las, without, nonProjective }, i) => [
        names[i],
        uas,
        las,
        without?.uas ?? null,
        without?.las ?? null,
        without === undefined ? null : vote.las - without.las,
        nonProjective.arcs,
        nonProjective.sentences,
      ]),
      [
        'their vote',
        vote.uas,
        vote.las,
        null,
        null,
        null,
        vote.nonProjective.arcs,
        vote.nonProjective.sentences,
      ],
      ['gold', null, null, null, null, null, gold.arcs, gold.sentences],
    ],
  };
}

function rightTable({ agreement }: Explanation): Table {
  const { oracle, majority, unanimousRight, unanimousWrong } = agreement;
  const rows = {
    oracle,
    'more than half right': majority,
    'all right': unanimousRight,
    'all the same, and wrong': unanimousWrong,
  };
  return {
    columns: [
      { key: 'what', title: '% of tokens' },
      figures('uas', 'head', 2),
      figures('las', 'head and label', 2),
    ],
    rows: Object.entries(rows).map(([what, { uas, las }]) => [what, uas, las]),
  };
}

function uniqueTable({ agreement }: Explanation, names: readonly string[]): Table {
  return {
    columns: [
      { key: 'member', title: 'member' },
      figures('wrongHead', 'only one wrong: head', 2),
      figures('wrongArc', 'head or label', 2),
      figures('rightHead', 'only one right: head', 2),
      figures('rightArc', 'head and label', 2),
    ],
    rows: agreement.unique.map(({ errors, right }, i) => [
      names[i],
      errors.uas,
      errors.las,
      right.uas,
      right.las,
    ]),
  };
}

function matrixTable({ agreement }: Explanation, names: readonly string[]): Table {
  return {
    columns: [{ key: 'member', title: '' }, ...names.map((name) => figures(name, name, 1))],
    rows: agreement.matrix.map((row, i) => [names[i], ...row.map(({ uas }, j) => (i === j ? null : uas))]),
  };
}

function overrulingTable({ overruling, tokens }: Explanation): Table {
  const { harmed, mended, neutral } = overruling;
  const rows = {
    all: overruling.tokens,
    'right, now wrong': harmed,
    'wrong, now right': mended,
    'wrong, still wrong': neutral,
  };
  return {
    columns: [
      { key: 'what', title: 'winners' },
      { key: 'tokens', title: 'tokens', align: 'right', format: (n) => count(Number(n)) },
      figures('percent', '%', 3),
    ],
    rows: [
      ...Object.entries(rows).map(([what, n]) => [what, n, percent(n, tokens)]),
      ['sentences with one', overruling.sentences, null],
      ['sentences: winners have a cycle', overruling.cycles, null],
      ['sentences: winners have not one root', overruling.notOneRoot, null],
    ],
  };
}

function sizeTable({ sizes }: Explanation): Table {
  return {
    columns: [
      figures('members', 'members', 0),
      figures('bestUas', 'best first: UAS', 2),
      figures('bestLas', 'LAS', 2),
      figures('meanUas', 'mean: UAS', 2),
      figures('meanLas', 'LAS', 2),
      figures('ensembles', 'of', 0),
    ],
    rows: sizes.map(({ members, bestFirst, mean, ensembles }) => [
      members,
      bestFirst.uas,
      bestFirst.las,
      mean.uas,
      mean.las,
      ensembles,
    ]),
  };
}
