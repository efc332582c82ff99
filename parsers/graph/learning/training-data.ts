import type { ColumnEncoder } from '../../../src/encoding/columns.ts';
import { type Example, encodeTreebank, isFilled, labelCandidates } from '../../../src/encoding/examples.ts';
import { UsageError } from '../../../src/errors.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { TrainingRun } from '../../parser.ts';
import { columnsInUse } from '../features/templates.ts';
import type { GraphModelParts } from '../graph-model.ts';
import { checkTogether, type GraphOptions } from '../options.ts';

/**
 * How many words are common: function words and punctuation marks, mostly. The exact number matters little.
 */
const COMMON_WORDS = 128;

export interface TrainingData extends GraphModelParts {
  readonly examples: readonly Example[];
}

/** Numbers the sentences of a treebank, and settles what the options left to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<TrainingData> {
  checkTogether(options);
  const columns = (tags: GraphModelParts['settings']['tags']) => columnsInUse({ ...options, tags });
  const encoded = await encodeTreebank(treebank, columns, options, run);
  const { encoder, labels, tags, singleRoot, examples } = encoded;
  encoder.keepMostFrequent('common', COMMON_WORDS, examples);
  const templates = templatesInUse(options.templates, encoder, treebank.name);
  const settings = { ...options, templates, tags, singleRoot };
  return { settings, encoder, labels, candidates: labelCandidates(encoded, examples), examples };
}

/** The template sets that have something to read. */
function templatesInUse(
  asked: GraphOptions['templates'],
  encoder: ColumnEncoder,
  file: string,
): GraphOptions['templates'] {
  const inUse = isFilled('feats', encoder) ? asked : asked.filter((set) => set !== 'morphology');
  if (inUse.length === 0)
    throw new UsageError(`--templates morphology: ${file} has no morphological features`);
  return inUse;
}
