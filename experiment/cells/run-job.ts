import { join } from 'node:path';
import { findParadigm } from '../../parsers/registry.ts';
import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import type { FileJob, Job, ParserJob } from '../jobs/job.ts';
import type { JobResult } from '../jobs/job-result.ts';
import { checkProgram } from '../jobs/program.ts';
import { openSelection } from '../jobs/selection.ts';
import type { JobContext, JobOutput } from './job-output.ts';
import { CollectedTrees, phraseScores, scoresByRule, tagScores, writeTrees } from './job-output.ts';

/** Runs a cached job in this process and caches its output; throws `InputError` if files or the program have changed. */
export async function runJob(name: string, context: JobContext): Promise<JobResult> {
  const { cache } = context;
  const job = await cache.job(name);
  checkProgram(job);
  const { trees, ...measured } = await outputOf(job, context);
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

/** Imports only the code for this kind of job: other kinds' code is not part of its program's digest. */
async function outputOf(job: Job, context: JobContext): Promise<JobOutput> {
  switch (job.kind) {
    case 'file':
      return treesOfFile(job);
    case 'vote':
      return (await import('./vote-job.ts')).voteOverTrees(job, context.cache);
    case 'tagging':
      return (await import('./tagging-job.ts')).tagSentences(job, context);
    case 'parser':
      return trainParserOf(job, context);
  }
}

/** Trains the parser, with its guides if there are any. Guides and their folds are cached and shared between cells. */
async function trainParserOf(job: ParserJob, context: JobContext): Promise<JobOutput> {
  const { trainAndParse } = await import('./parser-job.ts');
  const { stacking } = job;
  if (stacking === undefined) return trainAndParse(job, context);
  const { trainStacked } = await import('../../combine/stack/train-stacked.ts');
  const store = join(context.cache.folder, 'guides');
  return trainAndParse(job, context, async (paradigm, treebank, options) =>
    trainStacked(await findParadigm(paradigm), treebank, { ...options, stacking, store }),
  );
}

/** Reads another program's output; throws `InputError` if its sentences are not the test sentences. */
async function treesOfFile(job: FileJob): Promise<JobOutput> {
  const test = await openSelection(job.test);
  const trees = new CollectedTrees(test.format);
  for await (const { sentences } of sentenceRows([test, await openSelection(job.trees)])) {
    const [gold, { lemmas, upos, xpos, feats, heads, labels, phrases }] = sentences;
    trees.add(gold, { ...gold, lemmas, upos, xpos, feats, heads, labels }, phrases);
  }
  return { trees, seconds: 0, parseSeconds: 0, notices: [] };
}
