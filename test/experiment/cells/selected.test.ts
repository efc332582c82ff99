import { describe, expect, it, test } from 'vitest';
import { filesOf, type Job, type Selection } from '../../../experiment/jobs/job.ts';
import { countOf, firstOf, overlap, restOf } from '../../../experiment/jobs/selection.ts';

const select = (name: string, from: number, to: number): Selection => ({
  ...{ path: name, digest: name.repeat(64), encoding: 'utf-8', from, to },
});
const followed = (first: Selection, second: Selection) => ({ ...first, followedBy: second });
const both = followed(select('a', 0, 30), select('b', 0, 10));

describe('sentences of two files, one after the other', () => {
  it('are counted together', () => {
    expect(countOf(both)).toBe(40);
    expect(countOf(select('a', 5, 8))).toBe(3);
  });

  it('are cut anywhere into the first and the rest', () => {
    expect(firstOf(both, 12)).toEqual(select('a', 0, 12));
    expect(restOf(both, 12)).toEqual(followed(select('a', 12, 30), select('b', 0, 10)));
    expect(firstOf(both, 36)).toEqual(followed(select('a', 0, 30), select('b', 0, 6)));
    expect(restOf(both, 36)).toEqual(select('b', 6, 10));
    expect([firstOf(both, 30), restOf(both, 30)]).toEqual([select('a', 0, 30), select('b', 0, 10)]);
  });

  it('overlap with another selection if some sentence is in both', () => {
    expect(overlap(both, select('b', 9, 12))).toBe(true);
    expect(overlap(both, select('b', 10, 12))).toBe(false);
    expect(overlap(select('a', 30, 40), both)).toBe(false);
  });
});

test('filesOf lists every file that a job reads: training, test and tagger files, and given trees', () => {
  const [train, test, trees, tagger] = ['a', 'c', 'd', 'e'].map((name) => select(name, 0, 9));
  const program = { version: '1', code: '0'.repeat(64) };
  const parser = { kind: 'parser', program, paradigm: 'graph', options: {}, seed: 1 } as const;
  const paths = (job: Job) => filesOf(job).map(({ path }) => path);
  const tags = { program, inTraining: true, learn: tagger! };
  expect(paths({ ...parser, test: test!, train: both, tags })).toEqual(['c', 'a', 'b', 'e']);
  expect(paths({ kind: 'tagging', program, seed: 1, learn: train!, test: test! })).toEqual(['c', 'a']);
  expect(paths({ kind: 'file', program, test: test!, trees: trees! })).toEqual(['c', 'd']);
  const vote = { method: 'superparser', weights: 'uas' } as const;
  const setAside = { test: train!, members: [] };
  expect(paths({ kind: 'vote', program, vote, members: [], test: test!, setAside })).toEqual(['c', 'a']);
});
