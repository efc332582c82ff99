import { checkFields, checkName } from '../../src/checks.ts';
import { countRoots } from '../../src/decode/chu-liu-edmonds.ts';
import { createEisner } from '../../src/decode/eisner.ts';
import { SparseArborescence } from '../../src/decode/sparse-arborescence.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { Calibration, type CalibrationData } from '../../src/learn/calibration.ts';
import { checkArcs, type DependencyTree, type Sentence } from '../../src/treebank/sentence.ts';
import { type MethodName, methodNames } from '../names.ts';
import type { Ballot } from './ballots.ts';
import { type Method, Poll } from './poll.ts';
import { Superparser } from './superparser.ts';
import { checkWeighting, type Weighting } from './weights/weighting.ts';

/** Subtracted once per earlier candidate, so that the first of equal ones wins; the total stays below 1, one vote. */
const NEXT = 2 ** -16;
/** The score of an arc without votes: one such arc outweighs a unanimous vote. */
const NO_VOTE = -(2 ** 30);

/**
 * Re-parsing by Chu–Liu–Edmonds (Sagae & Lavie 2006, N06-2033): the tree with most votes. Of equal candidates for a
 * token, the earlier in the poll wins. A token without candidates is attached to the root, or with a single root to
 * the root's dependent.
 */
function createReparseCle(): Method {
  const arborescence = new SparseArborescence();
  let scores = new Float64Array(0);
  let marks = new Int32Array(0);
  return {
    counting: 'both',
    solve(poll, singleRoot, heads) {
      const { n, firstCandidate, votes } = poll;
      if (marks.length <= n) marks = new Int32Array(2 * (n + 1));
      const end = firstCandidate[n + 1];
      if (scores.length < end) scores = new Float64Array(2 * end);
      for (let d = 1; d <= n; d++) {
        const first = firstCandidate[d];
        for (let c = first; c < firstCandidate[d + 1]; c++) scores[c] = votes[c] - NEXT * (c - first);
      }
      if (isTreeOfWinners(poll, singleRoot, heads, marks)) return;
      const arcs = { n, firstArc: firstCandidate, heads: poll.heads, scores, unlisted: NO_VOTE };
      arborescence.solve(arcs, singleRoot, heads);
    },
  };
}

/** Writes the winners of all tokens into `heads`; returns whether they form a tree, as they nearly always do. */
function isTreeOfWinners(poll: Poll, singleRoot: boolean, heads: Int32Array, marks: Int32Array): boolean {
  heads[0] = -1;
  for (let d = 1; d <= poll.n; d++) {
    const winner = poll.winner(d);
    if (winner < 0) return false;
    heads[d] = poll.heads[winner];
  }
  const roots = countRoots(heads, poll.n, marks);
  return roots === 1 || (roots > 1 && !singleRoot);
}

/** `NEXT` for 32-bit floats: the smallest difference that they represent up to 2 · `ALL_VOTES` = 2³⁰. */
const NEXT_FLOAT = 2 ** 6;
/** Time is cubic: 3,000 tokens take 15 seconds, 4,000 most of a minute and 300 megabytes. */
const LIMITS = { slow: 3000, most: 4000 };

/** The projective tree with most votes: Eisner (Sagae & Lavie 2006, N06-2033). Ties: earlier in the poll. */
function createReparseEisner(): Method {
  const decoders = [false, true].map((singleRoot) => createEisner({ singleRoot }));
  let scores = new Float32Array(0);
  return {
    counting: 'both',
    limits: LIMITS,
    solve(poll, singleRoot, heads) {
      const cells = (poll.n + 1) ** 2;
      // No spare capacity: 4,000 tokens take 64 megabytes.
      if (scores.length < cells) scores = new Float32Array(cells);
      fillScores(poll, scores);
      decoders[Number(singleRoot)].decode(scores, poll.n, heads);
    },
  };
}

function fillScores({ n, firstCandidate, heads, votes }: Poll, scores: Float32Array): void {
  const size = n + 1;
  scores.fill(NO_VOTE, 0, size * size);
  for (let d = 1; d <= n; d++) {
    const first = firstCandidate[d];
    for (let c = first; c < firstCandidate[d + 1]; c++)
      scores[heads[c] * size + d] = votes[c] - NEXT_FLOAT * (c - first);
  }
}

export interface VoteOptions {
  /** How votes are combined into a tree; default: `reparse-cle`. */
  readonly method?: MethodName | undefined;
  /** Exactly one token is attached to the root. Default: sentence by sentence, as most members have it. */
  readonly singleRoot?: boolean | undefined;
  /** Turns shares of votes into probabilities (`calibrateVote`). */
  readonly calibration?: CalibrationData | undefined;
}

/** The fields of `VoteOptions`, to refuse misspelt ones. */
export const voteFields = [
  'method',
  'singleRoot',
  'calibration',
] as const satisfies readonly (keyof VoteOptions)[];

