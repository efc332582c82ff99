import type {
  DerivationNode,
  ParseExplanation,
  PhraseExplanation,
  SpanNode,
} from '../../explain/explanation.ts';
import type { ChuLiuEdmondsTrace, EisnerSpans, MatrixExplanation } from '../../explain/matrix.ts';
import type { ExplainedToken, ExplainedTree } from '../../explain/shared.ts';
import type { StepsExplanation } from '../../explain/steps.ts';
import { builtTree, named, namedAll, shownScore } from './section.ts';
import { transitionText } from './steps-sections.ts';

interface TokenRow {
  readonly name: string;
  readonly tokens: readonly number[];
  readonly marked: readonly number[];
}

export interface Frame {
  readonly title: string;
  readonly lines: readonly string[];
  readonly rows: readonly TokenRow[];
  readonly choices: readonly { readonly name: string; readonly score: string; readonly isChosen: boolean }[];
  /** Head by dependent; −1: none. */
  readonly heads: readonly number[];
  /** Dependents whose arcs are new; dependents on a cycle. */
  readonly fresh: readonly number[];
  readonly cyclic: readonly number[];
}

export function framesOf(explained: ParseExplanation): Frame[] {
  const parser = explained.paradigm === 'pipeline' ? explained.parser : explained;
  const frames = parser === undefined ? [] : searchFramesOf(parser);
  const { tree, built } = parser ?? explained;
  if (built === undefined || frames.length === 0) return frames;
  const lines = ['The labels encode which arcs were lifted to make the tree projective.'];
  const { heads } = tree;
  return [
    ...frames,
    { ...bare, title: 'Lifted arcs are restored', lines, heads, fresh: freshIn(built.heads, heads) },
  ];
}

function searchFramesOf(explained: Exclude<ParseExplanation, { paradigm: 'pipeline' }>): Frame[] {
  if ('marginals' in explained) return searchFrames(explained);
  if ('steps' in explained) return stepFrames(explained);
  return 'derivation' in explained ? derivationFrames(explained) : [];
}

const bare = { lines: [], rows: [], choices: [], fresh: [], cyclic: [] };

function searchFrames(explained: MatrixExplanation): Frame[] {
  const { search, tokens } = explained;
  const tree = builtTree(explained);
  if (search === undefined) return [];
  return search.algorithm === 'eisner' ? spanFrames(search, tokens, tree) : roundFrames(search, tokens, tree);
}

/** One frame per round: the best arcs of tokens and contracted cycles, with the arcs along the cycles. */
export function roundFrames(
  search: ChuLiuEdmondsTrace,
  tokens: readonly ExplainedToken[],
  tree: ExplainedTree,
): Frame[] {
  const { rounds, openings, oneRoot } = search;
  const found = [...tree.heads];
  for (const { dependent, from } of oneRoot?.changes ?? []) found[dependent] = from;
  const alongCycles = tokens.map(() => -1);
  let heads: number[] = [...alongCycles];
  const frames = rounds.map(({ choices, cycles }, i): Frame => {
    const before = heads;
    heads = [...alongCycles];
    for (const { arc } of choices) heads[arc.dependent] = arc.head;
    const cyclic = cycles.flat();
    for (const { arc } of choices) if (cyclic.includes(arc.dependent)) alongCycles[arc.dependent] = arc.head;
    const contracted = cycles.map(
      (cycle) => `A cycle: ${namedAll(tokens, cycle)}. From now on it is one node.`,
    );
    return {
      ...bare,
      title: `Round ${i + 1}: ${choosers(i, choices.length)} takes its best head`,
      lines: contracted.length === 0 ? ['No cycle is left.'] : contracted,
      heads,
      fresh: freshIn(before, heads),
      cyclic,
    };
  });
  const opened = openings.map(({ cycle, enters, drops, cost }): Frame => {
    const before = heads;
    heads = [...heads];
    // The token at which the cycle was entered before gets its own head back.
    heads[drops.dependent] = found[drops.dependent];
    heads[enters.dependent] = enters.head;
    const line = `${named(tokens, enters.head)} becomes the head of ${named(tokens, enters.dependent)}; the arc from ${named(tokens, drops.head)} to ${named(tokens, drops.dependent)} is dropped; the score falls by ${shownScore(cost)}.`;
    const title = `The cycle ${namedAll(tokens, cycle)} is expanded`;
    return { ...bare, title, lines: [line], heads, fresh: freshIn(before, heads) };
  });
  const before = heads;
  const ruled = oneRoot === undefined ? [] : [oneRootFrame(oneRoot, tokens, before, tree)];
  return [...frames, ...opened, ...ruled, wholeTree(tree, oneRoot === undefined ? heads : tree.heads)];
}

/** The best derivation from the words up: a frame for each rule or span over more than one word. */
function derivationFrames({ derivation, tokens, tree }: PhraseExplanation): Frame[] {
  const heads = tokens.map(() => -1);
  const shortestFirst = derivation
    .map((node, k) => ({ node, k }))
    .filter(({ node }) => node.to > node.from)
    .sort((a, b) => a.node.to - a.node.from - (b.node.to - b.node.from) || b.k - a.k);
  const frames = shortestFirst.map(({ node }): Frame => {
    const words = tokens.map((_, d) => d).slice(node.from, node.to + 1);
    const told = 'rule' in node ? toldOfRule(node) : toldOfSpan(node, tokens);
    return { ...bare, ...told, rows: [{ name: 'Words', tokens: words, marked: [] }], heads };
  });
  return frames.length === 0 ? [] : [...frames, wholeTree(tree, heads)];
}

