import type { JobContext } from './context.ts';
import type { CellResult } from './job.ts';
import { trainAndParse } from './parser-job.ts';
import { phraseScores } from './phrase-scores.ts';
import { scoresByRule } from './rule-scores.ts';
import { writeTrees } from './trees.ts';
import { voteOverTrees } from './vote-job.ts';

/**
 * Does the job of that name, in this process: trains and parses, or votes, and scores. Its trees and its
 * result are then in the cache.
 *
 * @throws InputError where a file is not what it was when the job was written
 */
export async function runJob(name: string, context: JobContext): Promise<CellResult> {
  const { cache } = context;
  const job = await cache.job(name);
  const { trees, ...measured } =
    job.kind === 'vote' ? await voteOverTrees(job, cache) : await trainAndParse(job, context);
  await writeTrees(trees, cache.treesFile(name));
  const { gold, phrases } = trees;
  const result: CellResult = {
    job,
    ...measured,
    test: { sentences: gold.length, tokens: gold.reduce((sum, { length }) => sum + length, 0) },
    scores: await scoresByRule(trees),
    ...(phrases && { phrases: await phraseScores(phrases) }),
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
  await cache.writeResult(name, result);
  return result;
}
