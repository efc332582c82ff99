import { sentenceRows } from '../../src/evaluate/lock-step.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { FileJob } from './job.ts';
import { openSelection } from './selection.ts';
import type { JobOutput, PhrasePair } from './trees.ts';

/**
 * The trees that another program has found, as its file has them, with its tags and lemmas. Throws what
 * `openSelection` throws, and `InputError` where its sentences are not those that are scored.
 */
export async function treesOfFile(job: FileJob): Promise<JobOutput> {
  const test = await openSelection(job.test);
  const gold: Sentence[] = [];
  const predicted: Sentence[] = [];
  const phrases: PhrasePair[] = [];
  for await (const { sentences } of sentenceRows([test, await openSelection(job.trees)])) {
    const [own, { lemmas, upos, xpos, feats, heads, labels, phrases: tree }] = sentences;
    gold.push(own);
    predicted.push({ ...own, lemmas, upos, xpos, feats, heads, labels });
    if (own.phrases && tree) phrases.push({ gold: own.phrases, predicted: tree });
  }
  const { format } = test;
  return {
    trees: { gold, predicted, phrases: phrases.length > 0 ? phrases : undefined, format },
    ...{ seconds: 0, parseSeconds: 0, notices: [] },
  };
}
