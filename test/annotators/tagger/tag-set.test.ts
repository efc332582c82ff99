import { expect, test } from 'vitest';
import { TagChoices, TagSet } from '../../../annotators/tagger/tag-set.ts';

/** The choices between bundles, each given as `UPOS/XPOS/FEATS`. */
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

test('a feature of several bundles, but not of all, is shared and has its own weights', () => {
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

test('the weights of one choice are next to each other and belong to no other choice', () => {
  const { pairs, bundles } = choicesOf(
    'N/a/A=1|B=1',
    'N/a/A=1|B=2',
    'N/b/A=1',
    'N/c/A=2',
    'V/a/A=1',
    'V/d/A=1',
  );
  const all = [...pairs, ...bundles];
  expect(all.map(({ count }) => count)).toEqual([3 + 1, 2, 2, 1, 1, 1, 1]);
  expect(all.map(({ first }) => first)).toEqual([0, 4, 6, 8, 9, 10, 11]);
});
