import type { JobContext } from './context.ts';
import type { CellResult, Job } from './job.ts';
import { phraseScores } from './phrase-scores.ts';
import { checkProgram } from './program.ts';
import { scoresByRule } from './rule-scores.ts';
import { type JobOutput, writeTrees } from './trees.ts';

/**
 * Does the job of that name, in this process: trains and parses, or votes, and scores. Its trees and its
 * result are then in the cache.
 *
 * @throws InputError where a file, or the program, is not what it was when the job was written
 */
export async function runJob(name: string, context: JobContext): Promise<CellResult> {
  const { cache } = context;
  const job = await cache.job(name);
  checkProgram(job);
  const { trees, ...measured } = await work(job, context);
  await writeTrees(trees, cache.treesFile(name));
  const { gold, phrases } = trees;
  return cache.writeResult(name, {
    job,
    ...measured,
    test: { sentences: gold.length, tokens: gold.reduce((sum, { length }) => sum + length, 0) },
    scores: await scoresByRule(trees),
    ...(phrases && { phrases: await phraseScores(phrases) }),
    peakMemory: process.resourceUsage().maxRSS * 1024,
  });
}

/** Loads what a job of this kind needs, and no more: the code of the other kind is none of its own. */
async function work(job: Job, context: JobContext): Promise<JobOutput> {
  if (job.kind === 'vote') return (await import('./vote-job.ts')).voteOverTrees(job, context.cache);
  return (await import('./parser-job.ts')).trainAndParse(job, context);
}
