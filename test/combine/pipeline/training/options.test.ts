import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planOf } from '../../../../combine/pipeline/training/options.ts';
import { InputError, OptionError } from '../../../../src/errors.ts';
import { encoderFile } from '../../../support/encoder-file.ts';
import { vectorFile } from '../../../support/vector-file.ts';

async function planned(parser: string, parserOptions: object = {}) {
  const { parsers } = await planOf({ parser, parserOptions });
  return parsers[0];
}

describe('the plan of a pipeline', () => {
  test('has both kinds of columns and fewer epochs for parsers that are trained in epochs', async () => {
    expect(await planned('graph', { epochs: 10 })).toMatchObject({ tags: 'both', options: { epochs: 10 } });
    const { options, tags } = await planned('graph');
    expect(tags).toBe('both');
    // The command line passes undefined for options that were not given.
    expect((await planned('graph', { epochs: undefined })).options).toEqual(options);
    expect(await planned('transition', { learner: 'svm' })).toMatchObject({ tags: 'predicted' });
    expect(await planned('bigram')).toMatchObject({ tags: 'predicted' });
    const machine = await planned('graph', { learner: 'bayes-point', members: 2 });
    expect(machine).toMatchObject({ tags: 'both', options: { learner: 'bayes-point', members: 2 } });
    expect(machine.options).toMatchObject({ epochs: (options as { epochs: number }).epochs });
  });

  test('has a network for a large treebank or with a language model, unless a parser or its options are given', async () => {
    const chosen = async (given: object, sentences: number) =>
      (await planOf(given, sentences)).parsers[0].paradigm.name;
    expect(await chosen({}, 249)).toBe('graph');
    expect(await chosen({ tags: 'gold' }, 250)).toBe('network');
    expect(await chosen({ encoder: await encoderFile() }, 10)).toBe('network');
    expect(await chosen({ parser: 'graph' }, 250)).toBe('graph');
    expect(await chosen({ parserOptions: { beam: 2 } }, 250)).toBe('transition');
    expect(await chosen({ guides: [{ parser: 'graph' }] }, 250)).toBe('transition');
  });

  test('has fewer epochs for guides, too', async () => {
    const guides = [{ parser: 'graph' }, { parser: 'graph', options: { epochs: 10 } }, { parser: 'bigram' }];
    const { parsers } = await planOf({ parser: 'graph', guides });
    const [{ options, tags, guides: learnt }] = parsers;
    expect(tags).toBe('both');
    expect(learnt.slice(0, 2)).toMatchObject([{ options }, { options: { epochs: 10 } }]);
    const predicted = await planOf({ parser: 'graph', guides, tags: 'predicted' });
    expect(predicted.parsers[0].guides[0].options).not.toEqual(options);
  });

  test('has folds only if something is jackknifed', async () => {
    await expect(planOf({ parser: 'graph', tags: 'gold', folds: 3 })).rejects.toThrow(
      'folds does not go with tags gold',
    );
    const guides = [{ parser: 'bigram' }];
    expect((await planOf({ parser: 'graph', tags: 'gold', folds: 3, guides })).folds).toBe(3);
  });

  test('gives word vectors and a language model to its tagger, and to the parsers that take them', async () => {
    const vectors = vectorFile(['a']);
    // The command line passes undefined for options that were not given.
    const own = { vectors: undefined, vectorsLimit: undefined };
    const members = [{ parser: 'network', options: own }, { parser: 'graph' }];
    const asked = { parser: 'vote', members, tagger: own, vectors, vectorsLimit: 9 };
    const { parsers, annotators } = await planOf(asked);
    const given = { vectors: expect.objectContaining({ path: vectors }), vectorsLimit: 9 };
    expect(annotators.tagger).toMatchObject(given);
    expect(parsers[0].options).toMatchObject(given);
    expect(parsers[1].options).not.toHaveProperty('vectors');
    const encoder = await encoderFile();
    const reading = await planOf({ ...asked, vectors: undefined, vectorsLimit: undefined, encoder });
    for (const { options } of [{ options: reading.annotators.tagger }, reading.parsers[0]])
      expect(options).toMatchObject({ encoder: expect.objectContaining({ path: encoder }) });
    await expect(planOf({ encoder: vectors })).rejects.toThrow(InputError);
    await expect(planOf({ vectorsLimit: 9 })).rejects.toThrow(OptionError);
    writeFileSync(vectors, 'no vectors');
    await expect(planOf({ vectors })).rejects.toThrow(InputError);
    writeFileSync(vectors, 'a 1 2');
    const linear = await planOf({ vectors, tagger: { units: 0 } });
    expect(linear.annotators.tagger).not.toHaveProperty('vectors');
  });
});
