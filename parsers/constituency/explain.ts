import type { ChartCell, DerivationNode, PcfgExplanation } from '../../src/explain/explanation.ts';
import type { BestTree, StateSpan } from './best-tree.ts';
import type { Chart } from './chart.ts';
import type { WordStates } from './lexicon.ts';
import type { CoarseChart } from './split-merge/coarse-chart.ts';
import type { ReadonlyForest } from './split-merge/forest.ts';
import type { MaxRule, MaxRuleNode } from './split-merge/max-rule.ts';

type RunnerUp = DerivationNode['runnersUp'][number];

/** Most labels shown in a cell, and most runners-up. */
const MOST = 3;

/** Returns the best labels other than `found`, each once; impossible ones have a score of −Infinity. */
function runnersUp(
  all: readonly { readonly label: string | undefined; readonly score: number }[],
  found: string,
): RunnerUp[] {
  const best = new Map<string, number>();
  for (const { label, score } of all) {
    if (label === undefined || label === found || score === Number.NEGATIVE_INFINITY) continue;
    best.set(label, Math.max(score, best.get(label) ?? score));
  }
  return [...best]
    .map(([label, score]) => ({ label, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
}

/** Adds to each node the score of its subtree; nodes precede their descendants. */
function withScores(nodes: readonly Omit<DerivationNode, 'score'>[]): DerivationNode[] {
  const sums = nodes.map(({ ruleScore }) => ruleScore);
  for (let k = nodes.length - 1; k > 0; k--) if (nodes[k].parent !== -1) sums[nodes[k].parent] += sums[k];
  return nodes.map((node, k) => ({ ...node, score: sums[k] }));
}

/**
 * Puts the phrases of the tree into the cells of a chart, which list the best subtree of each label: the tree may have another
 * one, which fits the context better.
 */
export function withTree(cells: readonly ChartCell[], derivation: readonly DerivationNode[]): ChartCell[] {
  const splits = derivation.map(() => 0);
  // The right child begins after its sibling; one child alone is no split.
  for (const { parent, from } of derivation)
    if (parent !== -1 && from > derivation[parent].from) splits[parent] = from;
  return cells.map((cell) => {
    const own = derivation.flatMap(({ label, from, to, score, rule }, k) =>
      label !== null && from === cell.from && to === cell.to
        ? [{ label, score, rule, split: splits[k] }]
        : [],
    );
    const ownOf = (name: string) => own.find(({ label }) => label === name);
    const listed = cell.symbols.map((symbol) => ownOf(symbol.label) ?? symbol);
    const others = own.filter((symbol, k) => ownOf(symbol.label) === own[k] && !listed.includes(symbol));
    return { ...cell, symbols: [...listed.slice(0, Math.max(0, MOST - others.length)), ...others] };
  });
}

/** The part of an explanation that is about the chart. */
export type ExplainedChart = Pick<PcfgExplanation, 'derivation' | 'chart' | 'score' | 'pruning'>;

interface Pending extends StateSpan {
  readonly parent: number;
}

/** Explains the best derivation in a filled chart. */
export class ChartDerivation {
  private readonly nodes: Omit<DerivationNode, 'score'>[] = [];

  constructor(
    private readonly chart: Chart,
    private readonly words: readonly WordStates[],
    private readonly forms: readonly string[],
    private readonly best: BestTree,
  ) {}

  /** Returns the nodes of the derivation from some roots. */
  of(roots: readonly StateSpan[]): DerivationNode[] {
    const pending: Pending[] = roots.map((root) => ({ ...root, parent: -1 })).reverse();
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      pending.push(...this.expand(next));
    return withScores(this.nodes);
  }

  /** Returns the cells of the chart, shortest spans first. */
  cells(): ChartCell[] {
    return spansUpTo(this.words.length).flatMap(([i, j]) => {
      const symbols = this.ranked(i, j)
        .slice(0, MOST)
        .map(({ label, state, score }) => {
          const { chain, split } = this.best.expansion(state, i, j);
          const binary = [split.left, split.right].map((child) => this.name(child));
          const word = split.k === -1 ? [this.forms[i]] : binary;
          const below = chain.length > 0 ? [this.name(chain[0])] : word;
          const right = chain.length > 0 || split.k === -1 ? 0 : split.k + 1;
          return { label, score, rule: `${label} → ${below.join(' ')}`, split: right };
        });
      return symbols.length === 0 ? [] : { from: i + 1, to: j, symbols };
    });
  }

  /** Returns the best state of each label over words i…j − 1, the best inside score plus prior first. */
  private ranked(i: number, j: number): { label: string; state: number; score: number }[] {
    const { grammar, scores } = this.chart;
    const row = this.chart.row(i, j);
    const value = (state: number) => scores[row + state] + grammar.priors[state];
    return grammar.tables.labels
      .flatMap((label, state) => {
        const score = scores[row + state];
        return label === undefined || score === Number.NEGATIVE_INFINITY ? [] : { label, state, score };
      })
      .sort((a, b) => value(b.state) - value(a.state))
      .filter(({ label }, k, all) => all.findIndex((one) => one.label === label) === k);
  }

  /** Adds a state and its unary chain; returns the two children, right one first. */
  private expand({ state, i, j, parent }: Pending): Pending[] {
    const { chain, split } = this.best.expansion(state, i, j);
    const states = [state, ...chain];
    let above = parent;
    for (const [k, next] of chain.entries()) {
      const ruleScore = this.chainScore(state, next) - (k === 0 ? 0 : this.chainScore(state, chain[k - 1]));
      above = this.add(states[k], { i, j, parent: above }, [this.name(next)], ruleScore);
    }
    const last = states[states.length - 1];
    if (split.k === -1) {
      const { states: tags, scores } = this.words[i];
      this.add(last, { i, j, parent: above }, [this.forms[i]], scores[tags.indexOf(last)]);
      return [];
    }
    const children = [split.left, split.right].map((child) => this.name(child));
    const ruleScore = this.ruleScore(last, split.left, split.right);
    const here = this.add(last, { i, j, parent: above }, children, ruleScore);
    return [
      { state: split.right, i: split.k, j, parent: here },
      { state: split.left, i, j: split.k, parent: here },
    ];
  }

  private add(
    state: number,
    { i, j, parent }: Omit<Pending, 'state'>,
    below: readonly string[],
    ruleScore: number,
  ): number {
    const label = this.chart.grammar.tables.labels[state] ?? null;
    const rule = `${this.name(state)} → ${below.join(' ')}`;
    const others = label === null ? [] : this.runnersUp(label, i, j);
    this.nodes.push({ label, parent, from: i + 1, to: j, rule, ruleScore, runnersUp: others });
    return this.nodes.length - 1;
  }

  private name(state: number): string {
    return this.chart.grammar.tables.labels[state] ?? '·';
  }

  private chainScore(top: number, end: number): number {
    const { starts, first: ends, scores } = this.chart.grammar.chainsByTop;
    let chain = starts[top];
    while (ends[chain] !== end) chain++;
    return scores[chain];
  }

  private ruleScore(state: number, left: number, right: number): number {
    const { starts, first: lefts, second: rights, scores } = this.chart.grammar.byParent;
    let best = Number.NEGATIVE_INFINITY;
    for (let rule = starts[state]; rule < starts[state + 1]; rule++)
      if (lefts[rule] === left && rights[rule] === right) best = Math.max(best, scores[rule]);
    return best;
  }

  private runnersUp(found: string, i: number, j: number): RunnerUp[] {
    return this.ranked(i, j)
      .filter(({ label }) => label !== found)
      .slice(0, MOST)
      .map(({ label, score }) => ({ label, score }));
  }
}

/** Explains the max-rule tree of a forest; scores are means over all grammars. */
export function explainMaxRule(
  maxRule: MaxRule,
  forest: ReadonlyForest,
  chart: CoarseChart,
  labels: readonly (string | undefined)[],
  forms: readonly string[],
): ExplainedChart {
  const found = maxRule.derivation(forest);
  const { scores, edges } = maxRule.best(forest);
  const spans = spansOf(forest);
  const items = itemsBySpan(forest, spans);
  const nodes = found.map((node, place): Omit<DerivationNode, 'score'> => {
    const label = labels[node.symbol] ?? null;
    const { from, to } = spans[node.item];
    const rivals = (items.get(`${from} ${to}`) ?? []).map((item) => ({
      label: labels[forest.symbols[item]],
      score: maxRule.mean(scores[item]),
    }));
    const rule = `${label ?? '·'} → ${below(found, place, labels, forms)}`;
    const others = label === null ? [] : runnersUp(rivals, label);
    return {
      label,
      parent: node.parent,
      from,
      to,
      rule,
      ruleScore: maxRule.mean(node.score),
      runnersUp: others,
    };
  });
  const derivation = withScores(nodes);
  const kept = forest.itemCount;
  return {
    derivation,
    chart: withTree(
      spansUpTo(forms.length).flatMap(([i, j]) => cellOf(i, j)),
      derivation,
    ),
    score: derivation[0].score,
    pruning: { beam: null, kept, cut: itemsIn(chart) - kept },
  };

  function cellOf(i: number, j: number): ChartCell[] {
    const symbols: ChartCell['symbols'] = [];
    const inCell = (items.get(`${i + 1} ${j}`) ?? []).filter((item) => Number.isFinite(scores[item]));
    for (const item of inCell.sort((a, b) => scores[b] - scores[a])) {
      const label = labels[forest.symbols[item]];
      if (symbols.length === MOST || label === undefined || symbols.some((one) => one.label === label))
        continue;
      const edge = edges[item];
      const [left, right] = edge === -1 ? [-1, -1] : [forest.lefts[edge], forest.rights[edge]];
      const children = [left, right].filter((child) => child !== -1);
      const names = children.map((child) => labels[forest.symbols[child]] ?? '·');
      const rule = `${label} → ${edge === -1 ? forms[i] : names.join(' ')}`;
      const score = maxRule.mean(scores[item]);
      symbols.push({ label, score, rule, split: right === -1 ? 0 : spans[right].from });
    }
    return symbols.length === 0 ? [] : [{ from: i + 1, to: j, symbols }];
  }
}

/** Returns all spans of n words, shortest first; [i, j] covers words i + 1 to j. */
export function spansUpTo(n: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let length = 1; length <= n; length++)
    for (let i = 0; i + length <= n; i++) spans.push([i, i + length]);
  return spans;
}

/** The right side of the rule below a node, with the phrases within a unary chain. */
function below(
  nodes: readonly MaxRuleNode[],
  place: number,
  labels: readonly (string | undefined)[],
  forms: readonly string[],
): string {
  const { word, path } = nodes[place];
  if (word !== -1) return forms[word];
  const children = nodes.filter(({ parent }) => parent === place);
  return [...path, children.map(({ symbol }) => labels[symbol] ?? '·').join(' ')].join(' → ');
}

function spansOf(forest: ReadonlyForest): { from: number; to: number }[] {
  const spans = Array.from({ length: forest.itemCount }, () => ({ from: 0, to: 0 }));
  for (let leaf = 0; leaf < forest.leafCount; leaf++) {
    const word = forest.words[leaf] + 1;
    spans[forest.leaves[leaf]] = { from: word, to: word };
  }
  for (let edge = 0; edge < forest.edgeCount; edge++) {
    const right = forest.rights[edge] === -1 ? forest.lefts[edge] : forest.rights[edge];
    spans[forest.parents[edge]] = { from: spans[forest.lefts[edge]].from, to: spans[right].to };
  }
  return spans;
}

function itemsBySpan({ itemCount }: ReadonlyForest, spans: readonly { from: number; to: number }[]) {
  const items = new Map<string, number[]>();
  for (let item = 0; item < itemCount; item++) {
    const key = `${spans[item].from} ${spans[item].to}`;
    items.set(key, [...(items.get(key) ?? []), item]);
  }
  return items;
}

/** The number of items in the coarse chart. */
function itemsIn(chart: CoarseChart): number {
  const end = chart.row(0, chart.length + 1);
  let count = 0;
  for (let at = 0; at < end; at++) count += Number(chart.above[at] > 0) + Number(chart.below[at] > 0);
  return count;
}
