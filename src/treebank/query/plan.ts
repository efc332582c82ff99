import { nodeTest, propertyNamed, type Searched, type Test, valueTest } from './conditions.ts';
import type { Clauses, QuerySyntax, Relation } from './syntax.ts';

/** Sources of a node's candidate tokens, given the token of another node. */
const ANY = 0;
const HEAD_OF = 1;
const BEFORE = 2;
const AFTER = 3;
const DEPENDENT_OF = 4;
/** Checks have four numbers: kind, two nodes, index of a test of labels or properties (−1: none). */
const CHECK = 4;
const ARC = 0;
const DOMINATES = 1;
const PRECEDES = 2;
const NEXT = 3;
const TEST = 4;
const PAIR = 5;
type PairTest = (searched: Searched, a: number, b: number) => boolean;

/** The steps of a search: each binds a node to a token, then makes the checks whose nodes are all bound. */
interface Steps {
  /** Three numbers per step: the node, the source of its candidates, the node that the source starts from. */
  readonly bindings: Int32Array;
  /** `checks[0]` before the first step, `checks[i + 1]` after step i. */
  readonly checks: readonly Int32Array[];
}

/** A compiled query: a backtracking search as numbers in arrays. Runs one search at a time. */
export class Plan {
  private readonly tests: Test[] = [];
  private readonly pairs: PairTest[] = [];
  private readonly pattern: Steps;
  private readonly blocks: readonly { readonly steps: Steps; readonly negated: boolean }[];
  /** The token of each node; 0 where it is not bound. */
  private readonly bound: Int32Array;
  private searched!: Searched;
  private heads!: Int32Array;

  constructor(
    { pattern, nodes, names, blocks }: QuerySyntax,
    private readonly parsers: readonly string[],
  ) {
    this.bound = new Int32Array(names.length);
    this.pattern = this.stepsOf(pattern, 0, nodes, nodes);
    this.blocks = blocks.map(({ clauses, negated, first, end }) => ({
      steps: this.stepsOf(clauses, first, end, nodes),
      negated,
    }));
  }

  /** Calls `onMatch` with the token of each node for every match. */
  search(searched: Searched, onMatch: (tokens: Int32Array) => void): void {
    this.searched = searched;
    this.heads = searched.sentence.heads;
    const { blocks, bound } = this;
    const report = () => {
      for (let i = 0; i < blocks.length; i++)
        if (this.walk(blocks[i].steps, isEnough) === blocks[i].negated) return false;
      onMatch(bound);
      return false;
    };
    bound.fill(0);
    this.walk(this.pattern, report);
  }

  /** Binds the nodes of `steps` in all ways until `found` returns true; returns whether it did. */
  private walk(steps: Steps, found: () => boolean): boolean {
    return this.holds(steps.checks[0]) && this.bind(steps, 0, found);
  }

  private bind(steps: Steps, step: number, found: () => boolean): boolean {
    const { bindings } = steps;
    if (3 * step === bindings.length) return found();
    const { bound, heads } = this;
    const source = bindings[3 * step + 1];
    const from = bound[bindings[3 * step + 2]];
    if (source === DEPENDENT_OF || source === ANY) {
      for (let d = 1; d < heads.length; d++)
        if ((source === ANY || heads[d] === from) && this.tries(steps, step, d, found)) return true;
      return false;
    }
    const token = source === HEAD_OF ? heads[from] : source === BEFORE ? from - 1 : from + 1;
    return token > 0 && token < heads.length && this.tries(steps, step, token, found);
  }

  private tries(steps: Steps, step: number, token: number, found: () => boolean): boolean {
    const { bound } = this;
    for (let i = 0; i < bound.length; i++) if (bound[i] === token) return false;
    const node = steps.bindings[3 * step];
    bound[node] = token;
    const isEnd = this.holds(steps.checks[step + 1]) && this.bind(steps, step + 1, found);
    bound[node] = 0;
    return isEnd;
  }

  private holds(checks: Int32Array): boolean {
    const { bound, heads, searched, tests, pairs } = this;
    for (let i = 0; i < checks.length; i += CHECK) {
      const a = bound[checks[i + 1]];
      const b = bound[checks[i + 2]];
      const test = checks[i + 3];
      switch (checks[i]) {
        case TEST:
          if (!tests[test](searched, a)) return false;
          break;
        case ARC:
          if (heads[b] !== a) return false;
          break;
        case DOMINATES:
          if (!this.dominates(a, b)) return false;
          break;
        case PRECEDES:
          if (a >= b) return false;
          break;
        case NEXT:
          if (a + 1 !== b) return false;
          break;
        case PAIR:
          if (!pairs[test](searched, a, b)) return false;
      }
    }
    return true;
  }

