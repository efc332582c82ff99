import { expect, test } from 'vitest';
import { SilverTrees, surest } from '../../../combine/distil/silver-trees.ts';
import { TextNormalization } from '../../../src/treebank/text-normalization.ts';

test('of short and long sentences the same share is chosen, the surest first', () => {
  const lengths = Array.from({ length: 40 }, (_, i) => (i < 20 ? 3 : 30));
  // Short ones are surer throughout.
  const confidences = lengths.map((length, i) => (length === 3 ? 0.9 : 0.7) + (i % 4) / 100);
  const chosen = surest(lengths, confidences, 0.9);
  expect(chosen.slice(0, 20).filter(Boolean)).toHaveLength(10);
  expect(chosen.slice(20).filter(Boolean)).toHaveLength(10);
  expect(chosen.every((one, i) => (one === 1) === i % 4 > 1)).toBe(true);
});

test('trees without a head are no silver trees; words are as the models read them', async () => {
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
