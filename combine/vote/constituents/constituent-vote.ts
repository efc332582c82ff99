import type { PhraseTree } from '../../../src/treebank/brackets/phrase-tree.ts';
import type { Constituent, FlatAnswer, PhraseBallot } from './phrase-ballot.ts';

/** How votes on phrases are counted. */
export interface PhraseWeighting {
  /** What each member's vote weighs, 0 or more; not all 0. */
  readonly weights: readonly number[];
  /** The share of all votes that a phrase has to have to be better in the tree than out of it. */
  readonly threshold: number;
}

/**
 * Of five parsers of like quality two can have a phrase right that the others miss: where a tree is to have as many right
 * phrases and as few wrong ones, less than half of the votes are enough.
 */
export const STANDARD_THRESHOLD = 0.4;

/** A phrase that somebody has voted for. */
interface Candidate extends Constituent {
  /** Which one it is among phrases with its label over its words. */
  readonly number: number;
  votes: number;
}

/**
 * The tree of most votes (Sagae & Lavie 2006, "Parser combination by reparsing", N06-2033): phrases are weighed by who
 * has them, and the best set of them in which none crosses another is found as CKY finds a tree.
 */
export function votedTree({ answers }: PhraseBallot, { weights, threshold }: PhraseWeighting): PhraseTree {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const candidates = candidatesIn(answers, weights).filter(({ votes }) => votes > threshold * total);
  const { forms } = answers[0];
  const chosen = withoutCrossing(candidates, forms.length, threshold * total);
  const tags = forms.map((_, i) =>
    mostVoted(
      answers.map((answer) => answer.tags[i]),
      weights,
    ),
  );
  const root = mostVoted(
    answers.map((answer) => answer.root),
    weights,
  );
  return built(root, inOrder(chosen, answers, weights), forms, tags);
}

function candidatesIn(answers: readonly FlatAnswer[], weights: readonly number[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const [member, { constituents }] of answers.entries()) {
    const seen = new Map<string, number>();
    for (const one of constituents) {
      const number = seen.get(keyOf(one)) ?? 0;
      seen.set(keyOf(one), number + 1);
      const key = `${keyOf(one)} ${number}`;
      const candidate = found.get(key) ?? { ...one, number, votes: 0 };
      candidate.votes += weights[member];
      found.set(key, candidate);
    }
  }
  return [...found.values()];
}

/** Labels have no spaces. */
function keyOf({ label, start, end }: Constituent): string {
  return `${label} ${start} ${end}`;
}

/** The phrases whose votes above the least are most together, none of them crossing another. */
function withoutCrossing(candidates: readonly Candidate[], n: number, least: number): Candidate[] {
  const size = n + 1;
  const gains = new Float64Array(size * size);
  for (const { start, end, votes } of candidates) gains[start * size + end] += votes - least;
  const best = new Float64Array(size * size);
  const splits = new Int32Array(size * size);
  for (let length = 1; length <= n; length++) {
    for (let i = 0; i + length <= n; i++) {
      const j = i + length;
      let most = length === 1 ? 0 : -1;
      for (let k = i + 1; k < j; k++) {
        const sum = best[i * size + k] + best[k * size + j];
        if (sum <= most) continue;
        most = sum;
        splits[i * size + j] = k;
      }
      best[i * size + j] = most + gains[i * size + j];
    }
  }
  const inTree = new Set<number>();
  const pending = n === 0 ? [] : [{ i: 0, j: n }];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const { i, j } = span;
    inTree.add(i * size + j);
    const k = splits[i * size + j];
    if (j > i + 1) pending.push({ i, j: k }, { i: k, j });
  }
  return candidates.filter(({ start, end }) => inTree.has(start * size + end));
}

/** Each phrase before those within it; of the same words, as most votes have them. */
function inOrder(chosen: readonly Candidate[], answers: readonly FlatAnswer[], weights: readonly number[]) {
  const places = answers.map(({ constituents }) => {
    const seen = new Map<string, number>();
    const placeOf = new Map<string, number>();
    for (const [place, one] of constituents.entries()) {
      const number = seen.get(keyOf(one)) ?? 0;
      seen.set(keyOf(one), number + 1);
      placeOf.set(`${keyOf(one)} ${number}`, place);
    }
    return placeOf;
  });
  /** The mean place of a phrase among those of the same words, in the answers that have it. */
  const depth = ({ votes, number, ...one }: Candidate) => {
    let sum = 0;
    for (const [member, placeOf] of places.entries()) {
      const place = placeOf.get(`${keyOf(one)} ${number}`);
      if (place === undefined) continue;
      const outermost = answers[member].constituents.findIndex(
        ({ start, end }) => start === one.start && end === one.end,
      );
      sum += weights[member] * (place - outermost);
    }
    return sum / votes;
  };
  return chosen
    .map((one) => ({ ...one, depth: depth(one) }))
    .sort(
      (a, b) =>
        a.start - b.start ||
        b.end - a.end ||
        a.depth - b.depth ||
        b.votes - a.votes ||
        (a.label < b.label ? -1 : 1),
    );
}

/** What most votes are for; of equal ones the first in the alphabet. */
function mostVoted(values: readonly string[], weights: readonly number[]): string {
  const votes = new Map<string, number>();
  for (const [member, value] of values.entries()) votes.set(value, (votes.get(value) ?? 0) + weights[member]);
  const sorted = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return sorted[0][0];
}

/** The tree of phrases that stand in order, under one outermost bracket. */
function built(
  root: string,
  phrases: readonly Constituent[],
  forms: readonly string[],
  tags: readonly string[],
): PhraseTree {
  interface Growing extends PhraseTree {
    readonly children: Growing[];
  }
  const tree: Growing = { label: root, children: [] };
  const open = [{ node: tree, end: forms.length }];
  let next = 0;
  for (const [i, form] of forms.entries()) {
    while (open.length > 1 && open.at(-1)!.end <= i) open.pop();
    for (; next < phrases.length && phrases[next].start === i; next++) {
      const node: Growing = { label: phrases[next].label, children: [] };
      open.at(-1)!.node.children.push(node);
      open.push({ node, end: phrases[next].end });
    }
    open.at(-1)!.node.children.push({ label: tags[i], form, children: [] });
  }
  return tree;
}
