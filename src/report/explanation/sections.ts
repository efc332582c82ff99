import type {
  ParseExplanation,
  PcfgExplanation,
  PipelineExplanation,
  SpansExplanation,
  VoteParseExplanation,
} from '../../explain/explanation.ts';
import { type ColumnOf, figures, tableOf, text } from '../tables/table.ts';
import { matrixSections } from './matrix-sections.ts';
import { type ExplanationSection, named, namedAll, namedArc, shownScore, weights } from './section.ts';
import { stepsSections } from './steps-sections.ts';

/** Summarises an explanation in paragraphs and tables, for print and pages. */
export function explanationSections(explained: ParseExplanation): ExplanationSection[] {
  if ('marginals' in explained) return matrixSections(explained);
  if ('steps' in explained) return stepsSections(explained);
  if (explained.paradigm === 'pcfg') return phraseSections(explained);
  if (explained.paradigm === 'spans') return spanSections(explained);
  if (explained.paradigm === 'vote') return voteSections(explained);
  return [columnSection(explained), ...(explained.parser ? explanationSections(explained.parser) : [])];
}

function columnSection({ parts, columns, tokens, alternatives }: PipelineExplanation): ExplanationSection {
  const names = Object.keys(columns);
  const table = tableOf(tokens.map((token, d) => ({ token, d })).slice(1), [
    [text('token'), ({ d }) => String(d)],
    [text('form'), ({ token }) => token.form],
    ...names.map((name) => [text(name), ({ d }: { d: number }) => columns[name][d]] as const),
    ...alternativeColumns(alternatives),
  ]);
  return {
    title: 'Annotation',
    lines: [`The pipeline: ${parts.join(', ')}.`],
    tables: names.length === 0 ? [] : [{ title: 'Predicted columns', table, notes: [] }],
  };
}

function alternativeColumns(alternatives: PipelineExplanation['alternatives']): ColumnOf<{ d: number }>[] {
  if (alternatives === undefined) return [];
  const tagsOf = (columns: Readonly<Record<string, string>>) =>
    Object.values(columns)
      .filter((tag) => tag !== '_')
      .join(' ');
  const pairs = alternatives.map(([best, next]) => next && { margin: best.score - next.score, next });
  return [
    [text('next', 'next best tags'), ({ d }) => (pairs[d] && tagsOf(pairs[d].next.columns)) ?? null],
    [weights('margin', 'margin'), ({ d }) => pairs[d]?.margin ?? null],
  ];
}

function phraseSections(explained: PcfgExplanation): ExplanationSection[] {
  const { derivation, score, grammar, tokens } = explained;
  const { beam, kept, cut } = explained.pruning;
  const table = tableOf(derivation, [
    [text('rule'), (node) => `${'  '.repeat(depthOf(derivation, node))}${node.rule}`],
    weights('ruleScore', 'rule score'),
    weights('score', 'subtree score'),
    wordColumn(tokens),
    [
      text('runnersUp', 'next best labels'),
      ({ runnersUp }) => runnersUp.map((one) => `${one.label} ${shownScore(one.score)}`).join(', '),
    ],
  ]);
  const whole =
    score === null
      ? 'The grammar has no tree for these words; this one is assembled from partial parses.'
      : `The best derivation scores ${shownScore(score)} (${grammar === 'split' ? 'log probabilities of its rules in all trees together, means over the grammars' : 'sum of the log probabilities of its rules'}).`;
  const width = beam === null ? '' : ` (beam ${beam})`;
  const nameless =
    '·: part of a phrase with more than two children, since rules have at most two; no node of the tree.';
  const lines = [
    whole,
    ...(derivation.some(({ rule }) => rule.includes('·')) ? [nameless] : []),
    'Next best labels: the first by their score and how probable the label is above such words.',
    `${kept + cut} phrases, ${cut} of them pruned${width}.`,
  ];
  const tables = [{ title: 'The best derivation, rule by rule', table, notes: [] }];
  return [{ title: 'Derivation', lines, tables }];
}

