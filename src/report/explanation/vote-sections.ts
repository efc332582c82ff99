import type { VoteParseExplanation } from '../../explain/vote.ts';
import { figures, tableOf, text } from '../tables/table.ts';
import { type ExplanationSection, named, namedAll } from './section.ts';

/** How members voted on a tree. */
export function voteSections({
  ballots,
  members,
  method,
  weighting,
  cycles,
  tokens,
}: VoteParseExplanation): ExplanationSection[] {
  const names = members.map(({ paradigm, weight }, m) =>
    weight === null ? `${m + 1} ${paradigm}` : `${m + 1} ${paradigm} (${weight.toFixed(3)})`,
  );
  const table = tableOf(ballots, [
    [text('dependent'), ({ dependent }) => named(tokens, dependent)],
    [text('head'), ({ head, label }) => `${label} of ${named(tokens, head)}`],
    [figures('confidence', 'share', 2), ({ confidence }) => confidence],
    [
      text('ballots'),
      ({ candidates }) =>
        candidates
          .flatMap(({ head, arcs }) =>
            arcs.map(
              ({ label, members: own }) =>
                `${label} of ${named(tokens, head)}: ${own.map((m) => m + 1).join('+')}`,
            ),
          )
          .join('; '),
    ],
    [text('overruled'), ({ isOverruled }) => (isOverruled ? '✗ not the most votes' : '')],
  ]);
  const overruled = ballots.filter(({ isOverruled }) => isOverruled).length;
  const prevented = cycles.map(
    (cycle) => `The heads with most votes make a cycle: ${namedAll(tokens, cycle)}.`,
  );
  return [
    {
      title: 'Ballots',
      lines: [
        `${method}, weights: ${weighting}. Members: ${names.join(', ')}.`,
        ...prevented,
        ...(overruled === 0
          ? []
          : [`For there to be a tree, ${overruled} tokens have another head than most votes say.`]),
      ],
      tables: [{ title: 'Who votes for what', table, notes: [] }],
    },
  ];
}
