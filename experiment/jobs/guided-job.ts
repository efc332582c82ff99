import { join } from 'node:path';
import { trainStacked } from '../../combine/stack/train-stacked.ts';
import type { JobContext } from './context.ts';
import type { ParserJob } from './job.ts';
import { trainAndParse } from './parser-job.ts';

/**
 * Trains a parser that is guided by others, and parses with it, as `trainAndParse` does. Guides and their folds are
 * kept in the cache: cells that have the same ones share them.
 */
export function trainGuidedAndParse(job: ParserJob, context: JobContext): ReturnType<typeof trainAndParse> {
  const store = join(context.cache.folder, 'guides');
  return trainAndParse(job, context, (paradigm, treebank, options) =>
    trainStacked(paradigm, treebank, { ...options, stacking: job.stacking, store }),
  );
}
