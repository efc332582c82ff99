import { isRightIn } from '../src/evaluate/attachment/column-counts.ts';
import { ConfidenceSample } from '../src/learn/calibration.ts';
import { ModelReader } from '../src/model/model-reader.ts';
import { ModelWriter, modelBytes } from '../src/model/model-writer.ts';
import { confidenceIn } from '../src/treebank/columns/confidence.ts';
import { columnOf, type Sentence, type Treebank } from '../src/treebank/sentence.ts';
import { inText, surfaceTokens } from '../src/treebank/surface.ts';
import type { Annotator, ColumnAnnotator, Tokenizer } from './annotator.ts';
import { annotated } from './jackknife/fold.ts';
import { fillsColumns, isTokenizer, openAnnotator } from './registry.ts';
import { retokenize } from './tokenizer/training/paragraphs.ts';

/** Maximum number of held-out tokens used. */
const MOST_TOKENS = 30_000;

/** Calibrates an annotator's confidences on held-out sentences; a tokenizer's on their raw text. */
export async function calibrate(annotator: Annotator, heldOut: Treebank, signal: AbortSignal | undefined) {
  const sample = new ConfidenceSample();
  annotator.calibration = undefined;
  if (isTokenizer(annotator)) await addTokens(sample, annotator, heldOut, signal);
  if (fillsColumns(annotator)) {
    for await (const sentence of heldOut) {
      signal?.throwIfAborted();
      addWords(sample, annotator, sentence);
      if (sample.size >= MOST_TOKENS) break;
    }
  }
  annotator.calibration = sample.fit();
}

/** Calibrates the models of annotators that are not calibrated yet, on columns predicted by the models before them. */
export async function calibratedModels(
  models: readonly ModelReader[],
  heldOut: Treebank,
  signal: AbortSignal | undefined,
): Promise<ModelReader[]> {
  const before: ColumnAnnotator[] = [];
  const calibrated: ModelReader[] = [];
  for (const model of models) {
    const annotator = await openAnnotator(model);
    if (annotator.calibration === undefined) await calibrate(annotator, annotated(heldOut, before), signal);
    if (fillsColumns(annotator)) before.push(annotator);
    const writer = new ModelWriter();
    writer.copy(model);
    writer.header.calibration = annotator.calibration?.data;
    calibrated.push(ModelReader.fromBuffer(modelBytes(writer), model.name));
  }
  return calibrated;
}

function addWords(sample: ConfidenceSample, annotator: ColumnAnnotator, gold: Sentence): void {
  const confidences = annotator.confidences?.(gold);
  if (confidences === undefined) return;
  const found = annotator.annotate(gold);
  for (let d = 1; d <= gold.length; d++) {
    const isRight = annotator.writes.every((column) =>
      isRightIn(column, columnOf(gold, column)[d], found[column]![d]),
    );
    sample.add(confidences[d], isRight);
  }
}

/** A token is right if gold has the same token, and both or neither end their sentence. */
async function addTokens(
  sample: ConfidenceSample,
  tokenizer: Tokenizer,
  heldOut: Treebank,
  signal: AbortSignal | undefined,
): Promise<void> {
  const gold = new Map<number, number>();
  for await (const { start, end } of spansOf(heldOut)) gold.set(start, end);
  for await (const { start, end, misc } of spansOf(retokenize(tokenizer, heldOut, { confidence: true }))) {
    signal?.throwIfAborted();
    sample.add(confidenceIn(misc, 'tokens') ?? 1, gold.get(start) === end);
    if (sample.size >= MOST_TOKENS) break;
  }
}

/** The offsets of tokens in the text without white space; the end is negated for the last token of a sentence. */
async function* spansOf(sentences: AsyncIterable<Sentence>) {
  let start = 0;
  for await (const sentence of sentences) {
    for (const { form, last, misc } of surfaceTokens(sentence)) {
      const end = start + inText(form, misc).replace(/\s/g, '').length;
      yield { start, end: last === sentence.length ? -end : end, misc };
      start = end;
    }
  }
}
