import {
  type ExplainedMember,
  type Explanation,
  explainVote,
  type NonProjectivity,
} from '../../../combine/vote/analysis/explain.ts';
import { sharedTrees } from '../../../combine/vote/analysis/independence.ts';
import type { GoldBallot } from '../../../combine/vote/ballots.ts';
import { StreamedBallots } from '../../../combine/vote/files/vote-files.ts';
import { labelNotes } from '../../../src/evaluate/comparison/metrics.ts';
import { parserNames } from '../../../src/evaluate/comparison/names.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import type { Table, TitledTable } from '../../../src/report/tables/table.ts';
import {
  figures,
  markdownTable,
  pText,
  signed,
  tableOf,
  text,
  textTable,
  withoutEmptyColumns,
} from '../../../src/report/tables/table.ts';
import { count, plural, print, printJson, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { fileOptions, type ModeOf, type VoteFlags, voteOptions } from './modes.ts';
import { noteEqualWeights, weightsOfFiles } from './trees.ts';

export async function explain(mode: ModeOf<'explain'>, flags: VoteFlags): Promise<void> {
  const { files, gold } = mode;
  const names = parserNames(files);
  const { weightsFor, learntFrom } = await weightsOfFiles(mode, flags);
  const streamed = await StreamedBallots.open(gold, files, fileOptions(flags));
  const shared = learntFrom && sharedTrees(learntFrom);
  const ballots = shared === undefined ? streamed : watched(streamed, ({ gold }) => shared.add(gold));
  const weights = weightsFor([...files.keys()]);
  noteEqualWeights(weights, flags);
  const options = voteOptions(flags);
  const explanation = await withProgress('voting', 'sentences', flags.quiet, (onProgress) =>
    explainVote(ballots, weightsFor, { ...options, onProgress }),
  );
  if (shared?.exceedsLimit || (learntFrom !== undefined && learntFrom.digest === streamed.digest))
    warn(`the weights are learnt from sentences of ${gold} itself: the vote's scores are too high`);
  const { name: weighting } = weights;
  const { method } = options;
  const setting = { gold, method, weighting, files };
  if (flags.to === 'json') return printJson({ ...setting, names, ...explanation });
  const show = flags.to === 'markdown' ? markdownTable : textTable;
  const size = `${plural(explanation.sentences, 'sentence')}, ${plural(explanation.tokens, 'token')}`;
  print(`${plural(files.length, 'parser')}, ${method}, weights: ${weighting}; ${gold}, ${size}.`);
  const tables = [...voteTables(explanation, names), ...memberAgreementTables(explanation, names)];
  for (const { title, table, notes } of tables) {
    print(`\n${flags.to === 'markdown' ? '### ' : ''}${title}\n`);
    print(show(table).trimEnd());
    if (notes.length > 0) print(`\n${notes.join('\n')}`);
  }
}

/** Yields the ballots unchanged, and passes each one to `show`. */
function watched(ballots: AsyncIterable<GoldBallot>, show: (ballot: GoldBallot) => void) {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const ballot of ballots) {
        show(ballot);
        yield ballot;
      }
    },
  };
}

/** Tables that analyse a vote of the named parsers; without labels, only its heads. */
export function voteTables(explanation: Explanation, names: readonly string[]): TitledTable[] {
  const { best, against } = explanation.vote;
  const { ties } = explanation.overruling;
  const differences = (['uas', 'las'] as const)
    .filter((score) => !Number.isNaN(explanation.vote[score]))
    .map((score) => {
      const { difference, twoSided } = against[score];
      return `${score.toUpperCase()} ${signed(difference)}, p ${pText(twoSided)}`;
    });
  const scoreNotes = labelNotes([Number.isNaN(explanation.vote.las) ? 'uas' : 'las']);
  return [
    {
      title: 'Members and vote',
      table: withoutEmptyColumns(memberTable(explanation, names)),
      notes: [
        `The vote against ${names[best]}, the best member here: ${differences.join('; ')} (stratified shuffling, two-sided).`,
        `Ties for a head or label, broken by a fixed rule: ${plural(ties, 'arc')} (${percent(ties, explanation.tokens).toFixed(2)}%).`,
        ...scoreNotes,
      ],
    },
    {
      title: 'Most-voted heads not in the tree',
      table: overrulingTable(explanation),
      notes: ['Tokens whose head with most votes was replaced, to make a tree.'],
    },
    {
      title: 'By the number of members',
      table: withoutEmptyColumns(sizeTable(explanation)),
      notes: [
        'Best first: the members with the highest weights (ties: the best scores here). Mean: over all ensembles of that size, or the number sampled.',
        ...scoreNotes,
      ],
    },
  ];
}

