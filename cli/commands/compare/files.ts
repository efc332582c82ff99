import { type ComparedTreebanks, compare } from '../../../src/evaluate/comparison/compare.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { punctuationChoice } from '../../options/scoring.ts';
import { progress } from '../../terminal/progress.ts';
import { type CompareFlags, KEPT } from './options.ts';

export async function compareFiles(
  goldFile: string,
  predictedFiles: readonly string[],
  flags: CompareFlags,
): Promise<ComparedTreebanks & { readonly areBrackets: boolean }> {
  const { format, encoding, quiet, names, by, metrics, seed, rounds, limit = KEPT } = flags;
  const gold = await openTreebank(goldFile, { format, encoding, expect: 'trees' });
  const predicted = await Promise.all(
    predictedFiles.map((file) => openTreebank(file, { format, encoding, expect: 'heads' })),
  );
  const options = { names, by, metrics, seed, rounds, limit, punctuation: punctuationChoice(flags) };
  const scoring = progress('sentences', quiet);
  const testing = progress('rounds', quiet);
  const onSentence = (done: number) => scoring.update('scoring', done);
  const onProgress = (done: number, total: number) => {
    scoring.clear();
    testing.update('testing', done, total);
  };
  try {
    const compared = await compare(gold, predicted, { ...options, onSentence, onProgress });
    const areBrackets = [gold, ...predicted].every((file) => file.format === 'brackets');
    return { ...compared, areBrackets };
  } finally {
    scoring.clear();
    testing.clear();
  }
}
