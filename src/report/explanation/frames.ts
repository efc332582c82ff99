import type {
  DerivationNode,
  ParseExplanation,
  PhraseExplanation,
  SpanNode,
} from '../../explain/explanation.ts';
import type { ChuLiuEdmondsTrace, EisnerSpans, MatrixExplanation } from '../../explain/matrix.ts';
import type { ExplainedToken, ExplainedTree } from '../../explain/shared.ts';
import type { StepsExplanation } from '../../explain/steps.ts';
import { builtTree, named, namedAll, parserExplanation, shownScore } from './section.ts';
import { type Step, transitionText } from './steps-sections.ts';

/** A row of tokens, for example the stack; the marked ones are emphasised. */
interface TokenRow {
  readonly name: string;
  readonly tokens: readonly number[];
  readonly marked: readonly number[];
}

/** A step of the search as the page shows it. */
export interface Frame {
  readonly title: string;
  readonly lines: readonly string[];
  readonly rows: readonly TokenRow[];
  readonly choices: readonly { readonly name: string; readonly score: string; readonly isChosen: boolean }[];
  /** Head by dependent; −1: none. */
  readonly heads: readonly number[];
  /** Dependents whose arcs this step adds. */
  readonly added: readonly number[];
  readonly onCycle: readonly number[];
}

/** Returns the steps of a search, the last with the parser's tree; empty without a search. */
export function framesOf(explained: ParseExplanation): Frame[] {
  const parser = parserExplanation(explained);
  const frames = parser === undefined ? [] : searchFramesOf(parser);
  const { tree, built } = parser ?? explained;
  if (built === undefined || frames.length === 0) return frames;
  const lines = ['The labels encode which arcs were lifted to make the tree projective.'];
  return [...frames, { ...treeFrame(tree, built.heads), title: 'Lifted arcs are restored', lines }];
}

function searchFramesOf(explained: Exclude<ParseExplanation, { paradigm: 'pipeline' }>): Frame[] {
  if ('marginals' in explained) return searchFrames(explained);
  if ('steps' in explained) return stepFrames(explained);
  return 'derivation' in explained ? derivationFrames(explained) : [];
}

const emptyFrame = { lines: [], rows: [], choices: [], added: [], onCycle: [] };

function searchFrames(explained: MatrixExplanation): Frame[] {
  const { search, tokens } = explained;
  const tree = builtTree(explained);
  if (search === undefined) return [];
  return search.algorithm === 'eisner' ? spanFrames(search, tokens, tree) : roundFrames(search, tokens, tree);
}

/**
 * Returns one frame per round of Chu–Liu–Edmonds (the best arcs of tokens and contracted cycles, with the arcs along the
 * cycles), one per expanded cycle, and the tree.
 */
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
    const onCycle = cycles.flat();
    for (const { arc } of choices) if (onCycle.includes(arc.dependent)) alongCycles[arc.dependent] = arc.head;
    const contracted = cycles.map(
      (cycle) => `A cycle: ${namedAll(tokens, cycle)}. From now on it is one node.`,
    );
    const title = `Round ${i + 1}: ${choosers(i, choices.length)} takes its best head`;
    const lines = contracted.length === 0 ? ['No cycle is left.'] : contracted;
    return { ...frameOf(title, lines, before, heads), onCycle };
  });
  const opened = openings.map(({ cycle, enters, drops, cost }): Frame => {
    const before = heads;
    heads = [...heads];
    // The token whose arc along the cycle is dropped gets the head that it has in the final tree.
    heads[drops.dependent] = found[drops.dependent];
    heads[enters.dependent] = enters.head;
    const line = `${named(tokens, enters.head)} becomes the head of ${named(tokens, enters.dependent)}; the arc from ${named(tokens, drops.head)} to ${named(tokens, drops.dependent)} is dropped; the score falls by ${shownScore(cost)}.`;
    return frameOf(`The cycle ${namedAll(tokens, cycle)} is expanded`, [line], before, heads);
  });
  if (oneRoot === undefined) return [...frames, ...opened, treeFrame(tree, heads)];
  return [...frames, ...opened, oneRootFrame(oneRoot, tokens, heads, tree), treeFrame(tree, tree.heads)];
}

