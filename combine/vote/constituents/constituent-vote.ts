import { checkTokens, inLockStep } from '../../../src/evaluate/lock-step.ts';
import { flatten } from '../../../src/evaluate/parseval/flat-tree.ts';
import { scorePhrases } from '../../../src/evaluate/parseval/score-phrases.ts';
import type { PhraseTree } from '../../../src/treebank/phrases/phrase-tree.ts';
import type { PhraseTreebank, TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import { phraseTrees } from '../../../src/treebank/reading/treebank-file.ts';
import { sumOf } from '../weights/weighting.ts';

/** How much the vote of each member counts, and how many votes a phrase needs. */
export interface PhraseWeighting {
  /** Weight of each member's vote, 0 or more; not all 0. */
  readonly weights: readonly number[];
  /** Share of all votes above which a phrase belongs in the tree. */
  readonly threshold: number;
}

/** Default threshold: for F1, less than half of the votes are enough. */
export const STANDARD_THRESHOLD = 0.4;

interface Candidate extends Constituent {
  readonly votes: number;
  /** Its label, its span, and its index among phrases with the same label and span in one tree. */
  readonly key: string;
  /** By member: its depth among the phrases with the same span, 0 the outermost. */
  readonly places: ReadonlyMap<number, number>;
}

/**
 * Combines trees into the tree with most votes (Sagae & Lavie 2006, "Parser combination by reparsing", N06-2033):
 * phrases are weighed by their members, and CKY finds the best set of phrases that do not cross.
 */
export function votedTree({ answers }: PhraseBallot, { weights, threshold }: PhraseWeighting): PhraseTree {
  const total = sumOf(weights);
  const candidates = candidatesIn(answers, weights).filter(({ votes }) => votes > threshold * total);
  const { forms } = answers[0];
  const chosen = withoutCrossing(candidates, forms.length, threshold * total);
  const elected = (value: (answer: FlatAnswer) => string) => mostVoted(answers.map(value), weights);
  const tags = forms.map((_, i) => elected((answer) => answer.tags[i]));
  const root = elected((answer) => answer.root);
  return built(root, inOrder(chosen, weights), forms, tags);
}

/** All candidates, in an order that does not depend on the members' order. */
function candidatesIn(answers: readonly FlatAnswer[], weights: readonly number[]): Candidate[] {
  const found = new Map<string, Omit<Candidate, 'votes' | 'places'> & { places: Map<number, number> }>();
  for (const [member, { constituents }] of answers.entries()) {
    const seen = new Map<string, number>();
    const count = (key: string) => {
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      return before;
    };
    for (const one of constituents) {
      const span = `${one.start} ${one.end}`;
      // Labels have no spaces.
      const name = `${one.label} ${span}`;
      const key = `${name} ${count(name)}`;
      const candidate = found.get(key) ?? { ...one, key, places: new Map<number, number>() };
      candidate.places.set(member, count(span));
      found.set(key, candidate);
    }
  }
  const sorted = [...found.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return sorted.map((one) => ({ ...one, votes: sumOf([...one.places.keys()].map((m) => weights[m])) }));
}

/** The set of phrases that do not cross with the highest sum of (votes − `least`). */
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

/** Sorts phrases: outer before inner; with the same span, by their mean depth. */
function inOrder(chosen: readonly Candidate[], weights: readonly number[]): Candidate[] {
  const depths = new Map(
    chosen.map((one) => {
      const places = [...one.places].map(([member, place]) => weights[member] * place);
      return [one, sumOf(places) / one.votes];
    }),
  );
  return chosen.toSorted((a, b) => {
    const deeper = a.start - b.start || b.end - a.end || depths.get(a)! - depths.get(b)!;
    return deeper || b.votes - a.votes || (a.key < b.key ? -1 : 1);
  });
}

/** The value with most votes; ties: the first in the alphabet. */
function mostVoted(values: readonly string[], weights: readonly number[]): string {
  const votes = new Map<string, number[]>();
  for (const [member, value] of values.entries()) {
    const own = votes.get(value) ?? [];
    own.push(weights[member]);
    votes.set(value, own);
  }
  const sums = [...votes].map(([value, own]) => ({ value, sum: sumOf(own) }));
  return sums.sort((a, b) => b.sum - a.sum || (a.value < b.value ? -1 : 1))[0].value;
}

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

const THRESHOLDS = [0.25, 0.3, 0.35, 0.4, 0.45, 0.5];
/** Factors by which the weight of one member is changed. */
const FACTORS = [2, 0.5];
/** A changed weight is kept if it raises the F1 of the vote by this much. */
const LEAST_GAIN = 0.05;

/**
 * Weighs members by their F1 on gold trees; the threshold is the one with the best F1 of the vote. Then single weights are
 * doubled or halved as long as that raises the F1: similar members would otherwise overrule a better one. Where no member has
 * a right phrase, all have the same weight.
 */
export async function learnPhraseWeighting(ballots: readonly GoldPhraseBallot[]): Promise<PhraseWeighting> {
  const count = ballots[0].answers.length;
  const weights: number[] = [];
  for (let member = 0; member < count; member++) {
    const alone = Array.from({ length: count }, (_, other) => Number(other === member));
    weights.push(await f1(ballots, { weights: alone, threshold: 0 }));
  }
  if (weights.every((weight) => weight === 0))
    return { weights: weights.map(() => 1), threshold: STANDARD_THRESHOLD };
  let best = { weights, threshold: 0, f1: Number.NEGATIVE_INFINITY };
  const choose = async (weighting: Omit<typeof best, 'f1'>, leastGain: number) => {
    const scored = await f1(ballots, weighting);
    if (scored > best.f1 + leastGain) best = { ...weighting, f1: scored };
  };
  let before: readonly number[];
  do {
    before = best.weights;
    for (const threshold of THRESHOLDS) await choose({ ...best, threshold }, 0);
    for (let member = 0; member < count; member++)
      for (const factor of FACTORS) {
        const scaled = best.weights.with(member, factor * best.weights[member]);
        await choose({ ...best, weights: scaled }, LEAST_GAIN);
      }
  } while (best.weights !== before);
  return { weights: best.weights, threshold: best.threshold };
}

async function f1(ballots: readonly GoldPhraseBallot[], weighting: PhraseWeighting): Promise<number> {
  const trees = (of: (ballot: GoldPhraseBallot) => PhraseTree) => ballots.map((one) => ({ tree: of(one) }));
  const voted = trees((ballot) => votedTree(ballot, weighting));
  const gold = trees((ballot) => ballot.gold);
  // NaN where neither have phrases.
  return (await scorePhrases(gold, voted)).f1 || 0;
}

/** A phrase with its span: words start + 1 … end. */
export interface Constituent {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** A tree as words, tags and phrases, each phrase before those within it. */
interface FlatAnswer {
  readonly forms: readonly string[];
  readonly tags: readonly string[];
  /** Label of the outermost bracket; '' if it has none. */
  readonly root: string;
  readonly constituents: readonly Constituent[];
}

/** The answers of several parsers for one sentence; all have the same words. */
export interface PhraseBallot {
  readonly answers: readonly FlatAnswer[];
}

export interface GoldPhraseBallot extends PhraseBallot {
  readonly gold: PhraseTree;
}

/** Converts a tree to words, tags and phrases, without empty elements and phrases of empty elements alone. */
export function flatAnswer(tree: PhraseTree): FlatAnswer {
  const { forms, tags, brackets } = flatten({ tree });
  // A word alone is a tree without an outermost bracket.
  const root = tree.form === undefined ? tree.label : '';
  const constituents = brackets
    .filter(({ node }) => node !== tree)
    .map(({ node, start, end }) => ({ label: node.label, start, end }));
  return { forms: forms.slice(1), tags: tags.slice(1), root, constituents };
}

/** Reads several files in lock step. Throws `InputError` at the first place where words or numbers differ. */
export async function* phraseBallots(files: readonly TreebankFile[]): AsyncGenerator<PhraseBallot> {
  for await (const trees of treeRows(files)) yield { answers: trees.map(flatAnswer) };
}

export async function* goldPhraseBallots(gold: TreebankFile, files: readonly TreebankFile[]) {
  for await (const [known, ...others] of treeRows([gold, ...files]))
    yield { gold: known, answers: others.map(flatAnswer) };
}

async function* treeRows(files: readonly TreebankFile[]): AsyncGenerator<PhraseTree[]> {
  const streams = files.map((file) => withTokens(phraseTrees(file)));
  for await (const { sentences, number } of inLockStep(streams)) {
    const [first, ...others] = sentences;
    for (const other of others) checkTokens({ gold: first, predicted: other, number });
    yield sentences.map(({ tree }) => tree);
  }
}

function withTokens(trees: PhraseTreebank) {
  return {
    name: trees.name,
    async *[Symbol.asyncIterator]() {
      for await (const one of trees) yield { ...flatten(one), tree: one.tree };
    },
  };
}
