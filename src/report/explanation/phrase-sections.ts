import type { DerivationNode, PcfgExplanation } from '../../explain/phrases.ts';
import { tableOf, text } from '../tables/table.ts';
import { weights } from './decision-tables.ts';
import { type ExplanationSection, shownScore } from './section.ts';

/** How a grammar came to a tree. */
export function phraseSections({
  derivation,
  score,
  grammar,
  pruning: { beam, kept, cut },
  tokens,
}: PcfgExplanation): ExplanationSection[] {
  const words = ({ from, to }: DerivationNode) =>
    tokens
      .slice(from, to + 1)
      .map(({ form }) => form)
      .join(' ');
  const table = tableOf(derivation, [
    [text('rule'), (node) => `${'  '.repeat(depthOf(derivation, node))}${node.rule}`],
    [weights('ruleScore', 'of the rule'), ({ ruleScore }) => ruleScore],
    [weights('score', 'with all below'), (node) => node.score],
    [text('words'), words],
    [
      text('runnersUp', 'next best labels'),
      ({ runnersUp }) => runnersUp.map((one) => `${one.label} ${shownScore(one.score)}`).join(', '),
    ],
  ]);
  const whole =
    score === null
      ? 'The grammar has no tree for these words: this one is put together from parts.'
      : `The best derivation scores ${shownScore(score)} (${grammar === 'split' ? 'logarithms of how probable its rules are in all trees together' : 'the sum of the logarithms of its rules’ probabilities'}).`;
  const width = beam === null ? '' : ` (beam ${beam})`;
  return [
    {
      title: 'Derivation',
      lines: [whole, `Of ${kept + cut} phrases ${cut} were dropped for being improbable${width}.`],
      tables: [
        {
          title: 'The best derivation, rule by rule',
          table,
          notes: [],
        },
      ],
    },
  ];
}

function depthOf(nodes: readonly DerivationNode[], { parent }: DerivationNode): number {
  let depth = 0;
  for (let above = parent; above !== -1; above = nodes[above].parent) depth++;
  return depth;
}
