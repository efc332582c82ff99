const tiny = '--epochs 1 --bits 12';

/** Options of `train pipeline` that train its annotators in a moment, for tests that need no good ones. */
export const quickAnnotators: readonly string[] = [
  ...['--folds', '2', '--tokenizer', tiny, '--lemmatizer', tiny],
  ...['--tagger', `${tiny} --units 8 --network-epochs 1`],
];
