import { decoders } from '../../../src/decode/registry.ts';
import { type ColumnEncoder, type EncodedColumn, valueCounts } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import { type Example, encodeTreebank, numberingOf } from '../../../src/training/examples.ts';
import { buildableExamples } from '../../../src/training/projective-examples.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { columnsOver, OPEN_COLUMNS } from '../inputs/columns.ts';
import { learningOf, type NetworkLearning, type NetworkOptions } from '../options.ts';
import type { NetworkSettings } from '../settings.ts';

/** What a network learns from, and how. */
export interface NetworkTrainingData {
  readonly settings: NetworkSettings;
  readonly numbering: Numbering;
  readonly examples: readonly Example[];
  readonly learning: NetworkLearning;
}

/** Numbers the sentences of a treebank, and decides what the options left to the data. */
export async function readTrainingData(
  treebank: Treebank,
  options: NetworkOptions,
  run: TrainingRun,
): Promise<NetworkTrainingData> {
  const { decoder, layers, units, normalize, maxLength } = options;
  const encoded = await encodeTreebank(treebank, columnsOver, { ...options, stem: 'none' }, run);
  const { encoder, tags, singleRoot } = encoded;
  for (const name of OPEN_COLUMNS) forgetRare(name, encoder, encoded.examples);
  const columns = columnsOver(tags).filter((name) => encoder.isFilled(name));
  const isProjective = decoders[decoder]({ singleRoot }).isProjective;
  const buildable = buildableExamples(encoded, isProjective, { pseudoProjective: 'none' }, run);
  const { examples } = buildable;
  const settings: NetworkSettings = {
    ...{ decoder, tags, normalize, stem: 'none', singleRoot, maxLength, columns, layers, units },
  };
  const tokens = examples.reduce((sum, { length }) => sum + length, 0);
  const learning = learningOf(options, tokens);
  return { settings, numbering: numberingOf(encoded, buildable), examples, learning };
}

/** Makes all values of a column one that were seen but once: so there is something to learn of values never seen. */
function forgetRare(name: EncodedColumn, encoder: ColumnEncoder, examples: readonly Example[]): void {
  const column = encoder.names.indexOf(name);
  const counts = valueCounts(examples, column, encoder.vocabulary(column).size);
  encoder.keepMostFrequent(name, counts.filter((count) => count > 1).length, examples);
}
