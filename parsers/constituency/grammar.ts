import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { OUTERMOST } from './syntax-tree.ts';

/** Binary rules, or unary chains, in rows. */
export interface Rules {
  /** states: rules × 3; parent, left, right child; of unary chains: top, end, the state right above the end. */
  readonly states: Int32Array;
  /** Log probabilities. */
  readonly scores: Float32Array;
}

type Column = 0 | 1 | 2;

/** Rules sorted by one column. */
export interface RuleIndex {
  /** The rules of state s: starts[s] to starts[s + 1] − 1. */
  readonly starts: Int32Array;
  /** The two other columns of each rule. */
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly scores: Float32Array;
}

/** Returns where each group begins if groups of these sizes follow one another, and the sum of all sizes. */
export function offsetsOf(sizes: ArrayLike<number>): Int32Array {
  const offsets = new Int32Array(sizes.length + 1);
  for (let group = 0; group < sizes.length; group++) offsets[group + 1] = offsets[group] + sizes[group];
  return offsets;
}

/** Sorts the indices of keys by key, stably; the indices of key k are at `starts[k]` to `starts[k + 1]` − 1 of `order`. */
export function sortedByKey(keys: ArrayLike<number>, keyCount: number) {
  const sizes = new Int32Array(keyCount);
  for (let i = 0; i < keys.length; i++) sizes[keys[i]]++;
  const starts = offsetsOf(sizes);
  const next = starts.slice();
  const order = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[next[keys[i]]++] = i;
  return { starts, order };
}

/** Sorts rules by a column; ties stay in order. */
export function indexRules(
  { states, scores }: Rules,
  stateCount: number,
  by: Column,
  first: Column,
  second: Column,
): RuleIndex {
  const keys = Int32Array.from(scores, (_, rule) => states[3 * rule + by]);
  const { starts, order } = sortedByKey(keys, stateCount);
  return {
    starts,
    first: order.map((rule) => states[3 * rule + first]),
    second: order.map((rule) => states[3 * rule + second]),
    scores: Float32Array.from(order, (rule) => scores[rule]),
  };
}

/** A probabilistic context-free grammar, as it is saved. States are the numbers of symbols. */
export interface GrammarTables {
  readonly start: number;
  /** By state: its label in treebank trees; undefined for the start and for intermediate states. */
  readonly labels: readonly (string | undefined)[];
  /** By state: 1 for a tag, 0 for a phrase or a part of one. */
  readonly tags: Uint8Array;
  readonly occurrences: Int32Array;
  readonly binary: Rules;
  /** The unary chains (`unaryClosure`). */
  readonly chains: Rules;
}

/** A grammar with the indices that parsing needs. */
export class Grammar {
  readonly size: number;
  /** By left child: right child, parent. */
  readonly byLeft: RuleIndex;
  /** By right child: left child, parent. */
  readonly byRight: RuleIndex;
  /** By parent: left child, right child. */
  readonly byParent: RuleIndex;
  /** By end: top, state above the end. From `rootChains[end]` on, the top is always a root. */
  readonly chainsByEnd: RuleIndex;
  readonly rootChains: Int32Array;
  /** By top: end, state above the end. */
  readonly chainsByTop: RuleIndex;
  /** 1 for states that are only right children of binary rules. */
  readonly onlyRight: Uint8Array;
  /** 1 for the start and states that are only roots of trees. */
  readonly onlyRoot: Uint8Array;
  /** Log of the relative frequency of each state. */
  readonly priors: Float32Array;
  /** The label of the outermost bracket. */
  readonly outermost: string;

  constructor(readonly tables: GrammarTables) {
    const { labels, binary, chains, occurrences } = tables;
    const size = labels.length;
    this.size = size;
    this.byLeft = indexRules(binary, size, 1, 2, 0);
    this.byRight = indexRules(binary, size, 2, 1, 0);
    this.byParent = indexRules(binary, size, 0, 1, 2);
    this.chainsByTop = indexRules(chains, size, 0, 1, 2);
    const { onlyRight, onlyRoot } = rolesOf(tables);
    this.onlyRight = onlyRight;
    this.onlyRoot = onlyRoot;
    this.chainsByEnd = indexRules(rootsLast(chains, onlyRoot), size, 1, 0, 2);
    this.rootChains = Int32Array.from({ length: size }, (_, end) => {
      const { starts, first } = this.chainsByEnd;
      let at = starts[end];
      while (at < starts[end + 1] && onlyRoot[first[at]] === 0) at++;
      return at;
    });
    const total = occurrences.reduce((sum, count) => sum + count, 0);
    this.priors = Float32Array.from(occurrences, (count) => Math.log(count / total));
    this.outermost = outermostLabel(tables, onlyRoot);
  }
}

