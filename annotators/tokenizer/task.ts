import type { AnnotationTask } from '../annotator.ts';
import { type TokenizerOptions, tokenizerOptions } from './options.ts';
import { LinearTokenizer } from './tokenizer.ts';
import { score, train } from './train.ts';

/** Cutting text into sentences, tokens and words. */
export const tokenizer: AnnotationTask<TokenizerOptions, LinearTokenizer> = {
  name: 'tokenizer',
  summary: 'Splits text into sentences, tokens and words, as the treebank does.',
  options: tokenizerOptions,
  keepsState: () => true,
  train,
  score,
  load: LinearTokenizer.load,
};
