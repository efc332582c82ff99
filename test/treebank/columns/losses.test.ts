import { describe, expect, test } from 'vitest';
import { lostIn } from '../../../src/treebank/columns/write.ts';
import type { ColumnFormat, TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { readBatch } from '../../../src/treebank/reading/treebank-file.ts';
import { sentence } from '../../support/sentences.ts';

/** What is lost when the one sentence of this text is written in another format. */
function lost(text: string, from: TreebankFormat, to: ColumnFormat): string[] {
  const [read] = readBatch({ file: 'a', line: 1, text }, { format: from, expect: 'tokens' });
  return lostIn(read!, to);
}

describe('what a conversion loses', () => {
  test('is nothing in the same format', () => {
    expect(
      lost(
        '# a\n1-1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\tx\tx\tX\tX\tA=B\t0\troot\t0:root\tM=1\n',
        'conllu',
        'conllu',
      ),
    ).toEqual([]);
    expect(lost('1\tx\tx\tX\tX\tab\t0\troot\t0\troot\n', 'conllx', 'conllx')).toEqual([]);
  });

  test('is nothing if the columns without a place are empty', () => {
    const text = '1\tx\tx\tX\tX\tA=B\t0\troot\t_\t_\n';
    expect(lost(text, 'conllu', 'conllx')).toEqual([]);
    expect(lost(text, 'conllx', 'conllu')).toEqual([]);
    expect(lost('1\tx\t_\t_\tX\t_\t0\t_\t_\t_\n', 'conllu', 'three-column')).toEqual([]);
    expect(lost('#\tNN\t0\n', 'three-column', 'conllx')).toEqual([]);
  });

  test.each(['0\troot', '0\t_', '_\troot', '0\troot\r'])(
    'is PHEAD and PDEPREL of CoNLL-X if they are %j',
    (both) => {
      expect(lost(`1\tx\tx\tX\tX\tab\t0\troot\t${both}\n`, 'conllx', 'conllu')).toEqual([
        'PHEAD and PDEPREL',
      ]);
    },
  );

  test('is nothing from CoNLL-X with 8 columns to CoNLL-U', () => {
    expect(lost('1\tx\tx\tX\tX\tab\t0\troot\n', 'conllx', 'conllu')).toEqual([]);
  });

  test('is one of two tags in the format of three columns, which has place for one', () => {
    expect(lost('1\tx\t_\tX\t_\t_\t0\t_\t_\t_\n', 'conllu', 'three-column')).toEqual([]);
    expect(lost('1\tx\t_\tX\tY\t_\t0\t_\t_\t_\n', 'conllu', 'three-column')).toEqual(['UPOS (CPOSTAG)']);
  });

  test('is the phrases of a bracketed tree', () => {
    expect(lost('(NP (DT a) (NN b))', 'brackets', 'conllu')).toEqual(['phrases']);
  });

  test('is also known for a sentence that was not read from a file', () => {
    expect(lostIn(sentence('a b', '2 0', { lemmas: 'a b' }), 'three-column')).toEqual(['lemmas']);
  });
});