function memberAgreementTables(explanation: Explanation, names: readonly string[]): TitledTable[] {
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
  const rows: readonly MemberRow[] = [
    ...members.map((member, i) => ({ ...member, name: names[i] })),
    { ...vote, name: 'their vote' },
    { name: 'gold', nonProjective: gold },
  ];
  return tableOf(rows, [
    [text('member'), ({ name }) => name],
    [figures('uas', 'UAS', 2), ({ uas }) => uas ?? null],
    [figures('las', 'LAS', 2), ({ las }) => las ?? null],
    [figures('uasWithout', 'UAS without', 2), ({ without }) => without?.uas ?? null],
    [figures('lasWithout', 'LAS without', 2), ({ without }) => without?.las ?? null],
    [
      { ...figures('contribution', 'adds to LAS', 2), format: signed },
      ({ without }) => (without === undefined ? null : vote.las - without.las),
    ],
    [figures('nonProjectiveArcs', 'non-proj. arcs %', 2), ({ nonProjective }) => nonProjective.arcs],
    [figures('nonProjectiveSentences', 'sentences %', 2), ({ nonProjective }) => nonProjective.sentences],
  ]);
}

interface MemberRow extends Partial<Omit<ExplainedMember, 'nonProjective'>> {
  readonly name: string;
  readonly nonProjective: NonProjectivity;
}

function rightTable({ agreement }: Explanation): Table {
  const { oracle, majority, unanimousRight, unanimousWrong } = agreement;
  const rows = {
    oracle,
    'more than half right': majority,
    'all right': unanimousRight,
    'all the same, and wrong': unanimousWrong,
  };
  return tableOf(Object.entries(rows), [
    [text('what', '% of tokens'), ([what]) => what],
    [figures('uas', 'head', 2), ([, { uas }]) => uas],
    [figures('las', 'head and label', 2), ([, { las }]) => las],
  ]);
}

function uniqueTable({ agreement }: Explanation, names: readonly string[]): Table {
  return tableOf(
    [...agreement.unique.entries()],
    [
      [text('member'), ([member]) => names[member]],
      [figures('wrongHead', 'only one wrong: head', 2), ([, { errors }]) => errors.uas],
      [figures('wrongArc', 'head or label', 2), ([, { errors }]) => errors.las],
      [figures('rightHead', 'only one right: head', 2), ([, { right }]) => right.uas],
      [figures('rightArc', 'head and label', 2), ([, { right }]) => right.las],
    ],
  );
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
      { key: 'what', title: 'most-voted heads' },
      { key: 'tokens', title: 'tokens', align: 'right', format: (n) => count(Number(n)) },
      figures('percent', '%', 3),
    ],
    rows: [
      ...Object.entries(rows).map(([what, n]) => [what, n, percent(n, tokens)]),
      ['sentences with such a token', overruling.sentences, null],
      ['sentences where these heads form a cycle', overruling.cycles, null],
      ['sentences where these heads have no root or several', overruling.notOneRoot, null],
    ],
  };
}

function sizeTable({ sizes }: Explanation): Table {
  return tableOf(sizes, [
    [figures('members', 'members', 0), ({ members }) => members],
    [figures('bestUas', 'best first: UAS', 2), ({ bestFirst }) => bestFirst.uas],
    [figures('bestLas', 'LAS', 2), ({ bestFirst }) => bestFirst.las],
    [figures('meanUas', 'mean: UAS', 2), ({ mean }) => mean.uas],
    [figures('meanLas', 'LAS', 2), ({ mean }) => mean.las],
    [figures('ensembles', 'of', 0), ({ ensembles }) => ensembles],
  ]);
}
