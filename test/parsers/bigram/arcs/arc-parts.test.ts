import { expect, test } from 'vitest';
import { ArcParts } from '../../../../parsers/bigram/arcs/arc-parts.ts';
import { LabelParts } from '../../../../parsers/bigram/labels/label-parts.ts';
import { encoded } from '../../../support/encoded.ts';
import { sentence } from '../../../support/sentences.ts';

const one = sentence('the dog , the cat sleeps', '2 6 2 5 2 0', { upos: 'D N P D N V' });
const { encoder, sentence: numbers } = encoded(one, ['form', 'upos']);
const form = encoder.vocabulary(0);
const punctuation = new Uint8Array(form.size);
punctuation[form.idOf(',')] = 1;
const columns = { tag: 1, form: 0, tagCount: encoder.vocabulary(1).size, punctuation };

test('the parts of an arc tell direction, distance, what was counted between and the set of tags between', () => {
  const parts = new ArcParts(columns, one.length);
  parts.prepare(numbers, 6);
  const { direction, distance, between, crossed } = parts.of;
  expect([...direction.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...distance.subarray(0, 6)]).toEqual([12, 10, 8, 6, 4, 2]);
  // From the first noun: one noun (the head's tag), no verb (the dependent's) and one mark between; far.
  expect(between[2]).toBe(2 * ((1 * 9 + 0 * 3 + 1) * 3 + 2));
  expect(between[5]).toBe(0);
  // A mark that is the head itself does not stand between.
  expect(between[3]).toBe(2 * 1);
  const set = (names: string[]) =>
    names.reduce((bits, name) => bits | (1 << (encoder.vocabulary(1).idOf(name) % 29)), 0);
  expect(crossed[2]).toBe(2 * set(['P', 'D', 'N']));
  expect(crossed[4]).toBe(2 * set(['N']));
  parts.prepare(numbers, 1);
  expect([...direction.subarray(2)]).toEqual([1, 1, 1, 1, 1]);
  expect([...distance.subarray(2)]).toEqual([3, 5, 7, 9, 11]);
});

test('the parts of a labelled arc tell the marker on its dependent and the sibling towards the head', () => {
  const parts = new LabelParts(columns, { heads: one.heads }, one.length);
  parts.prepare(numbers, 5);
  expect(parts.of.direction[2]).toBe(0);
  expect(parts.of.distance[2]).toBe(2);
  expect(parts.of.marker[2]).toBe(2 * (form.idOf('the') + 1));
  expect(parts.of.sibling[2]).toBe(2 * (encoder.vocabulary(1).idOf('P') + 1));
  parts.prepare(numbers, 1);
  expect(parts.of.direction[2]).toBe(1);
  expect(parts.of.marker[2]).toBe(1);
  expect(parts.of.sibling[2]).toBe(1);
});
