import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { SettledPairs } from '../tokens/settled-pairs.ts';
import { SpanTable } from './span-table.ts';

/** What is known where tokens are found as the best way to cut a text. */
export interface Segmentation {
  readonly spans: SpanTable;
  /** Pairs of kinds of characters between which there is nothing to decide. */
  readonly settledKinds: SettledPairs;
}

const SETTLED_KINDS = 'tokenizer.settledKinds';

export function isSegmented(model: ModelReader): boolean {
  return model.has(SETTLED_KINDS);
}

export function loadSegmentation(model: ModelReader): Segmentation {
  return { spans: SpanTable.load(model), settledKinds: SettledPairs.load(model, SETTLED_KINDS) };
}

export function saveSegmentation({ spans, settledKinds }: Segmentation, model: ModelWriter): void {
  spans.save(model);
  settledKinds.save(model, SETTLED_KINDS);
}
