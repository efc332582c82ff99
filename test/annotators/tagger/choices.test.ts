import { expect, test } from 'vitest';
import { TagChoices } from '../../../annotators/tagger/choices.ts';
import { TagSet } from '../../../annotators/tagger/tag-set.ts';

/** Of bundles as `UPOS/XPOS/FEATS`. */
function choicesOf(...bundles: string[]): TagChoices {
  const tags = new TagSet();
  for (const bundle of bundles) {
    const [upos, xpos, feats] = bundle.split('/');
    tags.add({ upos, xpos, feats });
  }
  return new TagChoices(tags);
}

function placesOf({ sharing }: TagChoices['pairs'][number]): number[][] {
  return sharing.map((places) => [...places]);
}

test('a feature that several bundles have, but not all, is a part with weights of its own', () => {
  const { bundles } = choicesOf('N/_/A=1|B=1|C=1', 'N/_/A=1|B=2|C=1', 'N/_/A=2|B=1|C=1', 'N/_/A=3|C=1');
  expect(bundles[0].members).toEqual([0, 1, 2, 3]);
  expect(placesOf(bundles[0])).toEqual([
    [0, 1],
    [0, 2],
  ]);
});

test('a pair has the features that all its bundles have', () => {
  const { pairs } = choicesOf('N/a/A=1|B=1', 'N/a/A=1|B=2', 'N/b/A=1', 'N/c/A=2|B=1', 'N/d/B=1');
  expect(pairs[0].members).toEqual([0, 1, 2, 3]);
  expect(placesOf(pairs[0])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test('pairs, bundles and parts have weights of their own; a part has the same wherever it is', () => {
  const { pairs, bundles } = choicesOf(
    ...['N/a/A=1', 'N/a/A=1|B=1', 'N/b/A=1', 'N/c/A=2', 'N/d/A=2'],
    ...['V/a/A=2', 'V/a/A=2|B=1', 'V/a/A=1'],
  );
  const [ofN, ofV] = pairs.map(({ numbers }) => [...numbers]);
  const [a1, a2] = ofN.slice(4);
  expect(ofN.slice(0, 4)).toEqual([0, 1, 2, 3]);
  expect(ofV).toEqual([4]);
  expect([...bundles[4].numbers]).toEqual([5 + 5, 5 + 6, 5 + 7, a2]);
  expect(Math.min(a1, a2)).toBeGreaterThanOrEqual(5 + 8);
  expect(a1).not.toBe(a2);
});
