import { InputError } from '../errors.ts';
import { countLines } from '../files/encoding.ts';
import { parseBrackets } from './brackets.ts';
import type { BracketedSentence, PhraseTree } from './phrase-tree.ts';
import { treesOf } from './read-batch.ts';
import type { TreebankFile } from './treebank-file.ts';

/** Phrase-structure trees that can be read from their beginning more than once, one in memory at a time. */
export interface PhraseTreebank extends AsyncIterable<BracketedSentence> {
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
      for await (const { text, ...place } of file.batches()) {
        yield* options.keepMalformed ? withMalformed(text, place) : parseBrackets(text, place);
      }
    },
  };
}

function* withMalformed(
  batch: string,
  { file, line: firstLine }: { readonly file: string; readonly line: number },
): Generator<BracketedSentence> {
  let line = firstLine;
  for (const text of treesOf(batch)) {
    try {
      yield* [...parseBrackets(text, { file, line })];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      yield { tree: NO_TREE, source: { file, line, text } };
    }
    line += countLines(text, text.length);
  }
}
