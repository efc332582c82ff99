import { InputError } from '../../errors.ts';
import { countLines } from '../../files/text/encoding.ts';
import type { TextBatch } from '../reading/blocks.ts';
import { parseBrackets, TreeSplitter } from './brackets.ts';
import type { BracketedSentence } from './phrase-tree.ts';

/** A piece of a bracketed text that is no tree, and why not. */
export interface MalformedTree {
  readonly error: InputError;
  readonly source: BracketedSentence['source'];
}

/**
 * The trees of a batch of bracketed text and the pieces of it that are none, in order. One mistake spoils one
 * tree. As a bracket that is never closed takes all text after it for its own, what cannot be read is read
 * again from the next line that begins with a bracket. Each tree begins so, whether it is on one line or on
 * many.
 */
export function* readTrees({
  file,
  line: firstLine,
  text,
}: TextBatch): Generator<BracketedSentence | MalformedTree> {
  let line = firstLine;
  for (const single of singleTrees(text)) {
    const found = read({ file, line, text: single });
    if (found.some(isMalformed)) yield* linesWithTrees({ file, line, text: single });
    else yield* found;
    line += countLines(single, single.length);
  }
}

export function isMalformed(tree: BracketedSentence | MalformedTree): tree is MalformedTree {
  return 'error' in tree;
}

function* linesWithTrees({
  file,
  line: firstLine,
  text,
}: TextBatch): Generator<BracketedSentence | MalformedTree> {
  let line = firstLine;
  for (const piece of text.split(/(?<=\n)(?=\()/)) {
    yield* read({ file, line, text: piece });
    line += countLines(piece, piece.length);
  }
}

/** The trees of a text, of which one mistake makes a single piece. */
function read(source: TextBatch): (BracketedSentence | MalformedTree)[] {
  try {
    return [...parseBrackets(source.text, source)];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [{ error, source }];
  }
}

function singleTrees(text: string): string[] {
  const splitter = new TreeSplitter();
  return [...splitter.push(text), splitter.end()];
}