  /** Whether a is an ancestor of b; a cycle ends the search after n steps. */
  private dominates(a: number, b: number): boolean {
    const { heads } = this;
    let i = heads[b];
    for (let steps = 1; i > 0 && i !== a && steps < heads.length; steps++) i = heads[i];
    return i === a;
  }

  /** Orders the nodes `first` … `end` − 1 by rising number of candidates; a block may use the `outer` pattern's nodes. */
  private stepsOf(clauses: Clauses, first: number, end: number, outer: number): Steps {
    const isBound = new Set(first === 0 ? [] : Array.from({ length: outer }, (_, node) => node));
    const unbound = new Set(Array.from({ length: end - first }, (_, i) => first + i));
    const pending = this.checksOf(clauses);
    const checks = [Int32Array.from(this.ready(pending, isBound))];
    const bindings: number[] = [];
    while (unbound.size > 0) {
      const choices = Array.from(unbound, (node) => {
        const found = candidatesOf(node, clauses.relations, isBound);
        return { node, ...found, rank: 10 * costs[found.source] - selectivity(node, clauses) };
      });
      const best = choices.reduce((a, b) => (b.rank < a.rank ? b : a));
      bindings.push(best.node, best.source, best.from);
      unbound.delete(best.node);
      isBound.add(best.node);
      checks.push(Int32Array.from(this.ready(pending, isBound)));
    }
    return { bindings: Int32Array.from(bindings), checks };
  }

  /** Removes from the pending checks those whose nodes are all bound, and returns them, cheap ones first. */
  private ready(pending: Set<readonly number[]>, isBound: ReadonlySet<number>): number[] {
    const checks = [...pending].filter(([, a, b]) => isBound.has(a!) && isBound.has(b!));
    for (const check of checks) pending.delete(check);
    return checks.sort(([a], [b]) => a! - b!).flat();
  }

  private checksOf({ conditions, relations }: Clauses): Set<readonly number[]> {
    const checks = new Set<readonly number[]>();
    const addTest = (node: number, test: Test) => checks.add([TEST, node, node, this.tests.push(test) - 1]);
    for (const condition of conditions) addTest(condition.node, nodeTest(condition, this.parsers));
    for (const relation of relations) {
      if (relation.kind === 'arc') {
        const { head, right, label } = relation;
        const isLabel = label && valueTest(label);
        addTest(
          right,
          ({ sentence: { heads, labels } }, d) =>
            heads[d] >= 0 && (isLabel === undefined || isLabel(labels[d])),
        );
        if (head !== undefined) checks.add([ARC, head, right, -1]);
      } else if (relation.kind === 'equal') {
        checks.add([PAIR, relation.left, relation.right, this.pairs.push(pairTest(relation)) - 1]);
      } else {
        checks.add([orders[relation.kind], relation.left, relation.right, -1]);
      }
    }
    return checks;
  }
}

const isEnough = () => true;
const orders = { dominates: DOMINATES, precedes: PRECEDES, next: NEXT } as const;
/** Cost of each source of candidates: 0 for a single token, 1 for the dependents of a token, 2 for all tokens. */
const costs: readonly number[] = [2, 0, 0, 0, 1];

function pairTest({ leftName, rightName, negated }: Extract<Relation, { kind: 'equal' }>): PairTest {
  const [left, right] = [propertyNamed(leftName), propertyNamed(rightName)];
  return ({ sentence }, a, b) => {
    const [one, other] = [left(sentence, a), right(sentence, b)];
    return one !== undefined && other !== undefined && (one === other) !== negated;
  };
}

function candidatesOf(node: number, relations: readonly Relation[], isBound: ReadonlySet<number>) {
  let best = { source: ANY, from: 0 };
  const offer = (source: number, from: number | undefined) => {
    if (from !== undefined && isBound.has(from) && costs[source] < costs[best.source])
      best = { source, from };
  };
  for (const relation of relations) {
    if (relation.kind === 'arc') {
      if (relation.head === node) offer(HEAD_OF, relation.right);
      if (relation.right === node) offer(DEPENDENT_OF, relation.head);
    } else if (relation.kind === 'next') {
      if (relation.left === node) offer(BEFORE, relation.right);
      if (relation.right === node) offer(AFTER, relation.left);
    }
  }
  return best;
}

/** Estimates how selective a node's conditions are: words are rarer than labels, labels than tags. */
function selectivity(node: number, { conditions, relations }: Clauses): number {
  const own = conditions.filter((condition) => condition.node === node && !condition.negated);
  if (own.some(({ name }) => /^(form|word|lemma)/.test(name))) return 3;
  const isLabelled = (relation: Relation) =>
    relation.kind === 'arc' && relation.right === node && relation.label?.negated === false;
  return relations.some(isLabelled) ? 2 : Math.min(1, own.length);
}
