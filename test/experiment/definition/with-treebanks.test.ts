import { describe, expect, it } from 'vitest';
import { type Experiment, withTreebanks } from '../../../experiment/definition/experiment.ts';

const table: Experiment = {
  ...{ file: 'table.json', title: 'T', description: 'D', report: ['uas'] },
  ...{ averages: false, by: [], final: false },
  defaults: { treebank: 'english', seeds: [1] },
  rows: [{ name: 'a' }],
};
const czech = { name: 'Czech', treebank: 'czech' };
const telugu = { name: 'Telugu', treebank: { train: 'te.conllu' } };

describe('treebanks of one’s own', () => {
  it('take the place of the default, if it is one', () => {
    const { defaults, columns } = withTreebanks(table, [czech]);
    expect(defaults).toEqual({ treebank: 'czech', seeds: [1] });
    expect(columns).toBeUndefined();
  });

  it('make a column each, if there are several', () => {
    expect(withTreebanks(table, [czech, telugu]).columns).toEqual([czech, telugu]);
  });

  it('are refused where two have one name', () => {
    expect(() => withTreebanks(table, [czech, telugu, czech])).toThrow('treebank: “Czech” is given twice');
  });

  it('make each column several', () => {
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

  it.each(['rows', 'columns'] as const)(
    'take the place of treebanks along the %s, where known with their options',
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
