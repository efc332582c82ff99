import { InputError } from '../../src/errors.ts';
import { Calibration, type CalibrationData } from '../../src/learn/calibration.ts';
import type { DependencyTree, Sentence } from '../../src/treebank/sentence.ts';
import type { MethodName } from '../names.ts';
import type { Ballot } from './ballots.ts';
import { type Method, Poll } from './poll.ts';
import { createReparseCle, createReparseEisner } from './reparse.ts';
import { createSuperparser } from './superparser.ts';
import type { Weighting } from './weights/weighting.ts';

export interface VoteOptions {
  /** How a tree is made of votes; default: `reparse-cle`. */
  readonly method?: MethodName | undefined;
  /** Exactly one token hangs on the root. By default sentence by sentence, as most members have it. */
  readonly singleRoot?: boolean | undefined;
  /** What makes probabilities of shares of votes (`calibrateVote`). */
  readonly calibration?: CalibrationData | undefined;
}

/** Makes one tree of several parsers' answers, whatever these are: always a tree. */
export class Vote {
  /** The votes on the sentence decided last. */
  readonly poll = new Poll();
  readonly weighting: Weighting;
  /** That of its method. */
  readonly name: MethodName;
  private readonly method: Method;
  private readonly singleRoot: boolean | undefined;
  private last: DependencyTree = { heads: new Int32Array(1), labels: [''] };
  readonly calibration: CalibrationData | undefined;
  private readonly calibrated: Calibration | undefined;

  constructor(weighting: Weighting, { method = DEFAULT_METHOD, singleRoot, calibration }: VoteOptions = {}) {
    this.weighting = weighting;
    this.name = method;
    this.method = methods[method]();
    this.singleRoot = singleRoot;
    this.calibration = calibration;
    this.calibrated = calibration && new Calibration(calibration);
  }

  /**
   * Labels are voted for, too: by the members that give the head that was chosen, or else by all.
   *
   * @param weighting another one than the vote's own
   * @throws InputError for a sentence that is too long for the method
   */
  decide(ballot: Ballot, weighting = this.weighting): DependencyTree {
    const { poll, method } = this;
    this.checkLength(ballot.sentence);
    poll.collect(ballot, weighting);
    weighting.weigh(ballot, poll);
    poll.count(weighting.isSum ? method.counting : 'arcs');
    const heads = new Int32Array(poll.n + 1);
    method.solve(poll, this.singleRoot ?? mostHaveOneRoot(ballot, weighting.order), heads);
    const labels = Array.from(heads, (head, d) => (d === 0 ? '' : poll.label(d, head)));
    this.last = { heads, labels };
    return this.last;
  }

  /** Whether a sentence takes the method long. */
  isSlowOn({ length }: Sentence): boolean {
    return this.method.limits !== undefined && length >= this.method.limits.slow;
  }

  private checkLength({ length, source }: Sentence): void {
    const { limits } = this.method;
    if (limits === undefined || length <= limits.most) return;
    const place = { file: source?.file, line: source?.line };
    const most = `${this.name} takes ${limits.most} at most: its time grows with their cube`;
    throw new InputError(`${length} tokens; ${most}. reparse-cle takes any number`, place);
  }

  /** The tree of the sentence decided last. */
  get decided(): DependencyTree {
    return this.last;
  }

  /**
   * Of the sentence decided last: how probable it is that the head of each token, from 1 on, is right; where the vote
   * has not been calibrated, the share of votes for that head.
   */
  confidences(): Float64Array {
    const { poll, calibrated } = this;
    const { heads } = this.last;
    const confidences = Float64Array.from(heads, (head, d) => (d === 0 ? 0 : poll.share(d, head)));
    calibrated?.apply(confidences);
    return confidences;
  }

  /** Tokens of the sentence decided last for whose head, or its label, several answers had most votes. */
  get ties(): number {
    const { poll } = this;
    const { heads } = this.last;
    let ties = 0;
    for (let d = 1; d <= poll.n; d++) if (poll.isTied(d, heads[d])) ties++;
    return ties;
  }
}

/** Whether at least half of the members have exactly one root in this sentence. */
function mostHaveOneRoot({ trees, sentence: { length } }: Ballot, members: readonly number[]): boolean {
  let single = 0;
  for (const m of members) {
    const { heads } = trees[m];
    let roots = 0;
    for (let d = 1; d <= length; d++) if (heads[d] === 0) roots++;
    if (roots === 1) single++;
  }
  return 2 * single >= members.length;
}

/** The methods by name. */
const methods = {
  superparser: createSuperparser,
  'reparse-cle': createReparseCle,
  'reparse-eisner': createReparseEisner,
} as const satisfies Record<MethodName, () => Method>;

/** What is done where nothing is asked for. */
export const DEFAULT_METHOD = 'reparse-cle';
