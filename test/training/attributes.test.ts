import { expect, test } from 'vitest';
import { withAttributes } from '../../src/training/attributes.ts';
import { encodeTreebank } from '../../src/training/examples.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { sentence } from '../support/sentences.ts';

/** Words whose label follows from their case, but not from their number; verbs have neither. */
const sentences = Array.from({ length: 60 }, (_, i) => {
  const [first, second] = i % 2 === 0 ? ['Nom', 'Acc'] : ['Acc', 'Nom'];
  const number = i % 3 === 0 ? 'Sing' : 'Plur';
  const label = { Nom: 'nsubj', Acc: 'obj' };
  return sentence('a sees b', '2 0 2', {
    upos: 'N V N',
    feats: `Case=${first}|Number=${number} _ Case=${second}|Number=${number}`,
    labels: `${label[first as 'Nom']} root ${label[second as 'Nom']}`,
  });
});

async function encode(templates: readonly string[]) {
  const options = { normalize: true, stem: 'none', maxLength: 10 };
  const run = { seed: 1, jobs: 1 };
  const whole = await encodeTreebank(inMemory(sentences, 'cases'), () => ['form', 'feats'], options, run);
  return withAttributes(whole, templates);
}

test('m:* stands for the attributes that say something about labels beside the tag', async () => {
  const { encoded, attributes } = await encode(['hp dm:*']);
  expect(attributes).toEqual(['Case']);
  expect(encoded.encoder.names).toContain('feats:Case');
  expect(encoded.encoder.names).not.toContain('feats:Number');
});

test('an attribute that a template names is there, whatever it says', async () => {
  const { encoded, attributes } = await encode(['hm:Number+1 dm:Number']);
  expect(attributes).toEqual([]);
  expect(encoded.encoder.names).toContain('feats:Number');
});

test('without such templates nothing is added', async () => {
  const { encoded } = await encode(['hm dp']);
  expect(encoded.encoder.names.some((name) => name.startsWith('feats:'))).toBe(false);
});