/** The result of a vote on a sentence; entry d of each list belongs to token d. */
export interface Decision {
  readonly tree: DependencyTree;
  /** Probability that the head is right; without calibration, the share of the votes for it. Entry 0 is 0. */
  readonly confidences: Float64Array;
  /** The head with most votes, whether or not the tree has it; −1 where no member gives a head. */
  readonly winners: Int32Array;
  /** 1 where several heads, or several labels of the head chosen, have most votes. */
  readonly tied: Uint8Array;
  readonly ties: number;
}

const methods = {
  superparser: () => new Superparser(),
  'reparse-cle': createReparseCle,
  'reparse-eisner': createReparseEisner,
} as const satisfies Record<MethodName, () => Method>;

export const DEFAULT_METHOD = 'reparse-cle';

/** Combines the trees of several parsers, whether well-formed or not, into one tree per sentence. */
export class Vote {
  readonly name: MethodName;
  readonly calibration: CalibrationData | undefined;
  private readonly method: Method;
  private readonly singleRoot: boolean | undefined;
  private readonly calibrated: Calibration | undefined;
  private readonly poll = new Poll();

  /** @throws UsageError without a weighting, and for an unknown method or option */
  constructor(
    readonly weighting: Weighting,
    options: VoteOptions = {},
  ) {
    checkWeighting(weighting);
    checkFields('Vote', options, voteFields);
    const { method = DEFAULT_METHOD, singleRoot, calibration } = options;
    checkName('method', method, methodNames);
    this.name = method;
    this.method = methods[method]();
    this.singleRoot = singleRoot;
    this.calibration = calibration;
    this.calibrated = calibration && new Calibration(calibration);
  }

  /** @throws UsageError unless the weighting has this number of members */
  checkMembers(count: number): void {
    const { length } = this.weighting.standing;
    if (count !== length) throw new UsageError(`the number of weights is ${length}, of members ${count}`);
  }

  /** Options for parsing with a member: with its probable arcs if it votes softly. */
  parsing(member: number): { readonly arcs: boolean } {
    return { arcs: this.weighting.soft?.[member] ?? false };
  }

  /**
   * Votes on a sentence. Labels are voted for by the members that give the head chosen, or else by all.
   *
   * @param poll is filled with the votes, for callers that inspect them
   * @throws InputError for a sentence that is too long for the method
   * @throws UsageError for more or fewer trees than members, and for one of another length than the sentence or with a head
   * beyond it
   */
  decide(ballot: Ballot, poll: Poll = this.poll): Decision {
    this.checkMembers(ballot.trees.length);
    for (const tree of ballot.trees) checkArcs(tree, ballot.sentence.length);
    const tree = this.treeOf(ballot, this.weighting, poll);
    const { heads } = tree;
    const confidences = Float64Array.from(heads, (head, d) => (d === 0 ? 0 : poll.share(d, head)));
    this.calibrated?.apply(confidences);
    const winners = Int32Array.from(heads, (_, d) => {
      const winner = d === 0 ? -1 : poll.winner(d);
      return winner < 0 ? -1 : poll.heads[winner];
    });
    const tied = Uint8Array.from(heads, (head, d) => Number(d > 0 && poll.isTied(d, head)));
    return { tree, confidences, winners, tied, ties: tied.reduce((sum, one) => sum + one, 0) };
  }

  /** The tree of `decide` alone, by the vote's own weighting or another. */
  treeOf(ballot: Ballot, weighting: Weighting = this.weighting, poll: Poll = this.poll): DependencyTree {
    const { method } = this;
    this.checkLength(ballot.sentence);
    poll.collect(ballot, weighting);
    weighting.weigh(ballot, poll);
    poll.count(weighting.isSum ? method.counting : 'arcs');
    const heads = new Int32Array(poll.n + 1);
    method.solve(poll, this.singleRoot ?? mostHaveOneRoot(ballot, weighting), heads);
    const labels = Array.from(heads, (head, d) => (d === 0 ? '' : poll.label(d, head)));
    return { heads, labels };
  }

  isSlowOn({ length }: Sentence): boolean {
    return this.method.limits !== undefined && length >= this.method.limits.slow;
  }

  private checkLength({ length, source }: Sentence): void {
    const { limits } = this.method;
    if (limits === undefined || length <= limits.most) return;
    const place = { file: source?.file, line: source?.line };
    const limit = `${this.name} takes at most ${limits.most}, as its time is cubic; reparse-cle has no limit`;
    throw new InputError(`${length} tokens: ${limit}`, place);
  }
}

/** Whether at least half of the members that have any weight have exactly one root in this sentence. */
function mostHaveOneRoot({ trees, sentence: { length } }: Ballot, { order, standing }: Weighting): boolean {
  let single = 0;
  let voters = 0;
  for (const m of order) {
    if (standing[m] === 0) continue;
    voters++;
    const { heads } = trees[m];
    let roots = 0;
    for (let d = 1; d <= length; d++) if (heads[d] === 0) roots++;
    if (roots === 1) single++;
  }
  return 2 * single >= voters;
}
