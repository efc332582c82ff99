import { describe, expect, it } from 'vitest';
import { shownMorphology, withMorphology } from '../../../experiment/cells/parser-job.ts';
import { collect } from '../../support/collect.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const cat = sentence('kissa nukkuu .', '2 0 2', {
  ...{ lemmas: 'kissa nukkua .', upos: 'NOUN VERB PUNCT', xpos: 'N V _' },
  feats: 'Case=Nom|Number=Sing Number=Sing|Person=3 _',
});

describe('the morphology that a parser sees', () => {
  it('is complete by default', () => {
    expect(shownMorphology(cat, undefined)).toBe(cat);
    const all = treebank('cats', cat);
    expect(withMorphology(all, undefined)).toBe(all);
  });

  it('has neither lemmas nor features with “none”', async () => {
    const [shown] = await collect(withMorphology(treebank('cats', cat), 'none'));
    const blank = ['', '_', '_', '_'];
    expect(shown).toEqual({ ...cat, lemmas: blank, feats: blank });
  });

  it('has tag and features joined into one tag with “in-tag”, if there is a tag', () => {
    expect(shownMorphology(cat, 'in-tag')).toMatchObject({
      upos: ['', 'NOUN|Case=Nom|Number=Sing', 'VERB|Number=Sing|Person=3', 'PUNCT'],
      xpos: ['', 'N|Case=Nom|Number=Sing', 'V|Number=Sing|Person=3', '_'],
      feats: ['', '_', '_', '_'],
      lemmas: cat.lemmas,
    });
  });

  it('has tag and case joined into one tag if only Case is selected', () => {
    expect(shownMorphology(cat, ['Case']).upos).toEqual(['', 'NOUN|Case=Nom', 'VERB', 'PUNCT']);
  });
});
