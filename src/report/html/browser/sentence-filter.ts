import { isThere } from '../../../evaluate/alignment/counterpart.ts';
import { type Buckets, bucketings } from '../../../evaluate/breakdowns/buckets.ts';
import { isRight } from '../../../evaluate/compared-sentence.ts';
import type { BracketDifferences } from '../../../evaluate/comparison/compare-phrases.ts';
import { bracketDifferences, relabelledBrackets } from '../../../evaluate/comparison/compare-phrases.ts';
import { arcKind } from '../../../evaluate/comparison/errors.ts';
import { type Bracket, flatten } from '../../../evaluate/parseval/flat-tree.ts';
import { phraseScorers, scoreSentence } from '../../../evaluate/parseval/scorers.ts';
import { Query } from '../../../treebank/query/query.ts';
import { type DependencyTree, isValue } from '../../../treebank/sentence.ts';
import { verdict } from '../../svg.ts';
import { arcText } from '../../tables/table.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { type WordSearch, wordSearch } from './word-search.ts';

const askedProperties = ['tag', 'head-tag', 'children', 'distance', 'depth', 'projective'] as const;
const numericProperties = ['children', 'distance', 'depth', 'span'] as const;
/** Conditions on the length of a sentence and on one of its words, by field of the form; empty: no condition. */
export type SentenceFilter = Readonly<Record<keyof typeof noFilter, string>>;

export const noFilter = {
  word: '',
  /** A query (docs/finding.md): the word matches one of its nodes. */
  query: '',
  tag: '',
  gold: '',
  /** The label predicted by the parser that `wrong` names, else by any parser. */
  predicted: '',
  /** The parser with the right head and label: an index; `any`, `every` or `most`; or `only-` and an index. */
  right: '',
  wrong: '',
  /**
   * `head`: wrong; `label`: wrong, with the right head; `any-label`: wrong, any head; `root`: in only one of
   * the trees.
   */
  error: '',
  distance: '',
  /** Minimum and maximum length of the sentence. */
  from: '',
  to: '',
  /** `0-2`: parsers 0 and 2 predict different arcs; `0=2`: the same arc; `same`: all parsers predict the same. */
  answers: '',
  /** Tree for the conditions on arcs: the gold tree or, if `given`, the predicted one. */
  arc: '',
  'head-tag': '',
  children: '',
  depth: '',
  projective: '',
  /** The whole word, ignoring case. */
  form: '',
  /** The arc in the gold tree or in a predicted one, written as in the table of wrong arcs. */
  'gold-arc': '',
  'given-arc': '',
  /** `gold`, or errors of a parser: `missing-0`, `wrong-0`, `crossing-0`, `error-0` (missing or wrong), `relabelled-0`. */
  brackets: '',
  phrase: '',
  /** The label that the parser predicts for the same words, if another one. */
  'given-phrase': '',
  /** The number of words in the bracket, without punctuation as in EVALB. */
  span: '',
};

/** A filter whose search and query are compiled. */
interface PreparedFilter {
  readonly filter: SentenceFilter;
  readonly search: WordSearch | undefined;
  readonly query: WordSearch | undefined;
}

/** @throws SyntaxError for an invalid field, UsageError for an invalid query */
export function prepareFilter(filter: SentenceFilter, parsers: readonly string[] = []): PreparedFilter {
  for (const name of numericProperties) checkRange(filter[name]);
  return {
    filter,
    search: filter.word === '' ? undefined : wordSearch(filter.word),
    query: filter.query === '' ? undefined : querySearch(new Query(filter.query, parsers)),
  };
}

/** Finds the words of gold's trees that a query's nodes match. */
function querySearch(query: Query): WordSearch {
  return ({ forms, columns, gold, trees }) => {
    const empty = ['', ...Array<string>(forms.length - 1).fill('_')];
    const others = { lemmas: empty, upos: empty, xpos: empty, feats: empty, deps: empty, misc: empty };
    const found = new Set<number>();
    const sentence = { length: forms.length - 1, forms, ...others, ...columns, ...gold };
    const add = (tokens: Int32Array) => {
      for (const d of tokens) if (d > 0) found.add(d);
    };
    query.eachMatch(sentence, add, trees);
    return found;
  };
}

