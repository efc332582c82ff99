import type { Comparison, Ranking } from '../../evaluate/comparison/comparison.ts';
import { labelNotes, type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import {
  differenceOf,
  isSignificant,
  significanceLevel,
  type TestedPair,
  testedMetrics,
  testsBy,
} from '../../evaluate/comparison/ranking.ts';
import {
  type Column,
  count,
  figures,
  figureText,
  intervalText,
  numbers,
  plural,
  pText,
  signed,
  type TitledTable,
  tableOf,
  text,
  withoutEmptyColumns,
} from './table.ts';

/** Parsers ranked by one score, with the significance tests of every pair. */
export interface RankedParsers {
  readonly names: readonly string[];
  /** Name of the score. */
  readonly title: string;
  /** Definition of the score. */
  readonly notes: readonly string[];
  readonly scores: readonly number[];
  readonly ranking: Pick<Ranking, 'order' | 'groups'>;
  readonly pairs: readonly TestedPair[];
}

export function rankedParsers({ parsers, significance, ranking }: Comparison, metric: MetricName) {
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

export const answer = (comparison: Comparison): string =>
  answerOf(rankedParsers(comparison, comparison.ranking.metric));

/** Says in one sentence which parser is best, whether significantly, and which do not differ significantly. */
export function answerOf(parsers: RankedParsers): string {
  const { names, title, scores, ranking, pairs } = parsers;
  const [best, ...others] = ranking.order;
  if (!pairs.some(({ test }) => isSignificant(test))) return noneIsBetter(parsers);
  const pairsOfBest = pairs.filter(({ a, b }) => a === best || b === best);
  const tests = new Map(pairsOfBest.map(({ a, b, test }) => [a === best ? b : a, test]));
  const rivals = others.filter((other) => !isSignificant(tests.get(other)!));
  const beaten = others.filter((other) => !rivals.includes(other));
  const score = `${title} ${figureText(scores[best])}`;
  const named = rivals.map((i) => `${names[i]} (${figureText(scores[i])})`);
  const isAlone = rivals.length === 0;
  const p = Math.max(...beaten.map((other) => tests.get(other)!.shuffling.corrected));
  const all = beaten.length === 1 ? names[beaten[0]] : isAlone ? 'all others' : 'all the rest';
  const better = `${isAlone ? '' : 'but '}significantly better than ${all}, p ${atMost(p)}`;
  const parts = [
    isAlone ? `${names[best]} is best: ${score}` : `${names[best]} has the best ${score}`,
    ...(isAlone ? [] : [`not significantly better than ${listed(named, 'or')}`]),
    ...(beaten.length === 0 ? [] : [better]),
  ];
  return `${parts.join(', ')}${equalGroups(parsers)}.`;
}

function noneIsBetter({ names, title, scores, ranking: { order } }: RankedParsers): string {
  const [best, worst] = [order[0], order.at(-1)!];
  if (scores[best] === scores[worst])
    return `All parsers have the same ${title}, ${figureText(scores[best])}.`;
  return `No parser is significantly better than another: ${title} from ${figureText(scores[best])} (${names[best]}) to ${figureText(scores[worst])} (${names[worst]}).`;
}

function equalGroups({ names, ranking: { order, groups } }: RankedParsers): string {
  const equal = groups.filter((group) => group.length > 1 && group[0] !== order[0]);
  if (equal.length === 0) return '';
  const texts = equal.map((group) => listed(group.map((i) => names[i])));
  return `; no significant difference between ${texts.join(', nor between ')}`;
}

function atMost(p: number): string {
  const text = pText(p);
  return text.startsWith('<') ? text.replace('<', '< ') : `≤ ${text}`;
}

/** Joins names: `a`, `a and b`, `a, b and c`. */
const listed = (names: readonly string[], last = 'and'): string =>
  names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;

/** The parsers from best to worst; parsers that do not differ significantly share a letter. */
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

/** Returns each parser's letters: `a` for the best group, `ab` for a parser in the first two, and so on. */
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

export const significanceTitle = 'Are the differences significant?';

/** Warns if the smallest possible corrected p, pairs / (rounds + 1), exceeds the significance level. */
export function tooFewRounds({ rounds, pairs }: { rounds: number; pairs: readonly unknown[] }): string[] {
  const least = Math.min(1, pairs.length / (rounds + 1));
  if (least <= significanceLevel) return [];
  return [
    `With ${plural(rounds, 'round')} no corrected p can be below ${pText(least)}: no difference can be significant.`,
  ];
}

export function pairTable({ parsers, significance }: Comparison): TitledTable {
  const { pairs, rounds, seed, confidence } = significance;
  const rows = pairs.flatMap(({ a, b, tests }) =>
    Object.entries(tests).map(([name, result]) => ({ a, b, name: name as MetricName, ...result })),
  );
  const table = tableOf(rows, [
    [text('a', 'A'), ({ a }) => parsers[a].name],
    [text('b', 'B'), ({ b }) => parsers[b].name],
    [text('score'), ({ name }) => metrics[name].title],
    [{ ...figures('difference', 'A − B', 2), format: signed }, ({ difference }) => difference],
    [text('interval', `${100 * confidence}%`), ({ bootstrap }) => intervalText(bootstrap.interval)],
    [pValues('shuffling', 'p'), ({ shuffling }) => shuffling.p],
    [pValues('corrected', 'corrected'), ({ shuffling }) => shuffling.corrected],
    [text('significant'), (test) => (isSignificant(test) ? 'yes' : 'no')],
    [pValues('bootstrap', 'bootstrap'), ({ bootstrap }) => bootstrap.p],
    [pValues('mcnemar', 'McNemar'), ({ mcnemar }) => mcnemar?.p ?? null],
  ]);
  return {
    title: significanceTitle,
    table: withoutEmptyColumns(table),
    notes: [
      ...labelNotes(testedMetrics(significance)),
      `p: two-sided, by stratified shuffling of whole sentences (${count(rounds)} rounds, seed ${seed}).`,
      `corrected: p by Holm's correction over ${pairsText(pairs)}; significant: corrected p ≤ ${significanceLevel}.`,
      ...tooFewRounds(significance),
      `bootstrap: paired, over sentences; it also gives the ${100 * confidence}% interval of the difference.`,
      ...(rows.some(({ mcnemar }) => mcnemar !== undefined) ? [mcnemarNote] : []),
    ],
  };
}

const mcnemarNote =
  'McNemar: optimistic, not to be relied on. It treats tokens as independent, but errors in a sentence depend on each other.';

/** The score difference of every pair, row − column; significant ones have an asterisk. */
export function pairMatrix({ names, title, notes, ranking, pairs }: RankedParsers, rounds: number) {
  const { order } = ranking;
  const cell = (row: number, column: number): string | null => {
    const found = differenceOf(pairs, row, column);
    return found === undefined ? null : `${signed(found.difference)}${found.isClear ? '*' : ' '}`;
  };
  return {
    title: `${title}: row − column`,
    table: {
      columns: [
        text('parser'),
        ...order.map((i): Column => ({ key: names[i], title: names[i], align: 'right', isName: true })),
      ],
      rows: order.map((row) => [names[row], ...order.map((column) => cell(row, column))]),
    },
    notes: [
      `*: significant, p ≤ ${significanceLevel} by stratified shuffling of whole sentences and Holm's correction over ${pairsText(pairs)}.`,
      ...tooFewRounds({ rounds, pairs }),
      ...notes,
    ],
  };
}

const pairsText = (pairs: readonly unknown[]): string =>
  pairs.length === 1 ? 'the one pair' : `all ${pairs.length} pairs`;

const pValues = (key: string, title: string): Column => numbers(key, title, pText);
