import { OptionError } from '../errors.ts';
import type { GivenFile } from '../files/given-file.ts';
import { readVectors } from '../learn/vectors/read-vectors.ts';
import { MOST_WORDS, type VectorTable } from '../learn/vectors/vector-table.ts';
import { givenFileOption, whole } from './options.ts';
import type { TrainingRun } from './training-run.ts';

const DEFAULT_LIMIT = 200_000;

/** Options of trainings that can read word vectors. */
export const vectorOptions = {
  vectors: givenFileOption(
    'word vectors (of train vectors, or GloVe, word2vec, fastText .vec; maybe gzip), which are copied into the model',
  ),
  vectorsLimit: whole(1, MOST_WORDS)
    .optional()
    .describe(`maximum number of words read from the beginning of that file (default: ${DEFAULT_LIMIT})`),
};

export interface VectorOptions {
  readonly vectors?: GivenFile | undefined;
  readonly vectorsLimit?: number | undefined;
}

/** Reads the vectors that options name; undefined if they name none. */
export async function vectorsOf({ vectors, vectorsLimit }: VectorOptions): Promise<VectorTable | undefined> {
  if (vectors === undefined && vectorsLimit !== undefined) {
    throw new OptionError(
      (option) => `${option('vectorsLimit', vectorsLimit)} goes with ${option('vectors')}`,
    );
  }
  return vectors === undefined ? undefined : readVectors(vectors.path, vectorsLimit ?? DEFAULT_LIMIT);
}

/** Minimum share of a treebank's words with a vector; below it, the vectors are probably of another language. */
const LEAST_COVERAGE = 0.2;

/** Reports the share of a treebank's distinct words that have a vector; warns if it is small. */
export function reportCoverage(
  vectors: VectorTable,
  forms: Iterable<string>,
  run: Pick<TrainingRun, 'onNotice' | 'onWarning'>,
): void {
  let [known, all] = [0, 0];
  for (const form of forms) {
    if (form === '') continue;
    all++;
    if (vectors.has(form)) known++;
  }
  const share = `${Math.floor((100 * known) / all)}% of the treebank’s ${all} different words have vectors`;
  if (known < LEAST_COVERAGE * all) run.onWarning?.(`${share}: are they of another language?`);
  else run.onNotice?.(share);
}
