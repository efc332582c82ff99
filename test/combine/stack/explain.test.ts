import { expect, test } from 'vitest';
import { trainStacked } from '../../../combine/stack/train-stacked.ts';
import { findParadigm } from '../../../parsers/registry.ts';
import { explanationSchema } from '../../../src/explain/explanation.ts';
import type { Alternative } from '../../../src/explain/shared.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { FirstSentences, inMemory } from '../../../src/treebank/treebanks.ts';
import { sampleText } from '../../support/sample.ts';

const small = { epochs: 1, bits: 14 };
const train = () => new FirstSentences(inMemory(readSentences(sampleText('train')), 'train'), 12);
const sentence = readSentences(sampleText('dev'))[13]!;
const graph = { parser: 'graph', options: small };
const bigram = { parser: 'bigram' };

const sumOf = ({ contributions }: Alternative) => contributions.reduce((sum, { weight }) => sum + weight, 0);
const templatesOf = (all: readonly Alternative[]) =>
  all.flatMap(({ contributions }) => contributions.map(({ template }) => template));

test.each([
  ['graph', { ...small }],
  ['graph', { ...small, order: 2 }],
])('a guided %s parser with %o explains an arc by the trees of its guides, too', async (name, options) => {
  const { parser } = await trainStacked(await findParadigm(name), train(), {
    options,
    stacking: { guides: [graph, bigram], folds: 2 },
  });
  const { heads } = parser.parse(sentence);
  const explained = parser.explain!(sentence, { arc: 2 });
  expect(() => explanationSchema.parse(JSON.parse(JSON.stringify(explained)))).not.toThrow();
  expect(explained.tree.heads).toEqual([...heads]);
  if (explained.paradigm !== 'graph') throw new Error('another paradigm');
  const { head, label } = explained.arc!;
  for (const one of [...head.alternatives, ...label.alternatives]) expect(sumOf(one)).toBe(one.score);
  if (explained.order === 1) expect(head.alternatives[0].score).toBe(explained.arcs[1].score);
  expect(head.margin).toBe(explained.arcs[1].margin);
  const templates = templatesOf(head.alternatives);
  for (const whose of ['guide 1: ', 'guide 2: ', 'all guides: ']) {
    expect(
      templates.some((template) => template.startsWith(whose)),
      whose,
    ).toBe(true);
  }
});

test('a guided transition-based parser explains its steps by the trees of its guides, too', async () => {
  const { parser } = await trainStacked('transition', train(), {
    options: { ...small, beam: 2, direction: 'right-to-left' },
    stacking: { guides: [graph, bigram], folds: 2 },
  });
  const { heads } = parser.parse(sentence);
  for (let step = 1; step <= 8; step++) {
    const explained = parser.explain!(sentence, { step });
    expect(explained.tree.heads).toEqual([...heads]);
    if (explained.paradigm !== 'transition') throw new Error('another paradigm');
    const [chosen] = explained.decision!.action.alternatives;
    expect(chosen.score).toBe(explained.steps[step - 1].score);
    expect(chosen.contributions.some(({ template }) => template.startsWith('guide 1: '))).toBe(true);
  }
});
