import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';

/**
 * A treebank in mini-notation, with one sentence a line. Blanks separate tokens, `+` at the end of a token means that
 * no blank follows, `_` is a blank inside, `du=de|le` gives the words of a token, and `¶` begins a paragraph.
 */
export function miniTreebank(notation: string, name = 'mini'): Treebank {
  const text = notation
    .trim()
    .split('\n')
    .map((line) => conllu(line.trim()))
    .join('');
  return inMemory(readSentences(text, { name }), name);
}

function conllu(line: string): string {
  const comment = line.startsWith('¶') ? '# newpar\n' : '';
  let words = 0;
  const rows = line
    .replace('¶', '')
    .split(' ')
    .flatMap((token) => {
      const isTight = token.endsWith('+') && token.length > 1;
      const [form, parts] = (isTight ? token.slice(0, -1) : token).replaceAll('_', ' ').split('=') as [
        string,
        string | undefined,
      ];
      const misc = isTight ? 'SpaceAfter=No' : '_';
      const all = parts?.split('|') ?? [form];
      const range =
        parts === undefined ? [] : [`${words + 1}-${words + all.length}\t${form}${'\t_'.repeat(7)}\t${misc}`];
      const own = all.map(
        (word) => `${++words}\t${word}\t_\tX\t_\t_\t_\t_\t_\t${parts === undefined ? misc : '_'}`,
      );
      return [...range, ...own];
    });
  return `${comment}${rows.join('\n')}\n\n`;
}
