import type { MethodName } from '../../combine/names.ts';
import { type GoldBallot, goldBallots } from '../../combine/vote/ballots.ts';
import {
  flatAnswer,
  STANDARD_THRESHOLD,
  votedTree,
} from '../../combine/vote/constituents/constituent-vote.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { learnWeighting } from '../../combine/vote/weights/learn-weighting.ts';
import { equalWeighting, type Weighting } from '../../combine/vote/weights/weighting.ts';
import { InputError } from '../../src/errors.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import { dependenciesOfPhrases } from '../../src/treebank/phrases/dependencies.ts';
import type { DependencyTree, Sentence, Treebank } from '../../src/treebank/sentence.ts';
import type { VoteJob } from '../jobs/job.ts';
import { openSelection, type SelectedTreebank } from '../jobs/selection.ts';
import type { CellCache } from './cell-cache.ts';
import { CollectedTrees, type JobOutput, writtenPhrases } from './job-output.ts';

/** Combines the cached trees of other jobs by a vote. Its times are those of the members and its own. */
export async function voteOverTrees(job: VoteJob, cache: CellCache): Promise<JobOutput> {
  const test = await openSelection(job.test);
  const { method } = job.vote;
  const output =
    method === 'constituents'
      ? await voteOverPhrases(test, job, cache)
      : await voteOverArcs(test, method, job, cache);
  const members = await Promise.all(job.members.map((name) => cache.result(name)));
  const total = (time: 'seconds' | 'parseSeconds') =>
    members.reduce((sum, member) => sum + (member?.[time] ?? Number.NaN), output[time]);
  return { ...output, seconds: total('seconds'), parseSeconds: total('parseSeconds') };
}

async function voteOverArcs(
  test: SelectedTreebank,
  method: MethodName | 'oracle',
  job: VoteJob,
  cache: CellCache,
): Promise<JobOutput> {
  const trees = new CollectedTrees(test.format);
  const started = performance.now();
  const decide = await decider(method, job, cache);
  const fitted = performance.now();
  for await (const ballot of ballotsOver(test, job.members, cache))
    trees.add(ballot.gold, { ...ballot.sentence, ...decide(ballot) });
  const [seconds, parseSeconds] = [fitted - started, performance.now() - fitted].map((ms) => ms / 1000);
  return { trees, seconds, parseSeconds, notices: [] };
}

/** Votes on constituents; arcs are derived from the elected trees by head rules. */
async function voteOverPhrases(test: SelectedTreebank, job: VoteJob, cache: CellCache): Promise<JobOutput> {
  const members = await Promise.all(job.members.map((member) => cache.openTrees(member)));
  const weighting = { weights: members.map(() => 1), threshold: STANDARD_THRESHOLD };
  const trees = new CollectedTrees(test.format);
  const started = performance.now();
  for await (const { sentences } of sentenceRows([test, ...members])) {
    const [gold, ...parsed] = sentences;
    const phrases = parsed.map(writtenPhrases).filter((tree) => tree !== undefined);
    if (!gold.phrases || phrases.length < parsed.length) {
      throw new InputError('a vote on constituents needs phrases of the treebank and of all members', {
        file: test.name,
      });
    }
    const elected = votedTree({ answers: phrases.map(flatAnswer) }, weighting);
    // Tags and lemmas are the first member's, as in a vote on arcs.
    const { lemmas, upos, xpos, feats } = parsed[0];
    const { heads, labels } = dependenciesOfPhrases(elected);
    trees.add(gold, { ...gold, lemmas, upos, xpos, feats, heads, labels }, elected);
  }
  const parseSeconds = (performance.now() - started) / 1000;
  return { trees, seconds: 0, parseSeconds, notices: [] };
}

/** Returns the function that decides about a ballot: a vote, or the oracle. */
async function decider(method: MethodName | 'oracle', job: VoteJob, cache: CellCache) {
  if (method === 'oracle') return ({ gold, trees }: GoldBallot) => oracleTree(gold, trees);
  const vote = new Vote(await weighting(job, cache), { method });
  return (ballot: GoldBallot) => vote.treeOf(ballot);
}

async function weighting({ vote, setAside, members }: VoteJob, cache: CellCache): Promise<Weighting> {
  if (setAside === undefined) return equalWeighting(members.length);
  const gold = await openSelection(setAside.test);
  const known: GoldBallot[] = [];
  for await (const ballot of ballotsOver(gold, setAside.members, cache)) known.push(ballot);
  return learnWeighting(vote.weights, known);
}

async function* ballotsOver(gold: Treebank, jobs: readonly string[], cache: CellCache) {
  yield* goldBallots(gold, await Promise.all(jobs.map((job) => cache.openTrees(job))));
}

/**
 * The upper bound of any vote: for each token the correct head and label if some member has both, else the correct head if
 * some member has it. The arcs need not form a tree.
 */
export function oracleTree(gold: Sentence, members: readonly DependencyTree[]): DependencyTree {
  const heads = new Int32Array(gold.length + 1).fill(-1);
  const labels = [''];
  for (let d = 1; d <= gold.length; d++) {
    const withHead = members.filter((member) => member.heads[d] === gold.heads[d]);
    const best = withHead.find((member) => member.labels[d] === gold.labels[d]) ?? withHead[0] ?? members[0];
    heads[d] = best.heads[d];
    labels.push(best.labels[d]);
  }
  return { heads, labels };
}
