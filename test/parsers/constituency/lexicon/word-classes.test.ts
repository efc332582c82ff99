import { expect, it } from 'vitest';
import { wordClasses } from '../../../../parsers/constituency/lexicon/word-classes.ts';

it.each([
  ['walking', false, ['', 'lower', 'lower g', 'lower ng', 'lower ing']],
  ['Walking', true, ['', 'initial', 'initial g', 'initial ng', 'initial ing']],
  ['Walking', false, ['', 'capital', 'capital g', 'capital ng', 'capital ing']],
  ['NATO', true, ['', 'capital', 'capital o', 'capital to', 'capital ato']],
  ['eBay', false, ['', 'mixed', 'mixed y', 'mixed ay', 'mixed bay']],
  ['third-quarter', false, ['', 'lower+hyphen', 'lower+hyphen r', 'lower+hyphen er', 'lower+hyphen ter']],
  ['1990s', false, ['', 'lower+digit', 'lower+digit s', 'lower+digit 0s', 'lower+digit 90s']],
  ['35.2', false, ['', 'other+digit', 'other+digit 2', 'other+digit .2', 'other+digit 5.2']],
  ['é', false, ['', 'lower']],
  ['😀!', false, ['', 'other', 'other !']],
])('the classes of %s (first word: %s) become narrower by shape and ending', (form, isFirst, classes) => {
  expect(wordClasses(form, isFirst, 3)).toEqual(classes);
});

it('without endings there is the shape alone', () => {
  expect(wordClasses('walking', false, 0)).toEqual(['', 'lower']);
});
