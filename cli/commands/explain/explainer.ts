import type { Tokenizer } from '../../../annotators/annotator.ts';
import { isPipeline } from '../../../combine/pipeline/is-pipeline.ts';
import { openPipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import type { Parser } from '../../../parsers/parser.ts';
import { openParser } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import type { ParseExplanation } from '../../../src/explain/explanation.ts';
import type { ExplainRequest } from '../../../src/explain/request.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';

/** A model, as far as explaining goes. */
export interface Explainer extends Pick<Parser, 'reads' | 'filled'> {
  /** Where it takes text. */
  readonly tokenizer?: Tokenizer | undefined;
  explain(sentence: Sentence, request: ExplainRequest): ParseExplanation;
}

/** Opens a parser or a pipeline; throws `UsageError` for one that cannot explain itself. */
export async function openExplainer(path: string): Promise<Explainer> {
  const model = readModelFile(path);
  if (isPipeline(model)) {
    const pipeline = await openPipeline(model);
    const { reads, filled } = pipeline.sentenceParser();
    const { tokenizer } = pipeline;
    return { reads, filled, tokenizer, explain: (sentence, request) => pipeline.explain(sentence, request) };
  }
  const parser = await openParser(model);
  if (parser.explain === undefined) {
    throw new UsageError(`${path}: parsers of the paradigm ${parser.paradigm} cannot explain themselves`);
  }
  return parser as Parser & Explainer;
}
