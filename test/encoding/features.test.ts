import { describe, expect, test } from 'vitest';
import { ColumnEncoder, ValueNames, valueAt } from '../../src/encoding/columns.ts';
import { attributesIn, attributeValue } from '../../src/encoding/features.ts';
import { UNKNOWN } from '../../src/encoding/vocabulary.ts';
import { sentence } from '../support/sentences.ts';

function attributes(feats: Readonly<Record<string, number>>) {
  return attributesIn(new Map(Object.entries(feats))).map(({ name, bare }) => [name, ...bare]);
}

describe('attributes of FEATS', () => {
  test('are listed by name, the most frequent first, and layered ones separately', () => {
    const feats = { _: 9, 'Case=Nom|Number=Sing': 2, 'Case=Acc|Number[psor]=Sing': 1, 'Number=Plur': 2 };
    expect(attributes(feats)).toEqual([['Number'], ['Case'], ['Number[psor]']]);
  });

  test('are groups of features that never occur together, if features have no names', () => {
    const feats = { 'ERG|NUMS|MUGM': 3, 'ABS|NUMS': 4, 'GEN|NUMP': 2, 'GEN|NUMS': 1 };
    expect(attributes(feats)).toEqual([
      ['NUMS', 'NUMS', 'NUMP'],
      ['ABS', 'ABS', 'ERG', 'GEN'],
      ['MUGM', 'MUGM'],
    ]);
  });

  test('are the most frequent features, even if every word has a feature of its own', () => {
    const identifiers = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`id${i}`, 1]));
    expect(attributes({ ...identifiers, 'Case=Nom': 2, often: 3 }).map(([name]) => name)).toEqual([
      'often',
      'Case',
    ]);
  });

  test('have one value each, which is _ for a missing attribute', () => {
    const none = () => false;
    expect(attributeValue('Case=Nom|Number=Sing', 'Number', none)).toBe('Sing');
    expect(attributeValue('Number[psor]=Sing', 'Number', none)).toBe('_');
    expect(attributeValue('_', 'Number', none)).toBe('_');
    expect(attributeValue('ERG|NUMS', 'NUMS', (feature) => feature === 'NUMS')).toBe('NUMS');
  });
});

describe('columns of attributes', () => {
  const training = sentence('a b c d', '0 1 1 1', { feats: 'Case=Nom|Number=Sing Case=Acc,Dat Case=Acc _' });
  const encoder = new ColumnEncoder(['form', 'feats'], { normalize: true, stem: 'none' });
  const all = attributesIn(encoder.featsIn([encoder.learn(training)]));
  const [learnt] = encoder.addAttributes(attributesIn(encoder.featsIn([encoder.learn(training)])), [
    encoder.learn(training),
  ]);
  const values = (feats: string, from = encoder) => {
    const encoded = from.encode(sentence('x', '0', { feats }));
    return [2, 3].map((column) => new ValueNames(from).of(column, valueAt(encoded, column, 1)));
  };

  test('are added to training sentences just as to sentences that are encoded later', () => {
    expect(all.map(({ name }) => name)).toEqual(['Case', 'Number']);
    expect(learnt).toEqual(encoder.encode(training));
  });

  test('have the known values of a bundle that training did not have', () => {
    expect(values('Case=Acc|Number=Sing|Tense=Past')).toEqual(['Acc', 'Sing']);
    expect(values('Number=Sing')).toEqual(['_', 'Sing']);
    expect(values('_')).toEqual(['_', '_']);
  });

  test('have several values as one if training had them together, else the first known value', () => {
    expect(values('Case=Acc,Dat')[0]).toBe('Acc,Dat');
    expect(values('Case=Ess,Nom')[0]).toBe('Nom');
    const unknown = encoder.encode(sentence('x', '0', { feats: 'Case=Ess' }));
    expect(valueAt(unknown, 2, 1)).toBe(UNKNOWN);
  });

  test('are the same after they were saved and loaded', () => {
    const again = new ColumnEncoder(encoder.names, { normalize: true, stem: 'none' }, encoder.learnt);
    expect(again.encode(training)).toEqual(learnt);
    expect(values('Case=Ess,Nom|Number=Sing', again)).toEqual(['Nom', 'Sing']);
  });
});