/** Returns a frame for each rule or span over more than one word of the best derivation, bottom-up. */
function derivationFrames({ derivation, tokens, tree }: PhraseExplanation): Frame[] {
  const heads = tokens.map(() => -1);
  const shortestFirst = derivation
    .map((node, k) => ({ node, k }))
    .filter(({ node }) => node.to > node.from)
    .sort((a, b) => a.node.to - a.node.from - (b.node.to - b.node.from) || b.k - a.k);
  const frames = shortestFirst.map(({ node }): Frame => {
    const words = tokens.map((_, d) => d).slice(node.from, node.to + 1);
    const content = 'rule' in node ? describeRule(node) : describeSpan(node, tokens);
    return { ...emptyFrame, ...content, rows: [{ name: 'Words', tokens: words, marked: [] }], heads };
  });
  return frames.length === 0 ? [] : [...frames, treeFrame(tree, heads)];
}

function describeRule({ rule, score, ruleScore, runnersUp }: DerivationNode) {
  const others = runnersUp.map((one) => `${one.label} ${shownScore(one.score)}`);
  return {
    title: rule,
    lines: [
      `Scores ${shownScore(score)}: ${shownScore(ruleScore)} for the rule, the rest for the phrases below it.`,
      ...(others.length === 0 ? [] : [`Next best labels of these words: ${others.join(', ')}.`]),
    ],
  };
}

function describeSpan(node: SpanNode, tokens: readonly ExplainedToken[]) {
  const { label, from, to, score, gain, probability, labels, splits } = node;
  return {
    title: `${label}: words ${from}–${to}`,
    lines: [
      `Scores ${shownScore(score)}: ${shownScore(gain)} for the span, the rest for the spans below it. Its probability is ${probability.toFixed(3)}.`,
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
  const line = `The best tree has ${roots.length} roots: ${namedAll(tokens, roots)}. The best one with a single root, ${named(tokens, root)}, scores ${shownScore(cost)} less.`;
  return frameOf('One root only', [line, ...moved], before, heads);
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
      ...emptyFrame,
      title: `${isComplete ? 'Complete' : 'Incomplete'} span ${from}–${to}, head ${named(tokens, head)}: ${shownScore(score)}`,
      lines: [
        isComplete
          ? 'Complete subtrees, with the head at one end.'
          : `The arc from ${named(tokens, head)} to ${named(tokens, end)}, with the words between.`,
      ],
      rows: [{ name: 'Span', tokens: tokens.map((_, d) => d).slice(from, to + 1), marked: [head] }],
      heads: [...heads],
      added: isComplete ? [] : [end],
    };
  });
  return [...frames, treeFrame(tree, heads)];
}

function stepFrames(explained: StepsExplanation): Frame[] {
  const { steps } = explained;
  const tree = builtTree(explained);
  let before: Step | undefined;
  const frames = steps.map((step, i): Frame => {
    const after = steps[i + 1]?.heads ?? tree.heads;
    const done = transitionText(step);
    const right = step.oracle && transitionText(step.oracle);
    const lines = right === undefined ? [] : [`The oracle would do ${right === done ? 'the same' : right}.`];
    const frame = {
      ...frameOf(`Step ${i + 1}: ${done}`, lines, step.heads, after),
      rows: rowsOf(step, before),
      choices: step.actions.map((choice) => ({
        name: transitionText(choice),
        score: choice.score === null ? '–' : shownScore(choice.score),
        isChosen: choice.action === step.action,
      })),
    };
    before = step;
    return frame;
  });
  return [...frames, treeFrame(tree, tree.heads)];
}

function rowsOf(step: Step, before: Step | undefined): TokenRow[] {
  if ('row' in step) {
    const { row, focus } = step;
    return [{ name: 'Remaining trees', tokens: row, marked: row.slice(focus, focus + 2) }];
  }
  const { stack, buffer } = step;
  const old = before !== undefined && 'stack' in before ? before : undefined;
  return [
    { name: 'Stack', tokens: stack, marked: stack.filter((d) => !old?.stack.includes(d)) },
    { name: 'Buffer', tokens: buffer, marked: buffer.filter((d) => old && !old.buffer.includes(d)) },
  ];
}

/** Returns the last frame, with the finished tree. */
export const treeFrame = ({ heads }: ExplainedTree, before: readonly number[]): Frame =>
  frameOf('The tree', [], before, heads);

/** Returns a frame that adds the arcs that were not there before. */
function frameOf(
  title: string,
  lines: readonly string[],
  before: readonly number[],
  heads: readonly number[],
): Frame {
  const added = [...heads.keys()].filter((d) => d > 0 && heads[d] !== -1 && heads[d] !== before[d]);
  return { ...emptyFrame, title, lines, heads, added };
}
