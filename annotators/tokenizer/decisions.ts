import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

/** The questions that are answered one by one: does a token end here, a sentence, does a rule split this token? */
export const questions = ['tokens', 'sentences', 'splits'] as const;
export type Question = (typeof questions)[number];

/** Of each question a vector of weights. */
export type Weights = Readonly<Record<Question, Int16Array>>;

export function saveWeights(weights: Weights, model: ModelWriter): void {
  for (const question of questions) model.section(section(question), weights[question]);
}

/** Throws `InputError` where the weights of a question are not as many as a power of two. */
export function loadWeights(model: ModelReader): Weights {
  const entries = questions.map((question) => {
    return [question, model.section(section(question), 'int16', { isHashed: true })];
  });
  return Object.fromEntries(entries) as Record<Question, Int16Array>;
}

function section(question: Question): string {
  return `tokenizer.weights.${question}`;
}
