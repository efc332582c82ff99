import { describe, expect, it } from 'vitest';
import { withTags } from '../../../experiment/cells/parser-job.ts';
import { collect } from '../../support/collect.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const tags = (...upos: readonly string[]) => [
  sentence('dogs bark', '2 0', { upos: upos[0] }),
  sentence('stop', '0', { upos: upos[1] }),
];
const gold = treebank('gold', ...tags('NOUN VERB', 'VERB'));
const found = treebank('found', ...tags('VERB NOUN', 'NOUN'));
const tagsOf = async (...given: Parameters<typeof withTags>) =>
  (await collect(withTags(...given))).map(({ upos }) => upos.slice(1).join(' '));

describe('a treebank as a parser sees it', () => {
  it('has gold tags, predicted tags, or all sentences first with gold and then with predicted tags', async () => {
    expect(await tagsOf(gold, undefined)).toEqual(['NOUN VERB', 'VERB']);
    expect(await tagsOf(gold, found)).toEqual(['VERB NOUN', 'NOUN']);
    expect(await tagsOf(gold, found, true)).toEqual(['NOUN VERB', 'VERB', 'VERB NOUN', 'NOUN']);
  });
});
