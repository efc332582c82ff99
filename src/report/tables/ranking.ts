import type { Comparison, Ranking } from '../../evaluate/comparison/comparison.ts';
import { labelNotes, type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import { isSignificant, type TestedPair, testsBy } from '../../evaluate/comparison/ranking.ts';
import { figureText, pText } from './figure-text.ts';
import { figures, type TitledTable, tableOf, text } from './table.ts';

export interface RankedParsers {
  readonly names: readonly string[];
  readonly title: string;
  /** How the score is defined. */
  readonly notes: readonly string[];
  readonly scores: readonly number[];
  readonly ranking: Pick<Ranking, 'order' | 'groups'>;
  readonly pairs: readonly TestedPair[];
}

export function rankedParsers(
  { parsers, significance, ranking }: Comparison,
  metric: MetricName,
): RankedParsers {
  const { title, score } = metrics[metric];
  return {
    names: parsers.map(({ name }) => name),
    title,
    notes: labelNotes([metric]),
    scores: parsers.map(({ report }) => score(report)),
    ranking,
    pairs: testsBy(metric, significance),
  };
}

export function answer(comparison: Comparison): string {
  return answerOf(rankedParsers(comparison, comparison.ranking.metric));
}

/** The result in one sentence: the best parser, whether significantly so, and which are on a par. */
export function answerOf(parsers: RankedParsers): string {
  const { names, title, scores, ranking, pairs } = parsers;
  const [best, ...others] = ranking.order;
  if (!pairs.some(({ test }) => isSignificant(test))) return noneIsBetter(parsers);
  const tests = new Map(
    pairs.filter(isOf(best)).map((pair) => [pair.a === best ? pair.b : pair.a, pair.test]),
  );
  const rivals = others.filter((other) => !isSignificant(tests.get(other)!));
  const beaten = others.filter((other) => !rivals.includes(other));
  const score = `${title} ${figureText(scores[best])}`;
  const close = listed(
    rivals.map((i) => `${names[i]} (${figureText(scores[i])})`),
    'or',
  );
  const parts = [
    rivals.length === 0 ? `${names[best]} is best: ${score}` : `${names[best]} has the best ${score}`,
    ...(rivals.length === 0 ? [] : [`not significantly better than ${close}`]),
    ...(beaten.length === 0 ? [] : [betterThan(beaten, { rivals, names, tests })]),
  ];
  return `${parts.join(', ')}${alike(parsers)}.`;
}

function betterThan(
  beaten: readonly number[],
  {
    rivals,
    names,
    tests,
  }: Pick<RankedParsers, 'names'> & {
    readonly rivals: readonly number[];
    readonly tests: ReadonlyMap<number, TestedPair['test']>;
  },
): string {
  const p = Math.max(...beaten.map((other) => tests.get(other)!.shuffling.corrected));
  const all = beaten.length === 1 ? names[beaten[0]] : rivals.length === 0 ? 'all others' : 'all the rest';
  return `${rivals.length === 0 ? '' : 'but '}significantly better than ${all}, p ${atMost(p)}`;
}

function noneIsBetter({ names, title, scores, ranking: { order } }: RankedParsers): string {
  const [best, worst] = [order[0], order.at(-1)!];
  if (scores[best] === scores[worst]) {
    return `All parsers have the same ${title}, ${figureText(scores[best])}.`;
  }
  return `No parser is significantly better than another: ${title} from ${figureText(scores[best])} (${names[best]}) to ${figureText(scores[worst])} (${names[worst]}).`;
}

function alike({ names, ranking: { order, groups } }: RankedParsers): string {
  const others = groups.filter((group) => group.length > 1 && group[0] !== order[0]);
  if (others.length === 0) return '';
  const texts = others.map((group) => listed(group.map((i) => names[i])));
  return `; no significant difference between ${texts.join(', nor between ')}`;
}

function isOf(parser: number): (pair: TestedPair) => boolean {
  return ({ a, b }) => a === parser || b === parser;
}

function atMost(p: number): string {
  const text = pText(p);
  return text.startsWith('<') ? text.replace('<', '< ') : `≤ ${text}`;
}

/** `a`, `a and b`, `a, b and c`. */
function listed(names: readonly string[], last = 'and'): string {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** The parsers from best to worst; those that the tests cannot tell apart share a letter. */
export function rankingTable({ names, title, notes, scores, ranking }: RankedParsers): TitledTable {
  const letters = groupLetters(ranking.groups, names.length);
  const table = tableOf(ranking.order, [
    [text('parser'), (i) => names[i]],
    [figures('score', title, 2), (i) => scores[i]],
    [text('group'), (i) => letters[i]],
  ]);
  return { title: `Ranking by ${title}`, table, notes: [groupNote, ...notes] };
}

export const groupNote = 'Parsers that share a letter do not differ significantly.';

/** Each parser's letters: `a` for the best group, `ab` for a parser in the first two, and so on. */
export function groupLetters(groups: readonly (readonly number[])[], parsers: number): string[] {
  const names = groups.map((_, group) => letterOf(group));
  const separator = groups.length > alphabet ? ' ' : '';
  return Array.from({ length: parsers }, (_, parser) =>
    names.filter((_, group) => groups[group].includes(parser)).join(separator),
  );
}

const alphabet = 26;

/** `a` to `z`, then `a2` and so on. */
function letterOf(group: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (group % alphabet));
  return group < alphabet ? letter : `${letter}${Math.floor(group / alphabet) + 1}`;
}
