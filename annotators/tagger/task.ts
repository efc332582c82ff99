import type { AnnotationTask } from '../annotator.ts';
import { scoreColumns } from '../score-columns.ts';
import { type TaggerOptions, taggerOptions } from './options.ts';
import { Tagger } from './tagger.ts';
import { train } from './train.ts';

export const tagger: AnnotationTask<TaggerOptions, Tagger> = {
  name: 'tagger',
  summary:
    'Tags words: universal tags, language-specific tags and features, as far as the treebank has them.',
  options: taggerOptions,
  keepsState: () => true,
  // Its tags are nearly as good without a network, in a seventh of the time.
  foldOptions: ({ vectors: _, vectorsLimit: __, ...options }) => ({ ...options, units: 0 }),
  train,
  score: scoreColumns,
  load: Tagger.load,
};
