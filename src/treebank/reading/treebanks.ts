import { InputError } from '../../errors.ts';
import { checkStandardInput } from '../../files/text/text-file.ts';
import { FirstSentences } from '../first-sentences.ts';
import { JoinedTreebanks } from '../joined-treebanks.ts';
import type { Treebank } from '../sentence.ts';
import { openTreebank, type TreebankFile, type TreebankOptions } from './treebank-file.ts';

interface TreebanksOptions extends TreebankOptions {
  /** Only the first so many sentences, of all files together. */
  readonly limit?: number | undefined;
  /** Takes what one of the files has and another has not. */
  readonly onDifference?: ((difference: string) => void) | undefined;
}

/**
 * Opens a treebank of one file, or of several that are read as one, in their order.
 *
 * @throws InputError what `openTreebank` throws, and where some files are brackets and others are not
 */
export async function openTreebanks(
  paths: readonly string[],
  { limit, onDifference, ...options }: TreebanksOptions = {},
): Promise<Treebank> {
  checkStandardInput(paths);
  const files: TreebankFile[] = [];
  for (const path of paths) files.push(await openTreebank(path, options));
  const [first, ...others] = files;
  if (others.length > 0) {
    checkFormats(first, others);
    return new JoinedTreebanks(files, { limit, onDifference });
  }
  return limit === undefined ? first : new FirstSentences(first, limit);
}

/** Labels that are made of phrases are other ones than those of a treebank of dependencies. */
function checkFormats(first: TreebankFile, others: readonly TreebankFile[]): void {
  const isBrackets = ({ format }: TreebankFile) => format === 'brackets';
  const other = others.find((file) => isBrackets(file) !== isBrackets(first));
  if (other === undefined) return;
  const problem = `${other.format}, but ${first.name} is ${first.format}: they cannot be learnt from together`;
  throw new InputError(problem, { file: other.name });
}
