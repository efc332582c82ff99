import { expect, test } from 'vitest';
import { mostConfident, SilverTrees, TextSelection } from '../../../combine/distil/silver-trees.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { TextNormalization } from '../../../src/treebank/text-normalization.ts';
import { treebank } from '../../support/sentences.ts';

test('sentences of the gold data and repeated ones are left out, however they are split into words', async () => {
  const word = (id: string | number, form: string) => `${id}\t${form}\t_\t_\t_\t_\t_\t_\t_\t_\n`;
  const split = `${word('1-2', 'Vámonos')}${word(1, 'Vamos')}${word(2, 'nos')}${word(3, '!')}\n`;
  const whole = `${word(1, 'Vámonos')}${word(2, '!')}\n`;
  const other = `${word(1, 'Dámelo')}\n`;
  const otherSplit = `${word('1-3', 'Dámelo')}${word(1, 'Da')}${word(2, 'me')}${word(3, 'lo')}\n`;
  const selected = async (gold: string, text: string) => {
    const selection = new TextSelection();
    await selection.exclude(treebank('gold', ...readSentences(gold)));
    const batches = async function* () {
      yield { file: 'text', line: 1, text };
    };
    let chosen = '';
    for await (const batch of selection.batches({ name: 'text', format: 'conllu', batches }))
      chosen += batch.text;
    return { chosen, heldOut: selection.heldOut };
  };
  expect(await selected(split, whole + other + otherSplit)).toEqual({ chosen: other, heldOut: 1 });
  expect(await selected(whole, split + otherSplit + other)).toEqual({ chosen: otherSplit, heldOut: 1 });
});

test('the same share of short and of long sentences is chosen, the most confident first', () => {
  const lengths = Array.from({ length: 40 }, (_, i) => (i < 20 ? 3 : 30));
  // Short ones are more confident throughout.
  const confidences = lengths.map((length, i) => (length === 3 ? 0.9 : 0.7) + (i % 4) / 100);
  const chosen = mostConfident(lengths, confidences, 0.9);
  expect(chosen.slice(0, 20).filter(Boolean)).toHaveLength(10);
  expect(chosen.slice(20).filter(Boolean)).toHaveLength(10);
  expect(chosen.every((one, i) => (one === 1) === i % 4 > 1)).toBe(true);
});

test('the number chosen is that of the confident sentences, spread over all lengths even if it is small', () => {
  const lengths = Array.from({ length: 89 }, (_, i) => i + 1);
  const confidences = lengths.map((length) => 1 - length / 100);
  for (const count of [0, 1, 4, 45, 88, 89]) {
    const chosen = mostConfident(lengths, confidences, count === 0 ? 1 : confidences[count - 1]);
    expect(chosen.filter(Boolean)).toHaveLength(count);
    if (count === 4) expect(lengths.filter((_, i) => chosen[i] === 1)).toEqual([10, 28, 54, 72]);
  }
});

test('trees without a head are not among the silver trees, and words are normalised as for the models', async () => {
  const token = (form: string, head: string) => `1\t${form}\t_\t_\t_\t_\t${head}\troot\t_\t_\n\n`;
  const texts = [token('yes', '0') + token('no', '_') + token('d’où', '0')];
  const trees = new SilverTrees(
    ['a/x.txt', 'y.txt'],
    texts,
    new TextNormalization(new Map([['’', "'"]]), false),
  );
  const forms: string[] = [];
  for await (const sentence of trees) forms.push(sentence.forms[1]);
  expect({ name: trees.name, forms }).toEqual({ name: 'x.txt + y.txt', forms: ['yes', "d'où"] });
});
