import type { TreebankFormat } from './reading/format.ts';

/**
 * The encoding of what is written: the input's, but UTF-8 where text, or another format, becomes CoNLL-U or JSON, for which
 * that is the one encoding.
 */
export function writtenEncoding(
  from: TreebankFormat | 'text',
  to: TreebankFormat | 'text',
  encoding: string | undefined,
): string | undefined {
  return (to === 'conllu' || to === 'json') && from !== to ? 'utf-8' : encoding;
}