/** Returns the matching words; none if only the length is filtered, `undefined` if the sentence does not match. */
export function matchingTokens(sentence: ShownSentence, prepared: PreparedFilter): number[] | undefined {
  const { filter } = prepared;
  const n = sentence.forms.length - 1;
  if (filter.from !== '' && n < Number(filter.from)) return undefined;
  if (filter.to !== '' && n > Number(filter.to)) return undefined;
  const conditions = tokenConditions(sentence, prepared);
  if (conditions.length === 0) return [];
  const tokens: number[] = [];
  for (let d = 1; d <= n; d++) if (conditions.every((holds) => holds(d))) tokens.push(d);
  return tokens.length > 0 ? tokens : undefined;
}

export const isWrong = ({ gold, trees, scored }: ShownSentence, parser: number, d: number): boolean =>
  scored[d] !== 0 && verdict(gold, trees[parser], d) !== 'right';

type Condition = (d: number) => boolean;

function tokenConditions(sentence: ShownSentence, { filter, search, query }: PreparedFilter): Condition[] {
  const { gold, trees } = sentence;
  const [words, nodes] = [search?.(sentence), query?.(sentence)];
  const parsers = parsersMeant(sentence, filter);
  const conditions: [string, Condition][] = [
    [filter.word, (d) => words!.has(d)],
    [filter.query, (d) => nodes!.has(d)],
    [filter.form, (d) => sentence.forms[d].toLowerCase() === filter.form.toLowerCase()],
    [filter.gold, (d) => gold.labels[d] === filter.gold],
    [filter.predicted, (d) => parsers.some((parser) => trees[parser].labels[d] === filter.predicted)],
    ...verdictConditions(sentence, filter),
    ...propertyConditions(sentence, filter, parsers),
    ...arcConditions(sentence, filter, parsers),
    bracketCondition(sentence, filter),
  ];
  return conditions.filter(([asked]) => asked !== '').map(([, holds]) => holds);
}

/** The parsers whose predictions a filter compares: the one that `wrong` names, else all. */
function parsersMeant({ trees }: ShownSentence, { wrong }: SentenceFilter): number[] {
  const parsers = [...trees.keys()];
  const named = Number(wrong.replace(/^only-/, '') || Number.NaN);
  return parsers.includes(named) ? [named] : parsers;
}

function verdictConditions(sentence: ShownSentence, filter: SentenceFilter): [string, Condition][] {
  const { gold, trees, scored } = sentence;
  const parsers = [...trees.keys()];
  const some = (which: string, holds: (parser: number) => boolean, others: (parser: number) => boolean) => {
    if (which === 'any') return parsers.some(holds);
    if (which === 'every') return parsers.every(holds);
    if (which === 'most') return 2 * parsers.filter(holds).length > parsers.length;
    const [, only] = /^only-(\d+)$/.exec(which) ?? [];
    const parser = Number(only ?? which);
    return holds(parser) && (only === undefined || parsers.every((each) => each === parser || others(each)));
  };
  const wrong = filter.wrong === '' && filter.error !== '' ? 'any' : filter.wrong;
  const right = (d: number) => (parser: number) => !isWrong(sentence, parser, d);
  const notRight = (d: number) => (parser: number) => isWrong(sentence, parser, d);
  const err = (d: number) => (parser: number) => isError(filter.error, gold, trees[parser], d);
  const conditions: [string, Condition][] = [
    [filter.right, (d) => some(filter.right, right(d), notRight(d))],
    [wrong, (d) => some(wrong, err(d), right(d))],
    [filter.answers, (d) => isAnswer(sentence, filter.answers, d)],
  ];
  return conditions.map(([asked, holds]) => [asked, (d) => scored[d] !== 0 && holds(d)]);
}

function isError(asked: string, gold: DependencyTree, tree: DependencyTree, d: number): boolean {
  if (asked === 'any-label') return tree.labels[d] !== gold.labels[d];
  if (asked === 'root') return (gold.heads[d] === 0) !== (tree.heads[d] === 0);
  const found = verdict(gold, tree, d);
  return asked === '' ? found !== 'right' : found === `wrong-${asked}`;
}

function isAnswer({ trees, gold }: ShownSentence, asked: string, d: number): boolean {
  const labelled = isLabelled(gold);
  if (asked === 'same') return trees.every((tree) => isRight(trees[0], tree, d, labelled));
  const [a, b] = asked.split(/[-=]/).map((parser) => trees[Number(parser)]);
  return isRight(a, b, d, labelled) === asked.includes('=');
}

