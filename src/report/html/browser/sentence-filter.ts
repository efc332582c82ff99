import { isThere } from '../../../evaluate/alignment/counterpart.ts';
import { type Buckets, bucketings } from '../../../evaluate/breakdowns/buckets.ts';
import { arcKind } from '../../../evaluate/comparison/errors.ts';
import type { DependencyTree } from '../../../treebank/sentence.ts';
import { arcText } from '../../tables/figure-text.ts';
import { verdict } from '../../trees/verdict.ts';
import type { ShownSentence } from '../sentences/sentence-data.ts';
import { type BracketFilter, checkRange, isInBrackets, isInBucket } from './bracket-filter.ts';
import { type WordSearch, wordSearch } from './word-search.ts';

/** Properties of arcs that are asked for by the names of their breakdowns. */
const askedProperties = ['tag', 'head-tag', 'children', 'distance', 'depth', 'projective'] as const;

/** Of which properties a range may be asked for. */
const numericProperties = ['children', 'distance', 'depth', 'span'] as const;

/**
 * Which sentences are shown: those of a length, with a word for which all the rest holds. The empty string asks
 * for nothing. The names are those of the form's fields, and of the fields of the page's address.
 */
export type SentenceFilter = Readonly<
  Record<
    /** What the word, or it and others, must be; see `wordSearch`. */
    | 'word'
    /** The whole word, in any case. */
    | 'form'
    /** The word's label in gold. */
    | 'gold'
    /** The label that a parser gives: the one that is wrong, where `wrong` names one, else any. */
    | 'predicted'
    /**
     * The index of a parser that is right about head and label; `any` or `every` parser, or `most`, more than half; or
     * `only-` and the index of one that alone is right.
     */
    | 'right'
    /** The same of those that are wrong about head or label. */
    | 'wrong'
    /**
     * What is wrong with the parser that is: the `head`; with the right head, the `label`; with any head, as `any-label`,
     * the label; or, as `root`, that the word is a root in one tree alone.
     */
    | 'error'
    /** Two indices, as in `0-2`: the two parsers give different answers; with `=` between them the same; or `same`: all do. */
    | 'answers'
    /** Of whose arc distance and the like are asked for: gold's, or where it is `given` that of the parser. */
    | 'arc'
    /** The whole arc in gold, and as a parser has it, as the table of wrong arcs writes them. */
    | 'gold-arc'
    | 'given-arc'
    /** Fewest and most words of the sentence. */
    | 'from'
    | 'to'
    | (typeof askedProperties)[number],
    string
  >
> &
  BracketFilter;

export const noFilter: SentenceFilter = {
  word: '',
  tag: '',
  gold: '',
  predicted: '',
  right: '',
  wrong: '',
  error: '',
  distance: '',
  from: '',
  to: '',
  answers: '',
  arc: '',
  'head-tag': '',
  children: '',
  depth: '',
  projective: '',
  form: '',
  'gold-arc': '',
  'given-arc': '',
  brackets: '',
  phrase: '',
  'given-phrase': '',
  span: '',
};

/** A filter that is ready to be asked about sentences. */
interface PreparedFilter {
  readonly filter: SentenceFilter;
  readonly search: WordSearch | undefined;
}

/** Throws a `SyntaxError` where a field has what it cannot have. */
export function prepareFilter(filter: SentenceFilter): PreparedFilter {
  for (const name of numericProperties) checkRange(filter[name]);
  return { filter, search: filter.word === '' ? undefined : wordSearch(filter.word) };
}

/**
 * The words of a sentence that a filter asks for: none where it asks only for a length; `undefined` where the
 * sentence is not to be shown.
 */
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

/** Whether a parser is wrong about a token that is scored. */
export function isWrong({ gold, trees, scored }: ShownSentence, parser: number, d: number): boolean {
  return scored[d] !== 0 && verdict(gold, trees[parser], d) !== 'right';
}

type Condition = (d: number) => boolean;

/** All that is asked for of one word. */
function tokenConditions(sentence: ShownSentence, { filter, search }: PreparedFilter): Condition[] {
  const { gold, trees } = sentence;
  const words = search?.(sentence);
  const labelling = labellingParsers(sentence, filter);
  const conditions: [string, Condition][] = [
    [filter.word, (d) => words!.has(d)],
    [filter.form, (d) => sentence.forms[d].toLowerCase() === filter.form.toLowerCase()],
    [filter.gold, (d) => gold.labels[d] === filter.gold],
    [filter.predicted, (d) => labelling.some((parser) => trees[parser].labels[d] === filter.predicted)],
    ...verdictConditions(sentence, filter),
    ...propertyConditions(sentence, filter, labelling),
    ...arcConditions(sentence, filter, labelling),
  ];
  const inBrackets = isInBrackets(sentence, filter);
  const asked = conditions.filter(([asked]) => asked !== '').map(([, holds]) => holds);
  return inBrackets === undefined ? asked : [...asked, inBrackets];
}

