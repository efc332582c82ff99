import { describe, expect, test } from 'vitest';
import { LabelCandidates } from '../../src/encoding/label-candidates.ts';
import { NumberReader } from '../../src/model/model-reader.ts';
import { encoded } from '../support/encoded.ts';
import { sentence } from '../support/sentences.ts';

const one = encoded(sentence('a b c', '2 0 2', { upos: 'D N V' }), ['upos']).sentence;
const learnt = new LabelCandidates(0, 10, 4);
learnt.add(one, 2, 1, 3);
learnt.add(one, 2, 1, 1);
learnt.add(one, 2, 1, 3);

function numbers(array: Int32Array): NumberReader {
  return new NumberReader(array, (problem) => {
    throw new Error(problem);
  });
}

describe('label candidates', () => {
  test('are the labels seen between the two tags in that direction, in ascending order', () => {
    expect([...learnt.of(one, 2, 1)]).toEqual([1, 3]);
    expect([...learnt.inSearch(one, 2, 1)]).toEqual([1, 3]);
  });

  test('are all labels during the search if the tags were never seen together', () => {
    expect([...learnt.inSearch(one, 1, 2)]).toEqual([0, 1, 2, 3]);
    expect([...learnt.inSearch(one, 3, 1)]).toEqual([0, 1, 2, 3]);
  });

  test('survive being saved, even with very many tags', () => {
    const many = new LabelCandidates(0, 100_000, 4);
    const far = { length: 2, columns: Int32Array.of(0, 1, 99_998, 99_999, 2) };
    many.add(far, 1, 2, 3);
    const again = new LabelCandidates(0, 100_000, 4).restore(numbers(many.toArray()));
    expect([...again.of(far, 1, 2)]).toEqual([3]);
  });

  test('survive being saved', () => {
    const again = new LabelCandidates(0, 10, 4).restore(numbers(learnt.toArray()));
    expect([...again.of(one, 2, 1)]).toEqual([1, 3]);
    expect([...again.inSearch(one, 1, 2)]).toEqual([0, 1, 2, 3]);
  });
});

describe('labels that only the root’s arcs have in training', () => {
  const ruled = new LabelCandidates(0, 10, 4);
  ruled.add(one, 0, 2, 0);
  ruled.add(one, 2, 1, 3);
  ruled.add(one, 2, 1, 1);
  ruled.add(one, 2, 3, 3);

  test('are the candidates of tags never seen under the root, and of no other arcs', () => {
    expect([...ruled.of(one, 0, 3)]).toEqual([0]);
    expect([...ruled.of(one, 3, 1)]).toEqual([1, 3]);
  });

  test('are replaced on any other arc by the label that most pairs of tags have', () => {
    expect(ruled.permitted(one, 3, 1, 0)).toBe(3);
    expect(ruled.permitted(one, 3, 1, 1)).toBe(1);
    expect(ruled.permitted(one, 0, 1, 3)).toBe(0);
    expect(ruled.permitted(one, 0, 1, 0)).toBe(0);
  });

  test('are not told apart if training had no arc of the root', () => {
    expect([...learnt.of(one, 0, 1)]).toEqual([0, 1, 2, 3]);
    expect(learnt.permitted(one, 0, 1, 2)).toBe(2);
  });
});