function toldOfRule({ rule, score, ruleScore, runnersUp }: DerivationNode) {
  const others = runnersUp.map((one) => `${one.label} ${shownScore(one.score)}`);
  return {
    title: rule,
    lines: [
      `Scores ${shownScore(score)}: ${shownScore(ruleScore)} for the rule, the rest from what is below.`,
      ...(others.length === 0 ? [] : [`Next best labels of these words: ${others.join(', ')}.`]),
    ],
  };
}

/** The splits of a span are the choices, with what others cost. */
function toldOfSpan(node: SpanNode, tokens: readonly ExplainedToken[]) {
  const { label, from, to, score, spanScore, probability, labels, splits } = node;
  return {
    title: `${label}: words ${from}–${to}`,
    lines: [
      `Scores ${shownScore(score)}: ${shownScore(spanScore)} for the span, the rest from what is below. Its probability is ${probability.toFixed(3)}.`,
      `Best labels: ${labels.map((one) => `${one.label} ${one.probability.toFixed(3)}`).join(', ')}.`,
    ],
    choices: splits.map(({ split, cost }, s) => ({
      name: `split before ${named(tokens, split)}`,
      score: s === 0 ? '' : `costs ${shownScore(cost)}`,
      isChosen: s === 0,
    })),
  };
}

function oneRootFrame(
  { roots, changes }: NonNullable<ChuLiuEdmondsTrace['oneRoot']>,
  tokens: readonly ExplainedToken[],
  before: readonly number[],
  { heads }: ExplainedTree,
): Frame {
  const cost = changes.reduce((sum, change) => sum + change.cost, 0);
  const root = heads.findIndex((head, d) => d > 0 && head === 0);
  const moved = changes.map(
    ({ dependent, from, to, cost }) =>
      `${named(tokens, dependent)} moves from ${named(tokens, from)} to ${named(tokens, to)}, which scores ${shownScore(Math.abs(cost))} ${cost < 0 ? 'more' : 'less'}.`,
  );
  return {
    ...bare,
    title: 'One root only',
    lines: [
      `The best tree has ${roots.length} roots: ${namedAll(tokens, roots)}. The best one with a single root, ${named(tokens, root)}, scores ${shownScore(cost)} less.`,
      ...moved,
    ],
    heads,
    fresh: freshIn(before, heads),
  };
}

function choosers(round: number, count: number): string {
  if (round === 0) return 'every token';
  return count === 1 ? 'the last node' : 'every token and every cycle';
}

function spanFrames({ spans }: EisnerSpans, tokens: readonly ExplainedToken[], tree: ExplainedTree): Frame[] {
  const heads = tokens.map(() => -1);
  const frames = spans.map(({ head, end, isComplete, score }): Frame => {
    if (!isComplete) heads[end] = head;
    const [from, to] = [Math.min(head, end), Math.max(head, end)];
    return {
      ...bare,
      title: `${isComplete ? 'Complete' : 'Incomplete'} span ${from}–${to}, head ${named(tokens, head)}: ${shownScore(score)}`,
      lines: [
        isComplete
          ? 'Whole subtrees, with the head at one end.'
          : `The arc from ${named(tokens, head)} to ${named(tokens, end)}, with all that it covers.`,
      ],
      rows: [{ name: 'Span', tokens: tokens.map((_, d) => d).slice(from, to + 1), marked: [head] }],
      heads: [...heads],
      fresh: isComplete ? [] : [end],
    };
  });
  return [...frames, wholeTree(tree, heads)];
}

function stepFrames(explained: StepsExplanation): Frame[] {
  const { steps } = explained;
  const tree = builtTree(explained);
  let before: StepsExplanation['steps'][number] | undefined;
  const frames = steps.map((step, i): Frame => {
    const after = steps[i + 1]?.heads ?? tree.heads;
    const frame = {
      title: `Step ${i + 1}: ${transitionText(step)}`,
      lines: step.oracle === undefined ? [] : [oracleLine(transitionText(step), transitionText(step.oracle))],
      rows: rowsOf(step, before),
      choices: step.actions.map((choice) => ({
        name: transitionText(choice),
        score: choice.score === null ? '–' : shownScore(choice.score),
        isChosen: choice.action === step.action,
      })),
      heads: after,
      fresh: freshIn(step.heads, after),
      cyclic: [],
    };
    before = step;
    return frame;
  });
  return [...frames, wholeTree(tree, tree.heads)];
}

const oracleLine = (done: string, right: string): string =>
  done === right ? 'The oracle would do the same.' : `The oracle would do ${right}.`;

function rowsOf(
  step: StepsExplanation['steps'][number],
  before: StepsExplanation['steps'][number] | undefined,
): TokenRow[] {
  if ('row' in step) {
    const { row, focus } = step;
    return [{ name: 'Trees that remain', tokens: row, marked: row.slice(focus, focus + 2) }];
  }
  const old = before !== undefined && 'stack' in before ? before : { stack: [], buffer: step.buffer };
  const isNew = (had: readonly number[]) => (d: number) => !had.includes(d);
  return [
    { name: 'Stack', tokens: step.stack, marked: step.stack.filter(isNew(old.stack)) },
    { name: 'Buffer', tokens: step.buffer, marked: step.buffer.filter(isNew(old.buffer)) },
  ];
}

export const wholeTree = ({ heads }: ExplainedTree, before: readonly number[]): Frame => ({
  ...bare,
  title: 'The tree',
  heads,
  fresh: freshIn(before, heads),
});

const freshIn = (before: readonly number[], heads: readonly number[]): number[] =>
  [...heads.keys()].filter((d) => d > 0 && heads[d] !== -1 && heads[d] !== before[d]);