/** The parsers whose labels and arcs are asked for: the one that is to be wrong, or any. */
function labellingParsers({ trees }: ShownSentence, { wrong }: SentenceFilter): number[] {
  const parsers = [...trees.keys()];
  const named = Number(wrong.replace(/^only-/, '') || Number.NaN);
  return parsers.includes(named) ? [named] : parsers;
}

/** Who is right, who is wrong and how, and who says the same. */
function verdictConditions(sentence: ShownSentence, filter: SentenceFilter): [string, Condition][] {
  const { gold, trees, scored } = sentence;
  const parsers = [...trees.keys()];
  const errs = (parser: number, d: number) =>
    scored[d] !== 0 && isError(filter.error, gold, trees[parser], d);
  const isRight = (parser: number, d: number) => !isWrong(sentence, parser, d);
  const some = (which: string, holds: (parser: number) => boolean, others: (parser: number) => boolean) => {
    if (which === 'any') return parsers.some(holds);
    if (which === 'every') return parsers.every(holds);
    if (which === 'most') return 2 * parsers.filter(holds).length > parsers.length;
    const [, only] = /^only-(\d+)$/.exec(which) ?? [];
    const parser = Number(only ?? which);
    return holds(parser) && (only === undefined || parsers.every((each) => each === parser || others(each)));
  };
  const wrong = filter.wrong === '' && filter.error !== '' ? 'any' : filter.wrong;
  return [
    [
      filter.right,
      (d) =>
        scored[d] !== 0 &&
        some(
          filter.right,
          (parser) => isRight(parser, d),
          (parser) => !isRight(parser, d),
        ),
    ],
    [
      wrong,
      (d) =>
        some(
          wrong,
          (parser) => errs(parser, d),
          (parser) => scored[d] !== 0 && isRight(parser, d),
        ),
    ],
    [filter.answers, (d) => scored[d] !== 0 && isAnswer(sentence, filter.answers, d)],
  ];
}

/** Whether a tree is wrong about a token in the way that is asked for. */
function isError(asked: string, gold: DependencyTree, tree: DependencyTree, d: number): boolean {
  if (asked === 'any-label') return tree.labels[d] !== gold.labels[d];
  if (asked === 'root') return (gold.heads[d] === 0) !== (tree.heads[d] === 0);
  const found = verdict(gold, tree, d);
  return asked === '' ? found !== 'right' : found === `wrong-${asked}`;
}

/** `0-2`: the two differ about a word; `0=2`: they do not; `same`: no two differ. */
function isAnswer({ trees, gold }: ShownSentence, asked: string, d: number): boolean {
  const isSame = (a: DependencyTree, b: DependencyTree) =>
    a.heads[d] === b.heads[d] && (!isLabelled(gold) || a.labels[d] === b.labels[d]);
  if (asked === 'same') return trees.every((tree) => isSame(tree, trees[0]));
  const [a, b] = asked.split(/[-=]/).map((parser) => trees[Number(parser)]);
  return isSame(a, b) === asked.includes('=');
}

/** Buckets of the breakdowns, of gold's arc or of those given. */
function propertyConditions(
  { gold, trees, tags }: ShownSentence,
  filter: SentenceFilter,
  labelling: readonly number[],
): [string, Condition][] {
  const asked = askedProperties.filter((name) => filter[name] !== '');
  return asked.map((name) => {
    const bucketsOf = (tree: DependencyTree): Buckets => bucketings[name](tree, (d) => tags[d]);
    const isGiven = filter.arc === 'given' && name !== 'tag';
    const askedTrees = isGiven ? labelling.map((parser) => trees[parser]) : [gold];
    const buckets = askedTrees.map((tree) => ({ tree, bucketOf: bucketsOf(tree) }));
    const holds = (d: number) =>
      buckets.some(({ tree, bucketOf }) => isThere(tree, d) && isInBucket(bucketOf(d), filter[name]));
    return [filter[name], holds];
  });
}

/** Whole arcs, as they are written in the table of wrong arcs. */
function arcConditions(
  { gold, trees, tags }: ShownSentence,
  filter: SentenceFilter,
  labelling: readonly number[],
): [string, Condition][] {
  const labelled = isLabelled(gold);
  const textOf = (tree: DependencyTree, d: number) =>
    arcText(arcKind(tree, d, (h) => tags[h], labelled)).toLowerCase();
  const [goldArc, givenArc] = [filter['gold-arc'].toLowerCase(), filter['given-arc'].toLowerCase()];
  return [
    [goldArc, (d) => textOf(gold, d) === goldArc],
    [givenArc, (d) => labelling.some((parser) => textOf(trees[parser], d) === givenArc)],
  ];
}

function isLabelled({ labels }: DependencyTree): boolean {
  return labels.some((label) => label !== '' && label !== '_');
}
