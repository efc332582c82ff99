import { describe, expect, it } from 'vitest';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { surfaceTokens } from '../../../src/treebank/surface.ts';
import { planIn } from '../../support/planned.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('leakage');
const members = [{ name: 'any tree' }, { name: 'projective', options: { decoder: 'eisner' } }];

describe('scored sentences that are also in the training data', () => {
  const [train, dev, test] = (['train', 'dev', 'test'] as const).map(samplePath);
  /** A treebank with the training sentences followed by the dev sentences. */
  const longer = sandbox.save('longer.conllu', sampleText('train') + sampleText('dev'));
  const warnings = async (treebank: object, content: object = {}) =>
    (await planIn(sandbox, { rows: members, ...content, defaults: { treebank } })).plan.warnings;
  const all = (scored: string, learnt: string, title = 'longer.conllu') =>
    `${title}: 64 of 64 sentences of ${scored} (100.0% of its tokens) are also in ${learnt}, with the same trees: scores on them are too high`;

  it('cause one warning for each pair of files, in dev and test parts', async () => {
    expect(await warnings({ train: longer, dev })).toEqual([all('dev.conllu', 'longer.conllu')]);
    const more = sandbox.save('more.conllu', sampleText('test') + sampleText('dev'));
    const [final, ...none] = await warnings({ train, dev, test: more }, { final: true });
    expect(final).toMatch(
      /^train\.conllu: 64 of \d+ sentences of more\.conllu .* in train\.conllu \+ dev\.conllu,/,
    );
    expect(none).toEqual([]);
    expect(await warnings({ train, dev, test }, { final: true })).toEqual([]);
  });

  it('are counted for the largest training size of a sweep', async () => {
    const curve = (...values: number[]) => ({ rows: undefined, sweep: { option: 'trainSentences', values } });
    expect(await warnings({ train: longer, dev }, curve(100, 303))).toEqual([]);
    const most = (await warnings({ train: longer, dev }, curve(304, 310, 100))).map((each) =>
      each.slice(0, 40),
    );
    expect(most).toEqual(['longer.conllu: 7 of 64 sentences of dev.']);
  });

  it('are counted within one file only if they repeat, and also in the training data of a tagger', async () => {
    expect(await warnings({ train })).toEqual([]);
    const twice = sandbox.save('twice.conllu', sampleText('dev').repeat(2));
    expect(
      await warnings({ train: twice, name: 'Twice' }, { columns: [{ name: 'half', devShare: 0.5 }] }),
    ).toEqual([all('the held-out part', 'the training part', 'Twice')]);
    const tagged = { name: 'tagged', tags: 'predicted-at-test', taggedBy: { train: longer, name: 'Tags' } };
    const half = sandbox.save('half.conllu', sampleText('dev') + sampleText('test'));
    expect(
      (await warnings({ train, dev: half }, { rows: [tagged] })).map((each) => each.slice(0, 12)),
    ).toEqual(['Tags: 27 of ']);
  });

  it('are counted in silver trees by their text, if they are too few to be refused', async () => {
    const [first] = readSentences(sampleText('dev'));
    const chain = surfaceTokens(first!).map(
      ({ form }, i) => `${i + 1}\t${form}\t_\t_\t_\t_\t${i}\troot\t_\t_\n`,
    );
    const trees = sandbox.save('silver.conllu', `${sampleText('test')}${chain.join('')}\n`);
    const students = members.map((each) => ({ ...each, silver: { trees } }));
    const silver = (content: object) => warnings({ train, dev, test }, content);
    expect(await silver({ rows: students })).toEqual([
      expect.stringMatching(
        /^train\.conllu: 1 of 64 sentences of dev\.conllu \(\d\.\d% of its tokens\) is also in silver\.conllu, with the same text: /,
      ),
    ]);
    const firstTrees = members.map((each) => ({ ...each, silver: { trees, sentences: 66 } }));
    expect(await silver({ rows: firstTrees })).toEqual([]);
  });
});
