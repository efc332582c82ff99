import { createDecoder } from '../../../src/decode/registry.ts';
import { templatesInUse, withoutTitles } from '../../../src/encoding/templates/choice.ts';
import { overAttributes } from '../../../src/encoding/templates/notation.ts';
import type { LearnerName } from '../../../src/learn/linear/learner.ts';
import { withAttributes, withFineTags } from '../../../src/training/attributes.ts';
import { encodeTreebank, numberingOf, type SilverExamples } from '../../../src/training/examples.ts';
import { singleLearner } from '../../../src/training/options.ts';
import { buildableExamples } from '../../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import type { LinearTrainingData } from '../../linear-trainer.ts';
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

/** Number of words that count as common, mostly function words and punctuation; the exact number matters little. */
const COMMON_WORDS = 128;

/** Epochs for the model of single arcs that chooses candidates: it need not be the best. */
const PRUNING_EPOCHS = 4;

export interface LearningSettings
  extends Pick<GraphOptions, 'epochs' | 'patience' | 'keep' | 'shuffle' | 'miraTrees' | 'bits'> {
  readonly learner: LearnerName;
  readonly pruningEpochs?: number | undefined;
  readonly formDropout?: number | undefined;
  readonly silver?: SilverExamples | undefined;
}

export type GraphTrainingData = LinearTrainingData<GraphSettings, LearningSettings>;

export async function readTrainingData(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<GraphTrainingData> {
  checkTogether(options);
  const { decoder, distance, normalize, stem, maxLength } = options;
  const { patience, keep, shuffle, miraTrees, bits } = options;
  const order = options.order === 1 ? undefined : options.order;
  const pruningEpochs = order && PRUNING_EPOCHS;
  const epochs = options.epochs + (pruningEpochs ?? 0);
  const learner = singleLearner(options);
  const chosen = withoutTitles(graphTemplates.choose(options));
  const columns = (tags: readonly TagColumn[]) => columnsInUse(chosen, tags);
  const whole = await encodeTreebank(treebank, columns, options, run);
  const all = Object.values(chosen).flat();
  const fineTag = options.tag === undefined ? withFineTags(whole, all, run) : undefined;
  const { encoded, attributes } = withAttributes(whole, all);
  const formDropout = formDropoutOf(options, attributes) || undefined;
  const learning = {
    epochs,
    patience,
    keep,
    shuffle,
    miraTrees,
    bits,
    learner,
    pruningEpochs,
    formDropout,
    silver: encoded.silver,
  };
  const { encoder, tags, singleRoot, examples, guides } = encoded;
  encoder.keepMostFrequent('common', COMMON_WORDS, examples);
  const readable = { encoder, tags, file: treebank.name };
  const inUse = (list: readonly string[], notation = arcNotation) =>
    templatesInUse(overAttributes(list, attributes), notation, readable, options.templates);
  const ofParts = partSectionNames
    .filter((name) => chosen[name].length > 0)
    .map((name) => [name, inUse(chosen[name], partNotations[name].notation)]);
  const templates = {
    arcs: inUse(chosen.arcs),
    labels: inUse(chosen.labels, labelNotation),
    ...Object.fromEntries(ofParts),
  };
  const settings = {
    decoder,
    order,
    templates,
    distance,
    tags,
    fineTag,
    normalize,
    stem,
    singleRoot,
    maxLength,
    guides,
  };
  // Learning would move the weights towards trees that the decoder cannot find for ever.
  const { isProjective } = createDecoder(decoder, { singleRoot });
  const reachable = buildableExamples(encoded, isProjective, options, run);
  return { settings, numbering: numberingOf(encoded, reachable), learning, examples: reachable.examples };
}
