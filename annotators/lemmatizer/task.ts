import type { AnnotationTask } from '../annotator.ts';
import { scoreColumns } from '../score-columns.ts';
import { EditTreeLemmatizer } from './lemmatizer.ts';
import { type LemmatizerOptions, lemmatizerOptions } from './options.ts';
import { train } from './train.ts';

/** Finding the lemmas of words that are tagged. */
export const lemmatizer: AnnotationTask<LemmatizerOptions, EditTreeLemmatizer> = {
  name: 'lemmatizer',
  summary: 'Finds the lemmas of words by their tags, as the treebank has them.',
  options: lemmatizerOptions,
  keepsState: () => true,
  train,
  score: scoreColumns,
  load: EditTreeLemmatizer.load,
};
