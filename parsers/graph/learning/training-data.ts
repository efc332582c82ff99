import { createDecoder } from '../../../src/decode/registry.ts';
import { templatesInUse, withoutTitles } from '../../../src/encoding/templates/choice.ts';
import type { LearnerName } from '../../../src/learn/linear/learner.ts';
import { encodeTreebank, numberingOf } from '../../../src/training/examples.ts';
import { singleLearner } from '../../../src/training/options.ts';
import { buildableExamples } from '../../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { LinearTrainingData } from '../../linear-method.ts';
import { graphTemplates } from '../features/template-sets.ts';
import {
  arcNotation,
  columnsInUse,
  labelNotation,
  partNotations,
  partSectionNames,
} from '../features/templates.ts';
import { checkTogether, formDropoutOf, type GraphOptions } from '../options.ts';
import type { GraphSettings } from '../settings.ts';

/**
 * How many words are common: function words and punctuation marks, mostly. The exact number matters little.
 */
const COMMON_WORDS = 128;

/** How long the model of single arcs learns that chooses candidates: it need not be the best. */
const PRUNING_EPOCHS = 4;

/** How weights are learnt. */
export interface LearningSettings
  extends Pick<GraphOptions, 'epochs' | 'patience' | 'keep' | 'shuffle' | 'miraTrees' | 'bits'> {
  readonly learner: LearnerName;
  /** How many of the epochs, the first, are spent on the model of single arcs that chooses candidates. */
  readonly pruningEpochs?: number | undefined;
  /** See `FormDropout`; absent: none. */
  readonly formDropout?: number | undefined;
}

export type TrainingData = LinearTrainingData<GraphSettings, LearningSettings>;

/** Numbers the sentences of a treebank, and decides what the options left to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<TrainingData> {
  checkTogether(options);
  const { decoder, distance, normalize, stem, maxLength } = options;
  const { patience, keep, shuffle, miraTrees, bits } = options;
  const order = options.order === 1 ? undefined : options.order;
  const pruningEpochs = order && PRUNING_EPOCHS;
  const epochs = options.epochs + (pruningEpochs ?? 0);
  const learner = singleLearner(options);
  const formDropout = formDropoutOf(options) || undefined;
  const learning = {
    ...{ epochs, patience, keep, shuffle, miraTrees, bits, learner, pruningEpochs, formDropout },
  };
  const chosen = withoutTitles(graphTemplates.choose(options));
  const columns = (tags: readonly TagColumn[]) => columnsInUse(chosen, tags);
  const encoded = await encodeTreebank(treebank, columns, options, run);
  const { encoder, tags, singleRoot, examples, guides } = encoded;
  encoder.keepMostFrequent('common', COMMON_WORDS, examples);
  const readable = { encoder, tags, file: treebank.name };
  const inUse = (list: readonly string[], notation = arcNotation) =>
    templatesInUse(list, notation, readable, options.templates);
  const ofParts = partSectionNames
    .filter((name) => chosen[name].length > 0)
    .map((name) => [name, inUse(chosen[name], partNotations[name].notation)]);
  const templates = {
    arcs: inUse(chosen.arcs),
    labels: inUse(chosen.labels, labelNotation),
    ...Object.fromEntries(ofParts),
  };
  const settings = {
    ...{ decoder, order, templates, distance, tags, normalize, stem, singleRoot, maxLength },
    guides,
  };
  // What the decoder cannot give, learning would move the weights towards for ever.
  const { isProjective } = createDecoder(decoder, { singleRoot });
  const reachable = buildableExamples(encoded, isProjective, options, run);
  return { settings, numbering: numberingOf(encoded, reachable), learning, examples: reachable.examples };
}
