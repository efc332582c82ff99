import type { SentenceSource } from '../sentence.ts';
import { conlluOf } from './conllu-of-json.ts';

/**
 * How a sentence stood in a file that can tell all that CoNLL-U does, as CoNLL-U: of JSON, what it says. Undefined
 * for the other formats.
 */
export function universalSource(source: SentenceSource | undefined): SentenceSource | undefined {
  if (source?.format !== 'json') return source?.format === 'conllu' ? source : undefined;
  const { text, lines } = conlluOf(source.text);
  return { file: source.file, format: 'conllu', line: 1, text, lines };
}