function spanSections({ derivation, score, probability, tokens }: SpansExplanation): ExplanationSection[] {
  const table = tableOf(derivation, [
    [text('label'), (node) => `${'  '.repeat(depthOf(derivation, node))}${node.label}`],
    [
      text('labels', 'most probable labels'),
      ({ labels }) => labels.map((one) => `${one.label} ${one.probability.toFixed(3)}`).join(', '),
    ],
    figures('probability', 'span’s probability', 3),
    weights('spanScore', 'span’s score'),
    weights('gain', 'gain'),
    weights('score', 'subtree score'),
    [
      text('split', 'split before'),
      ({ splits: [best] }) => (best === undefined ? '' : named(tokens, best.split)),
    ],
    [
      text('splits', 'other splits and their costs'),
      ({ splits }) =>
        splits
          .slice(1, 1 + MOST)
          .map(({ split, cost }) => `${named(tokens, split)} ${shownScore(cost)}`)
          .join(', '),
    ],
    wordColumn(tokens),
  ]);
  const lines = [
    `The tree scores ${shownScore(score)}, the sum of its gains: of each phrase, its probability less 0.4; and of each span, a thousandth of the span’s probability. The tree’s probability among all labelled trees is ${probability.toFixed(3)}.`,
    'The arcs are read off a tree with a few more phrases, in which a phrase needs a probability of 0.3.',
    '∅: no phrase; a single word that is no phrase, or part of a phrase with more than two children.',
  ];
  return [{ title: 'Spans', lines, tables: [{ title: 'The best tree, span by span', table, notes: [] }] }];
}

/** Maximum number of other splits that the table shows for a span. */
const MOST = 3;

type DerivedSpan = Readonly<Record<'parent' | 'from' | 'to', number>>;

function depthOf(nodes: readonly DerivedSpan[], { parent }: DerivedSpan): number {
  let depth = 0;
  for (let above = parent; above !== -1; above = nodes[above].parent) depth++;
  return depth;
}

const wordColumn = (tokens: ParseExplanation['tokens']): ColumnOf<DerivedSpan> => [
  text('words'),
  ({ from, to }) =>
    tokens
      .slice(from, to + 1)
      .map(({ form }) => form)
      .join(' '),
];

const softVotes =
  'Networks vote softly: a vote is divided among the arcs by their probabilities; it counts half unless a head has 0.97.';

function voteSections(explained: VoteParseExplanation): ExplanationSection[] {
  const { ballots, members, method, weighting, cycles, tokens } = explained;
  const names = members.map(({ paradigm, weight }, m) =>
    weight === null ? `${m + 1} ${paradigm}` : `${m + 1} ${paradigm} (${weight.toFixed(3)})`,
  );
  const table = tableOf(ballots, [
    [text('dependent'), ({ dependent }) => named(tokens, dependent)],
    [text('head'), ({ head, label }) => namedArc(tokens, label, head)],
    figures('confidence', 'share', 2),
    [
      text('ballots'),
      ({ candidates }) =>
        candidates
          .flatMap(({ head, arcs }) =>
            arcs.map(({ label, members: own, votes }) => {
              // An arc that no member's tree has gets votes only from the members' probabilities (soft votes).
              const voters = own.map((m) => m + 1).join('+') || `${votes.toFixed(2)} of the votes`;
              return `${namedArc(tokens, label, head)}: ${voters}`;
            }),
          )
          .join('; '),
    ],
    [text('overruled'), ({ isOverruled }) => (isOverruled ? '✗ not the most votes' : '')],
  ]);
  const overruled = ballots.filter(({ isOverruled }) => isOverruled).length;
  const lines = [
    `${method}, weights: ${weighting}. Members: ${names.join(', ')}.`,
    ...(weighting === 'paradigm' ? [softVotes] : []),
    ...cycles.map((cycle) => `The heads with the most votes form a cycle: ${namedAll(tokens, cycle)}.`),
  ];
  if (overruled > 0) {
    const tokens = overruled === 1 ? '1 token takes' : `${overruled} tokens take`;
    lines.push(`To form a tree, ${tokens} a head without the most votes.`);
  }
  return [{ title: 'Ballots', lines, tables: [{ title: 'Ballots by dependent', table, notes: [] }] }];
}
