import { expect, test } from 'vitest';
import { networkOptions } from '../../../parsers/network/options.ts';
import { network } from '../../../parsers/network/paradigm.ts';
import { sentence, treebank } from '../../support/sentences.ts';

const some = [
  sentence('the cat sees a dog', '2 3 0 5 3', {
    upos: 'DET NOUN VERB DET NOUN',
    labels: 'det nsubj root det obj',
  }),
  sentence('a dog sees', '2 3 0', { upos: 'DET NOUN VERB', labels: 'det nsubj root' }),
  sentence('sees the dog', '0 3 1', { upos: 'VERB DET NOUN', labels: 'root det obj' }),
];

test('probable arcs are returned on request, with probabilities that agree with confidences and labels', async () => {
  const options = networkOptions.parse({ epochs: 6, units: 8, layers: 1, maxLength: 8 });
  const parser = await network.train(treebank('some', ...Array(6).fill(some).flat()), options, {
    seed: 3,
    jobs: 1,
  });
  const asked = sentence('the dog sees the cat', '2 3 0 5 3', { upos: 'DET NOUN VERB DET NOUN' });
  expect(parser.parse(asked).arcs).toBeUndefined();
  const { heads, labels, arcs, confidences } = parser.parse(asked, { arcs: true, confidence: true });
  const { first, probabilities } = arcs!;
  expect([first[1], first[6]]).toEqual([0, arcs!.heads.length]);
  for (let d = 1; d <= 5; d++) {
    const list = Array.from({ length: first[d + 1] - first[d] }, (_, i) => first[d] + i);
    const sum = (of: number[]) => of.reduce((all, i) => all + probabilities[i], 0);
    expect(sum(list)).toBeGreaterThan(0.8);
    expect(sum(list)).toBeLessThanOrEqual(1 + 1e-9);
    expect(list.some((i) => arcs!.heads[i] === d || probabilities[i] < 0.01)).toBe(false);
    const ofHead = list.filter((i) => arcs!.heads[i] === heads[d]);
    expect(Math.abs(sum(ofHead) - confidences![d])).toBeLessThan(0.05);
    const best = ofHead.reduce((one, i) => (probabilities[i] > probabilities[one] ? i : one));
    expect(arcs!.labels[best]).toBe(labels[d]);
  }
  const long = sentence(new Array(9).fill('dog').join(' '), '0 1 1 1 1 1 1 1 1');
  expect(parser.parse(long, { arcs: true }).arcs).toBeUndefined();
});
