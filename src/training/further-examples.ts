import { digestOf } from '../digest.ts';
import type { Numbering } from '../encoding/numbering.ts';
import type { Treebank } from '../treebank/sentence.ts';
import type { EncodedTreebank, Example, FurtherReading } from './examples.ts';
import { encodeFurther, sentences } from './examples.ts';
import { buildableExamples } from './projective-examples.ts';
import type { TrainingRun } from './training-run.ts';

/**
 * Encodes the sentences for further training of a model; extends its vocabularies, and returns the extended labels.
 *
 * @param reading `isProjective`: whether the trees are made projective
 */
export async function furtherExamples(
  treebank: Treebank,
  numbering: Pick<Numbering, 'encoder' | 'labels'>,
  reading: FurtherReading & { readonly isProjective: boolean },
  run: TrainingRun,
): Promise<Pick<EncodedTreebank, 'examples' | 'labels'>> {
  const encoded = await encodeFurther(treebank, numbering, reading, run);
  const found = buildableExamples(encoded, reading.isProjective, { pseudoProjective: 'none' }, run);
  const added = found.labels.length - numbering.labels.length;
  const from = run.from?.model.name;
  run.onNotice?.(`continues from ${from}: ${sentences(found.examples.length)}, ${added} new labels`);
  return found;
}

/** Extends a trained model's numbering by new labels, and by the label candidates of further examples. */
export function grownNumbering(
  { encoder, candidates }: Numbering,
  labels: readonly string[],
  examples: readonly Example[],
): Numbering {
  return { encoder, labels, candidates: candidates.extended(encoder, labels.length).addTrees(examples) };
}

/** The model and replayed treebank of further training, for its fingerprint. */
export function originOf({ from }: TrainingRun): unknown[] {
  if (from === undefined) return [];
  const { model, replay } = from;
  const digest = digestOf([new Uint8Array(model.buffer)]);
  return [digest, replay?.treebank.digest, replay?.share];
}
