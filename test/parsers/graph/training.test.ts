import { describe, expect, test } from 'vitest';
import { templateSets } from '../../../parsers/graph/features/template-sets.ts';
import { templatesOver } from '../../../parsers/graph/features/templates.ts';
import { graphOptions } from '../../../parsers/graph/options.ts';
import { graph } from '../../../parsers/graph/paradigm.ts';
import { decoders } from '../../../src/decode/registry.ts';
import { type LearnerName, learners } from '../../../src/learn/linear/learner.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { TrainingRun } from '../../../src/training/training-run.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { ReferenceKBestMira, ReferencePerceptron } from '../../support/reference-perceptron.ts';
import { sampleSentences } from '../../support/sample-sentences.ts';
import { sentence, treebank } from '../../support/sentences.ts';

async function trained(
  sentences: readonly Sentence[],
  options: Record<string, unknown>,
  run?: Partial<TrainingRun>,
) {
  return graph.train(treebank('sample', ...sentences), graphOptions.parse(options), {
    seed: 7,
    jobs: 1,
    ...run,
  });
}

async function modelBytes(options: Record<string, unknown>, run?: Partial<TrainingRun>): Promise<Buffer> {
  const writer = new ModelWriter();
  (await trained(await sampleSentences('train', 15), { epochs: 2, bits: 12, ...options }, run)).save(writer);
  return Buffer.from(modelBuffer(writer));
}

/**
 * Few and short sentences, so that no two of their features share a weight. They have no numbers, which the
 * reference implementation does not normalise, and only trees that every decoder can build.
 */
async function easySentences(): Promise<Sentence[]> {
  const easy = ({ forms, heads, length }: Sentence) =>
    length <= 12 && isProjective(heads) && !/\d/.test(forms.join(''));
  return (await sampleSentences('train', 300)).filter(easy).slice(0, 12);
}

async function expectToLearnAs(
  reference: ReferencePerceptron,
  options: Record<string, unknown>,
): Promise<void> {
  const sentences = await easySentences();
  const plain = { epochs: 2, templates: ['mcdonald'], tag: 'upos', bits: 22 };
  const parser = await trained(sentences, { ...plain, ...options });
  reference.train(sentences, 2, 7);
  for (const one of sentences) expect(parser.parse(one)).toMatchObject(reference.parse(one));
}

const referenceTemplates = templatesOver(templateSets.mcdonald, ['upos']);

