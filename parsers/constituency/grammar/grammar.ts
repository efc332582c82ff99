import { OUTERMOST } from '../trees/syntax-tree.ts';
import { indexRules, type RuleIndex, type Rules } from './rules.ts';

/** A probabilistic context-free grammar, as a model keeps it. Its states are its symbols, as numbers. */
export interface GrammarTables {
  /** The state above every tree. */
  readonly start: number;
  /** The label of each state in a treebank tree; undefined for the start and for intermediate states. */
  readonly labels: readonly (string | undefined)[];
  /** 1 where a state is a tag, 0 where it is a phrase or a part of one. */
  readonly tags: Uint8Array;
  /** How often each state has been seen in training. */
  readonly occurrences: Int32Array;
  readonly binary: Rules;
  /** The closure of the unary rules (unary-closure.ts). */
  readonly chains: Rules;
}

/** A grammar, its rules sorted for all the ways in which a chart is filled and read. */
export class Grammar {
  readonly size: number;
  /** By left child: right child, parent. */
  readonly byLeft: RuleIndex;
  /** By right child: left child, parent. */
  readonly byRight: RuleIndex;
  /** By parent: left child, right child. */
  readonly byParent: RuleIndex;
  /**
   * Chains by end: top, state above the end. Those whose top can be nothing but the root of a tree come last
   * for every end: from `rootChains[end]` on.
   */
  readonly chainsByEnd: RuleIndex;
  readonly rootChains: Int32Array;
  /** Chains by top: end, state above the end. */
  readonly chainsByTop: RuleIndex;
  /** 1 where a state is the right child of binary rules, and nothing else. */
  readonly onlyRight: Uint8Array;
  /** 1 where a state is the start or else nothing but the root of trees. */
  readonly onlyRoot: Uint8Array;
  /** Log probability of a state anywhere in a tree. */
  readonly priors: Float32Array;
  /** The label of the outermost bracket of trees, whatever is in them. */
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

/** In which places of a tree states are found. */
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

/** The same chains, those last whose top is found at the root alone. */
function rootsLast({ states, scores }: Rules, onlyRoot: Uint8Array): Rules {
  const isRoot = (chain: number) => onlyRoot[states[3 * chain]];
  const order = Array.from(scores.keys()).sort((a, b) => isRoot(a) - isRoot(b) || a - b);
  return {
    states: Int32Array.from(order.flatMap((chain) => [...states.subarray(3 * chain, 3 * chain + 3)])),
    scores: Float32Array.from(order, (chain) => scores[chain]),
  };
}

/** What all trees have around them, if they have; else what is put around the parts of one. */
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
