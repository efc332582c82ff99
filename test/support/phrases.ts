import { parseBrackets } from '../../src/treebank/phrases/brackets.ts';
import type { BracketedSentence } from '../../src/treebank/phrases/phrase-tree.ts';

/** The trees of bracketed texts, as if each were a line in a file of this name. */
export function bracketed(file: string, ...lines: readonly string[]): BracketedSentence[] {
  return [...parseBrackets(lines.join('\n'), { file, line: 1 })];
}