describe('training the graph parser', () => {
  test.each(Object.keys(learners) as LearnerName[])(
    'with %s gives the same parses as a reference implementation',
    async (learner) => {
      await expectToLearnAs(new ReferencePerceptron(referenceTemplates, learners[learner]), { learner });
    },
  );

  test.each([2, 5])(
    'with mira and the %i best trees gives the same parses as a reference implementation',
    async (miraTrees) => {
      const options = { learner: 'mira', decoder: 'eisner', miraTrees };
      await expectToLearnAs(new ReferenceKBestMira(referenceTemplates, miraTrees), options);
    },
  );

  test.each([
    { learner: 'averaged-perceptron', decoder: 'eisner' },
    { learner: 'mira', decoder: 'chu-liu-edmonds' },
  ])('refuses miraTrees with $learner and $decoder', async (options) => {
    const message = `miraTrees 5 goes with learner mira and decoder eisner, not with ${options.learner} and ${options.decoder}`;
    const training = trained(await sampleSentences('train', 1), { ...options, miraTrees: 5, bits: 12 });
    await expect(training).rejects.toThrow(message);
  });

  test('the same seed gives the same model, byte for byte; another seed gives another', async () => {
    const bytes = await modelBytes({});
    expect((await modelBytes({})).equals(bytes)).toBe(true);
    expect((await modelBytes({}, { seed: 8 })).equals(bytes)).toBe(false);
  });

  test('without shuffling the seed does not matter', async () => {
    const bytes = await modelBytes({ shuffle: false });
    expect((await modelBytes({ shuffle: false }, { seed: 8 })).equals(bytes)).toBe(true);
  });

  test('a model that was saved and loaded parses as before', async () => {
    const parser = await trained(await sampleSentences('train', 25), {
      epochs: 2,
      bits: 14,
      stem: 'prefix:3',
    });
    const writer = new ModelWriter();
    parser.save(writer);
    const loaded = graph.load(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    for (const one of await sampleSentences('test', 10)) expect(loaded.parse(one)).toEqual(parser.parse(one));
  });

  test.each(Object.keys(decoders))(
    '%s: every parse is a tree with one root if the training trees have one',
    async (decoder) => {
      const parser = await trained(await sampleSentences('train', 15), { epochs: 1, bits: 14, decoder });
      for (const one of await sampleSentences('test', 15)) {
        const { heads, labels } = parser.parse(one);
        expect(isTree(heads)).toBe(true);
        expect(roots(heads)).toHaveLength(1);
        expect(labels.slice(1).every((label) => label !== '')).toBe(true);
        if (decoder === 'eisner') expect(isProjective(heads)).toBe(true);
      }
    },
  );

  describe.each(Object.keys(learners) as LearnerName[])(
    '%s, with non-projective training trees,',
    (learner) => {
      const forms = 'a b c d';
      const columns = { upos: 'A B C D', labels: 'w x y z' };
      const crossed = sentence(forms, '3 4 0 3', columns);
      const lifted = sentence(forms, '3 3 0 3', columns);
      const told: string[] = [];
      const bytes = async (one: Sentence, decoder: string) => {
        const writer = new ModelWriter();
        const onNotice = (notice: string) => told.push(notice);
        (await trained([one, one], { learner, decoder, epochs: 4, bits: 12 }, { onNotice })).save(writer);
        return Buffer.from(modelBuffer(writer));
      };

      test('makes them projective for a projective decoder, with a notice', async () => {
        const learnt = await bytes(crossed, 'eisner');
        expect(told).toContain('2 sentences made projective for training by moving 2 arcs up');
        expect(learnt.equals(await bytes(lifted, 'eisner'))).toBe(true);
      });

      test('keeps them as they are for any other decoder', async () => {
        told.length = 0;
        const learnt = await bytes(crossed, 'chu-liu-edmonds');
        expect(told.join()).not.toContain('projective');
        expect(learnt.equals(await bytes(lifted, 'chu-liu-edmonds'))).toBe(false);
      });
    },
  );

  test('a parse may have several roots if the training trees do', async () => {
    const two = sentence('a b', '0 0', { upos: 'X X', labels: 'root root' });
    const parser = await trained([two, two], { epochs: 5, bits: 12 });
    expect([...parser.parse(two).heads]).toEqual([-1, 0, 0]);
    const forced = trained([two], { singleRoot: true });
    await expect(forced).rejects.toThrow('singleRoot: 1 sentence of sample with several roots');
  });

  test('the token of a one-token sentence is attached to the root', async () => {
    const parser = await trained([sentence('a', '0', { labels: 'root' })], { epochs: 1, bits: 12 });
    expect(parser.parse(sentence('b', '0'))).toEqual({
      heads: Int32Array.of(-1, 0),
      labels: ['', 'root'],
      notices: [],
    });
  });

  test('a sentence longer than maxLength is parsed in chunks, with a notice', async () => {
    const parser = await trained(await sampleSentences('train', 200), { epochs: 1, bits: 14, maxLength: 12 });
    const long = (await sampleSentences('dev', 20)).find(({ length }) => length > 16)!;
    const { heads, notices } = parser.parse(long);
    expect(notices).toEqual([`${long.length} tokens, parsed in chunks of 12`]);
    expect(isTree(heads)).toBe(true);
    expect(roots(heads)).toHaveLength(1);
  });

  test('sentences longer than maxLength are left out of training, with a notice', async () => {
    const notices: string[] = [];
    const short = sentence('a b', '0 1', { upos: 'X Y' });
    const long = sentence('a b c', '0 1 1', { upos: 'X Y Y' });
    await trained([short, long], { maxLength: 2, bits: 12 }, { onNotice: (notice) => notices.push(notice) });
    expect(notices).toContain('1 sentence of more than 2 tokens left out of training');
    await expect(trained([long], { maxLength: 2 })).rejects.toThrow(
      'maxLength 2: every sentence of sample is longer',
    );
  });

  test('sentences left out of training affect neither the number of roots nor the tag columns read', async () => {
    const short = sentence('a b', '0 1', { upos: 'X Y', xpos: 'X Y' });
    const long = sentence('a b c', '0 0 0', { upos: 'X Y Y', xpos: 'P Q Q' });
    const notices: string[] = [];
    const options = { maxLength: 2, bits: 12, singleRoot: true };
    await trained([short, long], options, { onNotice: (notice) => notices.push(notice) });
    expect(notices[0]).toBe('features from upos; one root per sentence');
  });
});

test('morphology templates are left out if the treebank has no features, and refused if chosen alone', async () => {
  const bare = sentence('a b', '0 1', { upos: 'N V' });
  const rich = sentence('a b', '0 1', { upos: 'N V', feats: 'Case=Nom Tense=Past' });
  const sets = async (one: Sentence) => {
    const writer = new ModelWriter();
    (await trained([one], { bits: 12, epochs: 1 })).save(writer);
    return JSON.stringify(writer.header.graph).includes('"hm"');
  };
  expect(await sets(bare)).toBe(false);
  expect(await sets(rich)).toBe(true);
  const only = trained([bare], { bits: 12, templates: ['morphology'] });
  await expect(only).rejects.toThrow('templates morphology: sample has no morphological features');
});

test('a parser names the columns that it was trained to read', async () => {
  const one = sentence('a b', '0 1', { upos: 'N V', xpos: 'n v', feats: 'Case=Nom _', lemmas: 'a b' });
  const reads = async (options: object) => (await trained([one], { bits: 12, epochs: 1, ...options })).reads;
  expect(await reads({})).toEqual(['upos', 'xpos', 'feats']);
  expect(await reads({ tag: 'upos', templates: ['mcdonald'] })).toEqual(['upos']);
  expect(await reads({ tag: 'xpos', templates: ['unigram'], stem: 'lemma' })).toEqual(['xpos', 'lemmas']);
  const bare = await trained([sentence('a b', '0 1')], { bits: 12, epochs: 1 });
  expect(bare.reads).toEqual([]);
});

test('a treebank with thousands of labels is refused', async () => {
  const odd = Array.from({ length: 410 }, (_, s) => {
    const labels = Array.from({ length: 10 }, (_, d) => `label-${10 * s + d}`).join(' ');
    return sentence('a b c d e f g h i j', '0 1 1 1 1 1 1 1 1 1', { labels });
  });
  const refusal = 'sample: more than 4096 different labels: is DEPREL in its column?';
  await expect(trained(odd, { bits: 12 })).rejects.toThrow(refusal);
});

describe('tag columns', () => {
  const notices = async (upos: string, xpos: string, tag?: string) => {
    const told: string[] = [];
    const options = { bits: 12, epochs: 1, ...(tag === undefined ? {} : { tag }) };
    const one = sentence('a b', '0 1', { upos, xpos });
    await trained([one], options, { onNotice: (notice) => told.push(notice) });
    return told[0];
  };

  test('are both used if they differ', async () => {
    expect(await notices('N V', 'n v')).toMatch('features from upos and xpos');
  });

  test('are not both used if they are the same or one is empty', async () => {
    expect(await notices('N V', 'N V')).toMatch('features from upos;');
    expect(await notices('_ _', 'n v')).toMatch('features from xpos;');
    expect(await notices('N V', '_ _')).toMatch('features from upos;');
    expect(await notices('_ _', '_ _')).toMatch('no tags;');
  });

  test('are refused if they are chosen but empty', async () => {
    await expect(notices('N V', '_ _', 'xpos')).rejects.toThrow('tag xpos: sample has no such tags');
    await expect(notices('_ _', '_ _', 'both')).rejects.toThrow('tag both: sample has no such tags');
    await expect(notices('N V', '_ _', 'both')).rejects.toThrow(
      'tag both: sample has only one column of tags',
    );
  });
});
