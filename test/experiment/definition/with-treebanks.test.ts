import { describe, expect, it } from 'vitest';
import { type Experiment, withTreebanks } from '../../../experiment/definition/experiment.ts';
import { layOut } from '../../../experiment/definition/layout.ts';
import type { Entry } from '../../../experiment/definition/schema.ts';
import { allParadigms } from '../../../parsers/registry.ts';

const paradigms = await allParadigms();

const table: Experiment = {
  ...{ file: 'table.json', title: 'T', description: 'D', report: ['uas'] },
  ...{ averages: false, by: [], final: false },
  defaults: { treebank: 'english', seeds: [1] },
  rows: [{ name: 'a' }],
};
const czech = { name: 'Czech', treebank: 'czech' };
const telugu = { name: 'Telugu', treebank: { train: 'te.conllu' } };

describe('treebanks given by the user', () => {
  it('replace the default, if it is a single treebank', () => {
    const { defaults, columns } = withTreebanks(table, [czech]);
    expect(defaults).toEqual({ treebank: 'czech', seeds: [1] });
    expect(columns).toBeUndefined();
  });

  it('get a column each, if there are several', () => {
    expect(withTreebanks(table, [czech, telugu]).columns).toEqual([czech, telugu]);
  });

  it('are refused if two have the same name', () => {
    expect(() => withTreebanks(table, [czech, telugu, czech])).toThrow('treebank: “Czech” is given twice');
  });

  it('each get a copy of every column', () => {
    const columns = [
      { name: 'with', punctuation: 'include' as const },
      { name: 'without', punctuation: 'upos' as const },
    ];
    expect(withTreebanks({ ...table, columns }, [czech, telugu]).columns).toEqual([
      { name: 'Czech, with', treebank: 'czech', punctuation: 'include' },
      { name: 'Czech, without', treebank: 'czech', punctuation: 'upos' },
      { name: 'Telugu, with', treebank: telugu.treebank, punctuation: 'include' },
      { name: 'Telugu, without', treebank: telugu.treebank, punctuation: 'upos' },
    ]);
  });

  it('get combined columns of their own, which combine only columns of the same treebank', () => {
    const columns: Entry[] = [
      ...[{ name: 'one' }, { name: 'two', options: { epochs: 2 } }, { name: 'other', files: 'x.conllu' }],
      { name: 'best', of: 'all', statistic: 'best' },
      { name: 'only', of: ['one'] },
      { name: 'vote', vote: { method: 'superparser', weights: 'equal' } },
    ];
    const crossed = withTreebanks({ ...table, columns }, [czech, telugu]).columns!;
    expect(crossed.slice(9)).toEqual([
      { name: 'Telugu, best', of: ['Telugu, one', 'Telugu, two'], statistic: 'best' },
      { name: 'Telugu, only', of: ['Telugu, one'] },
      { ...columns[5], name: 'Telugu, vote', of: ['Telugu, one', 'Telugu, two'] },
    ]);
    expect(layOut({ ...table, columns: crossed }, paradigms).cells[0].slice(9)).toMatchObject([
      { of: [6, 7].map((column) => ({ row: 0, column })) },
      { of: [{ row: 0, column: 6 }] },
      { of: [6, 7].map((column) => ({ row: 0, column })) },
    ]);
    const none = { ...table, columns: columns.slice(2, 4) };
    expect(() => layOut(withTreebanks(none, [czech, telugu]), paradigms)).toThrow(
      'columns[1]: combines other cells, but none is trained',
    );
  });

  it('keep all columns for the same treebanks, and columns that combine others', () => {
    const columns: Entry[] = [
      { name: 'mean', of: 'all' },
      ...['one', 'two'].map((name) => ({ name, treebank: 'czech' })),
      { name: 'x', treebank: 'y' },
    ];
    expect(withTreebanks({ ...table, columns }, [telugu, czech]).columns).toEqual([
      telugu,
      columns[1],
      columns[2],
      columns[0],
    ]);
  });

  const own = [{ name: 'A', treebank: 'a' }];
  it.each<[string, Partial<Experiment>, string]>([
    [
      'only some rows name a treebank',
      { rows: [{ name: 'a' }, { name: 'b', treebank: 'b' }] },
      'only some rows name a treebank: no other can take its place',
    ],
    [
      'both rows and columns name treebanks',
      { rows: own, columns: own },
      'both rows and columns name treebanks: none can take their place',
    ],
    [
      'files are for a treebank that they replace',
      { rows: [{ name: 'a', files: { A: 'x.conllu' } }], columns: own },
      'with the given treebanks, rows[0].files: no column is called “A”',
    ],
    [
      'the baseline is a treebank that they replace',
      { rows: own, baseline: 'A' },
      'with the given treebanks, baseline: no row is called “A”, expected previous or one of Czech, Telugu',
    ],
    [
      'averages would count each of their columns as a treebank',
      { averages: true, columns: [{ name: 'one' }, { name: 'two' }] },
      'averages: expected one column for each treebank, not several',
    ],
  ])('are refused if %s', (_, content, problem) => {
    expect(() => withTreebanks({ ...table, ...content }, [czech, telugu])).toThrow(`table.json: ${problem}`);
  });

  it.each(['rows', 'columns'] as const)(
    'replace the treebanks in the %s; a treebank that was already there keeps its options',
    (axis) => {
      const own = { name: 'Cz', treebank: 'czech', options: { stem: 'prefix:5' } };
      const replaced = withTreebanks({ ...table, [axis]: [own, { name: 'x', treebank: 'y' }] }, [
        telugu,
        czech,
      ]);
      expect(replaced[axis]).toEqual([telugu, own]);
      expect(replaced.defaults).toEqual(table.defaults);
    },
  );
});
