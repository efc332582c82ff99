import { expect, test } from 'vitest';
import { SilverTrees } from '../../../combine/distil/silver-trees.ts';
import { AgreedTrees } from '../../../combine/distil/tri-training.ts';

/** Sentences of two tokens each, whose first tokens have these heads and labels. */
const trees = (...arcs: [head: number, label: string][]) =>
  new SilverTrees(
    ['raw.txt'],
    arcs.map(([head, label], i) => {
      const [first, second] = head === 2 ? [2, 0] : head === 0 ? [0, 1] : ['_', '_'];
      const tokens = [
        `1\ta${i}\t_\t_\t_\t_\t${first}\t${label}\t_\t_`,
        `2\tb${i}\t_\t_\t_\t_\t${second}\tx\t_\t_`,
      ];
      return `${tokens.join('\n')}\n\n`;
    }),
  );

const formsOf = async (agreed: AgreedTrees) => {
  const forms: string[] = [];
  for await (const sentence of agreed) forms.push(sentence.forms[1]);
  return forms;
};

test('a sentence is agreed on if all parsers give it the same heads and the same labels', async () => {
  const one = trees([2, 'det'], [2, 'det'], [0, 'det'], [0, 'obj'], [2, 'x']);
  const two = trees([2, 'det'], [2, 'obj'], [2, 'det'], [0, 'obj'], [2, 'x']);
  const three = trees([2, 'det'], [2, 'det'], [0, 'det'], [0, 'obj'], [0, 'x']);
  expect(await formsOf(new AgreedTrees([one, two]))).toEqual(['a0', 'a3', 'a4']);
  expect(await formsOf(new AgreedTrees([one, three]))).toEqual(['a0', 'a1', 'a2', 'a3']);
  const all = new AgreedTrees([one, two, three]);
  expect(await formsOf(all)).toEqual(['a0', 'a3']);
  expect(await all.count()).toBe(2);
  expect(all.digest).not.toBe(new AgreedTrees([one, two]).digest);
});

test('a sentence that a parser could not parse is not agreed on, even if all failed', async () => {
  const failed: [number, string] = [-1, '_'];
  const one = trees(failed, [2, 'det'], [2, 'det']);
  const two = trees(failed, failed, [2, 'det']);
  expect(await formsOf(new AgreedTrees([one, two]))).toEqual(['a2']);
});
