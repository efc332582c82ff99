import type { JobContext } from './context.ts';
import type { Job } from './job.ts';
import type { JobResult } from './job-result.ts';
import { phraseScores } from './phrase-scores.ts';
import { checkProgram } from './program.ts';
import { scoresByRule } from './rule-scores.ts';
import { tagScores } from './tag-scores.ts';
import { type JobOutput, writeTrees } from './trees.ts';

/**
 * Does the job of that name, in this process: trains and parses, or tags, or votes, and scores. Its sentences and
 * its result are then in the cache.
 *
 * @throws InputError where a file, or the program, is not what it was when the job was written
 */
export async function runJob(name: string, context: JobContext): Promise<JobResult> {
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
    tags: tagScores(trees),
    ...(job.kind !== 'tagging' && { scores: await scoresByRule(trees) }),
    ...(phrases && { phrases: await phraseScores(phrases) }),
    peakMemory: process.resourceUsage().maxRSS * 1024,
  });
}

/** Loads what a job of this kind needs, and no more: the code of other kinds is none of its own. */
async function work(job: Job, context: JobContext): Promise<JobOutput> {
  if (job.kind === 'vote') return (await import('./vote-job.ts')).voteOverTrees(job, context.cache);
  if (job.kind === 'file') return (await import('./file-job.ts')).treesOfFile(job);
  if (job.kind === 'tagging') return (await import('./tagging-job.ts')).tagSentences(job, context);
  if (job.stacking !== undefined) return (await import('./guided-job.ts')).trainGuidedAndParse(job, context);
  return (await import('./parser-job.ts')).trainAndParse(job, context);
}
