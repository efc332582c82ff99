import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { SpanTable } from './segments/span-table.ts';
import { type Habits, SettledPairs } from './settled-pairs.ts';
import { SplitRules } from './split-rules.ts';
import { WordTable } from './word-table.ts';

const SETTLED = 'tokenizer.settled';
const SETTLED_KINDS = 'tokenizer.settledKinds';

export interface TokenizerModel extends Habits {
  readonly weights: Weights;
  readonly words: WordTable;
  readonly splits: SplitRules;
  /** Most tokens have no blank after them. */
  readonly isDense: boolean;
  /** Only where tokens are found by segmenting a whole text (`Segmenter`), not one by one. */
  readonly segmentation?: Segmentation | undefined;
}

export function saveModel(model: TokenizerModel, file: ModelWriter): void {
  const { weights, words, settled, splits, hasBlanks, isDense, segmentation } = model;
  file.header.tokenizer = { hasBlanks, isDense, splits: splits.rules };
  words.save(file);
  settled.save(file, SETTLED);
  for (const question of questions) file.section(section(question), weights[question]);
  segmentation?.spans.save(file);
  segmentation?.settledKinds.save(file, SETTLED_KINDS);
}

/** Throws `InputError` if the file holds no tokenizer. */
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
    segmentation: isDense || file.has(SETTLED_KINDS) ? loadSegmentation(file) : undefined,
  };
}

/** The binary decisions: does a token end here, does a sentence end here, does a rule split this token? */
export const questions = ['tokens', 'sentences', 'splits'] as const;
export type Question = (typeof questions)[number];

type Weights = Readonly<Record<Question, Int16Array>>;

/** Throws `InputError` if the number of weights is not a power of two. */
function loadWeights(model: ModelReader): Weights {
  const entries = questions.map((question) => {
    return [question, model.section(section(question), 'int16', { isHashed: true })];
  });
  return Object.fromEntries(entries) as Record<Question, Int16Array>;
}

function section(question: Question): string {
  return `tokenizer.weights.${question}`;
}

export interface Segmentation {
  readonly spans: SpanTable;
  readonly settledKinds: SettledPairs;
}

function loadSegmentation(model: ModelReader): Segmentation {
  return { spans: SpanTable.load(model), settledKinds: SettledPairs.load(model, SETTLED_KINDS) };
}
