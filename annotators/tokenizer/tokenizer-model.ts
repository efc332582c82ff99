import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { loadWeights, saveWeights, type Weights } from './decisions.ts';
import {
  isSegmented,
  loadSegmentation,
  type Segmentation,
  saveSegmentation,
} from './segments/segmentation.ts';
import { SettledPairs } from './tokens/settled-pairs.ts';
import { WordTable } from './word-table.ts';
import { SplitRules } from './words/split-rules.ts';

const SETTLED = 'tokenizer.settled';

/** All that a tokenizer has learnt. */
export interface TokenizerModel {
  readonly weights: Weights;
  readonly words: WordTable;
  readonly settled: SettledPairs;
  readonly splits: SplitRules;
  /** Tokens may have blanks inside. */
  readonly hasBlanks: boolean;
  /** Most tokens have no blank after them. */
  readonly isDense: boolean;
  /** There where tokens are found as the best way to cut a text, and not one by one. */
  readonly segmentation?: Segmentation | undefined;
}

export function saveModel(model: TokenizerModel, file: ModelWriter): void {
  const { weights, words, settled, splits, hasBlanks, isDense, segmentation } = model;
  file.header.tokenizer = { hasBlanks, isDense, splits: splits.rules };
  words.save(file);
  settled.save(file, SETTLED);
  saveWeights(weights, file);
  if (segmentation !== undefined) saveSegmentation(segmentation, file);
}

/** Throws `InputError` where the file holds no tokenizer. */
export function loadModel(file: ModelReader): TokenizerModel {
  const fields = file.fields('tokenizer');
  const isDense = fields.flag('isDense');
  return {
    weights: loadWeights(file),
    words: WordTable.load(file),
    settled: SettledPairs.load(file, SETTLED),
    splits: SplitRules.load(file),
    hasBlanks: fields.flag('hasBlanks'),
    isDense,
    segmentation: isDense || isSegmented(file) ? loadSegmentation(file) : undefined,
  };
}