function propertyConditions(
  { gold, trees, tags }: ShownSentence,
  filter: SentenceFilter,
  parsers: readonly number[],
): [string, Condition][] {
  const asked = askedProperties.filter((name) => filter[name] !== '');
  return asked.map((name) => {
    const bucketsOf = (tree: DependencyTree): Buckets => bucketings[name](tree, (d) => tags[d]);
    const isGiven = filter.arc === 'given' && name !== 'tag';
    const askedTrees = isGiven ? parsers.map((parser) => trees[parser]) : [gold];
    const buckets = askedTrees.map((tree) => ({ tree, bucketOf: bucketsOf(tree) }));
    const holds = (d: number) =>
      buckets.some(({ tree, bucketOf }) => isThere(tree, d) && isInBucket(bucketOf(d), filter[name]));
    return [filter[name], holds];
  });
}

function arcConditions(
  { gold, trees, tags }: ShownSentence,
  filter: SentenceFilter,
  parsers: readonly number[],
): [string, Condition][] {
  const labelled = isLabelled(gold);
  const textOf = (tree: DependencyTree, d: number) =>
    arcText(arcKind(tree, d, (h) => tags[h], labelled)).toLowerCase();
  const [goldArc, givenArc] = [filter['gold-arc'].toLowerCase(), filter['given-arc'].toLowerCase()];
  return [
    [goldArc, (d) => textOf(gold, d) === goldArc],
    [givenArc, (d) => parsers.some((parser) => textOf(trees[parser], d) === givenArc)],
  ];
}

const isLabelled = ({ labels }: DependencyTree) => labels.some(isValue);

export function matchingBrackets({ phrases }: ShownSentence, filter: SentenceFilter): Bracket[] {
  if (phrases === undefined) return [];
  const [kind, parser = '0'] = filter.brackets.split('-');
  const predicted = phrases.trees[Number(parser)];
  const [gold, given] = [phrases.gold, predicted].map((tree) => flatten({ tree }));
  const places = new Map([...gold.brackets, ...given.brackets].map((bracket) => [bracket.node, bracket]));
  const score = scoreSentence(phraseScorers.evalb, gold, given);
  return candidates(kind, score.gold, bracketDifferences(score))
    .filter(
      ({ bracket, given = '' }) =>
        (filter.phrase === '' || bracket.label === filter.phrase) &&
        (filter['given-phrase'] === '' || given === filter['given-phrase']) &&
        (filter.span === '' || isInBucket(String(bracket.end - bracket.start), filter.span)),
    )
    .map(({ bracket: { node } }) => places.get(node)!);
}

function candidates(
  kind: string,
  gold: readonly Bracket[],
  differences: BracketDifferences,
): readonly { bracket: Bracket; given?: string }[] {
  const { missing, wrong } = differences;
  if (kind === 'relabelled') return relabelledBrackets(differences);
  const brackets = kind === 'error' ? [...missing, ...wrong] : (differences[kind as 'wrong'] ?? gold);
  return brackets.map((bracket) => ({ bracket }));
}

/** Selects the words (from 1) in matching brackets. */
function bracketCondition(sentence: ShownSentence, filter: SentenceFilter): [string, Condition] {
  const asked = filter.brackets + filter.phrase + filter['given-phrase'] + filter.span;
  const brackets = asked === '' ? [] : matchingBrackets(sentence, filter);
  return [asked, (d) => brackets.some(({ start, end }) => start < d && d <= end)];
}

/** Whether a bucket is `7`, within `7-10` or `7-` (7 or more), or has this name. */
function isInBucket(bucket: string, asked: string): boolean {
  if (bucket === asked) return true;
  const [, from, to] = /^(\d+)-(\d*)$/.exec(asked) ?? [];
  return from !== undefined && Number(bucket) >= Number(from) && (to === '' || Number(bucket) <= Number(to));
}

/** @throws SyntaxError for a value that matches no bucket */
function checkRange(asked: string): void {
  if (asked === '' || /^(\d+(-\d*)?|root|cycle)$/.test(asked)) return;
  throw new SyntaxError(`${asked} is neither a number, nor a range such as 7-10 or 7-, nor root or cycle`);
}