function rolesOf({ start, labels, binary, chains }: GrammarTables) {
  const isLeft = new Uint8Array(labels.length);
  const isRight = new Uint8Array(labels.length);
  const isSingle = new Uint8Array(labels.length);
  const isUnderStart = new Uint8Array(labels.length);
  for (let rule = 0; rule < binary.scores.length; rule++) {
    isLeft[binary.states[3 * rule + 1]] = 1;
    isRight[binary.states[3 * rule + 2]] = 1;
  }
  for (let chain = 0; chain < chains.scores.length; chain++) {
    const [top, end] = chains.states.subarray(3 * chain, 3 * chain + 2);
    if (top === start) isUnderStart[end] = 1;
    else isSingle[end] = 1;
  }
  const isNowhereElse = (state: number) => isLeft[state] + isRight[state] + isSingle[state] === 0;
  return {
    onlyRight: isRight.map(
      (right, state) => right & ~(isLeft[state] | isSingle[state] | isUnderStart[state]),
    ),
    onlyRoot: isUnderStart.map((under, state) =>
      Number((under === 1 || state === start) && isNowhereElse(state)),
    ),
  };
}

/** Moves chains whose top is always a root to the end. */
function rootsLast({ states, scores }: Rules, onlyRoot: Uint8Array): Rules {
  const isRoot = (chain: number) => onlyRoot[states[3 * chain]];
  const order = Array.from(scores.keys()).sort((a, b) => isRoot(a) - isRoot(b) || a - b);
  return {
    states: Int32Array.from(order.flatMap((chain) => [...states.subarray(3 * chain, 3 * chain + 3)])),
    scores: Float32Array.from(order, (chain) => scores[chain]),
  };
}

/** The label of the outermost bracket of all trees, if they share one; else `OUTERMOST`. */
function outermostLabel({ start, labels, chains }: GrammarTables, onlyRoot: Uint8Array): string {
  const roots = new Set<number>();
  for (let chain = 0; chain < chains.scores.length; chain++) {
    const [top, end, above] = chains.states.subarray(3 * chain, 3 * chain + 3);
    if (top === start && above === start) roots.add(end);
  }
  const found = new Set([...roots].map((state) => (onlyRoot[state] === 1 ? labels[state] : undefined)));
  const [label] = found;
  return found.size === 1 && label !== undefined ? label : OUTERMOST;
}

/** Loads a grammar; throws `InputError` if parsing might not end, or not give a tree of all words. */
export function loadGrammar(file: ModelReader, fields: HeaderFields): GrammarTables {
  const labels = labelsIn(fields);
  const size = labels.length;
  const start = fields.integer('start', 0, size - 1);
  if (labels[start] !== undefined) fields.refuse('start', 'a state without a label');
  const tags = file.section('tags', 'uint8', { length: size, most: 1 });
  if (labels.some((label, state) => tags[state] === 1 && label === undefined))
    file.refuse('section tags: a tag without a label');
  const occurrences = file.section('occurrences', 'int32', { length: size, least: 1 });
  const [binary, chains] = ['binary', 'chains'].map((name) => loadRules(file, name, size));
  const grammar = { start, labels, tags, occurrences, binary, chains };
  checkStart(file, grammar);
  checkChains(file, grammar);
  return grammar;
}

/** Reads the labels of states, which are null in the header for the start and intermediate states. */
export function labelsIn(fields: HeaderFields): (string | undefined)[] {
  return fields.list('labels').map((label) => {
    const isLabel = label === null || (typeof label === 'string' && /^[^ \t\r\n()]+$/.test(label));
    if (!isLabel) fields.refuse('labels', 'a list of nulls and of strings without spaces and brackets');
    return (label ?? undefined) as string | undefined;
  });
}

function loadRules(file: ModelReader, name: string, stateCount: number): Rules {
  const scores = file.section(`${name}.scores`, 'float32', { most: 0 });
  const length = 3 * scores.length;
  return { states: file.section(name, 'int32', { length, least: 0, most: stateCount - 1 }), scores };
}

/** Refuses a start with two children, or above a state without a label: reading a tree begins there. */
function checkStart(file: ModelReader, { start, labels, binary, chains }: GrammarTables): void {
  for (let at = 0; at < binary.states.length; at += 3)
    if (binary.states[at] === start) file.refuse('section binary: the start with two children');
  const { states } = chains;
  for (let at = 0; at < states.length; at += 3) {
    const isChild = states[at] === start && states[at + 2] === start;
    if (isChild && labels[states[at + 1]] === undefined)
      file.refuse('section chains: the start above a state without a label');
  }
}

/** Refuses chains that cannot be followed up from their end to their top. */
function checkChains(file: ModelReader, { chains: { states }, labels }: GrammarTables): void {
  const size = labels.length;
  const aboveOf = new Map<number, number>();
  for (let at = 0; at < states.length; at += 3) {
    const key = states[at] * size + states[at + 1];
    if (!aboveOf.has(key)) aboveOf.set(key, states[at + 2]);
  }
  /** States known to lead up to their top. */
  const sound = new Set<number>();
  for (let at = 0; at < states.length; at += 3) {
    const top = states[at];
    const path = new Set<number>();
    for (let state = states[at + 1]; state !== top && !sound.has(top * size + state); ) {
      const above = aboveOf.get(top * size + state);
      if (above === undefined || path.has(state))
        file.refuse(`section chains: ${state} does not lead up to ${top}`);
      path.add(state);
      state = above;
    }
    for (const state of path) sound.add(top * size + state);
  }
}
