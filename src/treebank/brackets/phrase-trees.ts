import { InputError } from '../../errors.ts';
import type { TreebankFile } from '../reading/treebank-file.ts';
import { isMalformed, readTrees } from './bracket-batch.ts';
import type { BracketedSentence, PhraseTree } from './phrase-tree.ts';

/** A tree of a file, or what stands in its place there. */
export interface TreeOfFile extends BracketedSentence {
  /** Why it is no tree: it is then one without words. */
  readonly malformed?: InputError | undefined;
}

/** Phrase-structure trees that can be read from their beginning more than once, one in memory at a time. */
export interface PhraseTreebank extends AsyncIterable<TreeOfFile> {
  readonly name: string;
}

/** What a malformed tree is read as where these do not end the reading: a tree without words. */
const NO_TREE: PhraseTree = { label: '', children: [] };

/**
 * The trees of a bracketed file as they stand in it, empty elements and function tags included; the file
 * itself, iterated, gives their dependencies.
 *
 * @param options.keepMalformed a malformed tree, such as the `(())` that some parsers write where they find
 *   none, is read as one without words, so that the trees after it keep their numbers
 * @throws InputError where the file is not bracketed; while reading, at the first malformed tree
 */
export function phraseTrees(
  file: TreebankFile,
  options: { readonly keepMalformed?: boolean | undefined } = {},
): PhraseTreebank {
  if (file.format !== 'brackets') {
    throw new InputError(`dependencies (${file.format}), expected bracketed trees`, { file: file.name });
  }
  return {
    name: file.name,
    async *[Symbol.asyncIterator]() {
      for await (const batch of file.batches()) {
        for (const found of readTrees(batch)) {
          if (!isMalformed(found)) yield found;
          else if (options.keepMalformed)
            yield { tree: NO_TREE, source: found.source, malformed: found.error };
          else throw found.error;
        }
      }
    },
  };
}
