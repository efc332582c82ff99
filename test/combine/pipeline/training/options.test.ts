import { describe, expect, test } from 'vitest';
import { planOf } from '../../../../combine/pipeline/training/options.ts';

async function planned(parser: string, parserOptions: object = {}) {
  const { parsers } = await planOf({ parser, parserOptions });
  return parsers[0];
}

describe('the plan of a pipeline', () => {
  test('has fewer epochs, with both kinds of columns, for what learns in epochs', async () => {
    expect(await planned('graph', { epochs: 10 })).toMatchObject({ tags: 'both', options: { epochs: 10 } });
    const { options, tags } = await planned('graph');
    expect(tags).toBe('both');
    // As the command line gives what was not asked for.
    expect((await planned('graph', { epochs: undefined })).options).toEqual(options);
    expect(await planned('transition', { learner: 'svm' })).toMatchObject({ tags: 'predicted' });
    expect(await planned('bigram')).toMatchObject({ tags: 'predicted' });
    const machine = await planned('graph', { learner: 'bayes-point', members: 2 });
    expect(machine).toMatchObject({ tags: 'both', options: { learner: 'bayes-point', members: 2 } });
    expect(machine.options).toMatchObject({ epochs: (options as { epochs: number }).epochs });
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
});
