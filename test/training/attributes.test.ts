import { expect, test } from 'vitest';
import { ColumnEncoder } from '../../src/encoding/columns.ts';
import { withAttributes, withFineTags } from '../../src/training/attributes.ts';
import { encodeTreebank } from '../../src/training/examples.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
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

test('m:* stands for the attributes that are more informative about labels than the tag alone', async () => {
  const { encoded, attributes } = await encode(['hp dm:*']);
  expect(attributes).toEqual(['Case']);
  expect(encoded.encoder.names).toContain('feats:Case');
  expect(encoded.encoder.names).not.toContain('feats:Number');
});

test('an attribute that a template names is added even if it is not informative', async () => {
  const { encoded, attributes } = await encode(['hm:Number+1 dm:Number']);
  expect(attributes).toEqual([]);
  expect(encoded.encoder.names).toContain('feats:Number');
});

test('no attribute is added if no template reads attributes', async () => {
  const { encoded } = await encode(['hm dp']);
  expect(encoded.encoder.names.some((name) => name.startsWith('feats:'))).toBe(false);
});

/** Like `sentences`, each with a feature of its own that does not matter for labels, and with XPOS. */
function withTags(tagOf: (feats: string, i: number) => string): Sentence[] {
  return sentences.map((one, i) => {
    const own = one.feats.map((feats) => (feats === '_' || feats === '' ? feats : `${feats}|Place=P${i}`));
    return { ...one, feats: own, xpos: one.upos.map((tag, d) => tag && tag + tagOf(own[d], i)) };
  });
}

/** Hundreds of tags that spell FEATS out. */
const spelledOut = withTags((feats) => feats.replace(/[=|]/g, ''));

async function fineTagsOver(treebank: readonly Sentence[], templates: readonly string[]) {
  const options = { normalize: true, stem: 'none', maxLength: 10 };
  const notices: string[] = [];
  const run = { seed: 1, jobs: 1, onNotice: (text: string) => notices.push(text) };
  const columns = () => ['form', 'upos', 'xpos', 'feats'] as const;
  const whole = await encodeTreebank(inMemory(treebank, 'tags'), columns, options, run);
  return { fineTag: withFineTags(whole, templates, run), whole, notices };
}

test('an XPOS with many values that repeat FEATS is replaced by the tag with informative attributes', async () => {
  const { fineTag, whole, notices } = await fineTagsOver(spelledOut, ['dm:*']);
  expect(fineTag).toEqual(['Case']);
  expect(notices.join()).toContain('XPOS repeats FEATS: upos with Case in its place');
  const { encoder, examples } = whole;
  const xpos = encoder.names.indexOf('xpos');
  expect(encoder.vocabulary(xpos).strings()).toEqual(['N-Nom', 'V-_', 'N-Acc']);
  // Parsing encodes sentences as training did, and so does an encoder rebuilt from its saved data.
  const saved = new ColumnEncoder(encoder.names, { normalize: true, stem: 'none', fineTag }, encoder.learnt);
  for (const one of [encoder, saved]) {
    const again = spelledOut.map((sentence) => one.encode(sentence).columns);
    expect(again).toEqual(examples.map(({ columns }) => columns));
  }
  expect(encoder.sourcesOf('xpos')).toEqual(['upos', 'feats']);
});

test('an XPOS is kept if it is informative, has few values, or if no template reads single features', async () => {
  const own = withTags((_, i) => String(i));
  expect((await fineTagsOver(own, ['dm:*'])).fineTag).toBeUndefined();
  expect((await fineTagsOver(spelledOut.slice(0, 20), ['dm:*'])).fineTag).toBeUndefined();
  expect((await fineTagsOver(spelledOut, ['dm'])).fineTag).toBeUndefined();
});
