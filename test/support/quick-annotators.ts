const tiny = '--epochs 1 --bits 12';

/** Options of `train pipeline` that learn its annotators in a moment; how good these are does not matter. */
export const quickAnnotators: readonly string[] = [
  ...['--folds', '2', '--tokenizer', tiny, '--lemmatizer', tiny],
  ...['--tagger', `${tiny} --units 8 --network-epochs 1`],
];
