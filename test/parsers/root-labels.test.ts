import { describe, expect, test } from 'vitest';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm } from '../../parsers/registry.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { sampleSentences } from '../support/sample-sentences.ts';
import { treebank } from '../support/sentences.ts';

const learnt = await sampleSentences('train', 15);
const unseen = await sampleSentences('dev', 8);
const small = { epochs: 1, bits: 14, maxLength: 40 };

function retagged(one: Sentence, tag: (tag: string) => string): Sentence {
  const column = (tags: readonly string[]) => tags.map((old, d) => (d === 0 ? '' : tag(old)));
  return { ...one, upos: column(one.upos), xpos: column(one.xpos), feats: column(one.feats) };
}

/** One sentence with the words of several, long enough to be parsed in chunks. */
function joined(sentences: readonly Sentence[]): Sentence {
  const column = (name: 'forms' | 'lemmas' | 'upos' | 'xpos' | 'feats') => [
    '',
    ...sentences.flatMap((one) => one[name].slice(1)),
  ];
  const forms = column('forms');
  const rest = {
    lemmas: column('lemmas'),
    upos: column('upos'),
    xpos: column('xpos'),
    feats: column('feats'),
  };
  return { ...sentences[0], ...rest, length: forms.length - 1, forms };
}

/** Sentences unlike those of training: without tags, with unseen tags, and a very long one. */
const odd = [
  ...unseen.map((one) => retagged(one, () => '_')),
  ...unseen.map((one) => retagged(one, (tag) => `${tag}:other`)),
  ...unseen.map((one) => retagged(one, (tag) => (tag === 'NOUN' ? 'N' : tag))),
  joined(unseen),
];

describe.each<[string, object]>([
  ['graph', small],
  ['graph', { ...small, decoder: 'eisner' }],
  ['transition', { ...small, beam: 1 }],
  ['transition', { ...small, beam: 4, direction: 'right-to-left' }],
  ['transition', { ...small, beam: 4, system: 'arc-swap' }],
  ['transition', { bits: 14, maxLength: 40, learner: 'svm' }],
  ['yamada-matsumoto', { bits: 14, maxLength: 40 }],
  ['bigram', { maxLength: 40 }],
  ['network', { maxLength: 40, epochs: 1, units: 8 }],
  ['bigram', { maxLength: 40, estimate: 'zeman' }],
])(
  '%s with %o, trained on trees in which exactly the tokens with head 0 have the label root',
  (name, options) => {
    test('labels exactly the tokens with head 0 as root, even without tags, with unseen tags, or in chunks', async () => {
      const paradigm = (await findParadigm(name)) as Paradigm<object>;
      const run = { seed: 3, jobs: 1 };
      const parser = await paradigm.train(
        treebank('sample', ...learnt),
        paradigm.options.parse(options),
        run,
      );
      for (const one of odd) {
        const { heads, labels } = parser.parse(one);
        for (let d = 1; d <= one.length; d++) expect(labels[d] === 'root', `token ${d}`).toBe(heads[d] === 0);
      }
    });
  },
);
