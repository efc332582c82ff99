import { describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import type { Paradigm, ParserImplementation } from '../../parsers/parser.ts';
import { findParadigm, openParser } from '../../parsers/registry.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sentence, treebank } from '../support/sentences.ts';

const paradigms: [string, object][] = [
  ['graph', { epochs: 1, bits: 12 }],
  ['transition', { epochs: 1, bits: 12 }],
  ['transition', { bits: 12, learner: 'svm' }],
  ['yamada-matsumoto', { bits: 12 }],
  ['bigram', {}],
  ['network', { epochs: 1, units: 8 }],
  ['bigram', { estimate: 'zeman' }],
];

async function trained(
  name: string,
  options: object,
  ...sentences: readonly Sentence[]
): Promise<ParserImplementation> {
  const paradigm = (await findParadigm(name)) as Paradigm<object>;
  return paradigm.train(treebank('sample', ...sentences), paradigm.options.parse(options), {
    seed: 1,
    jobs: 1,
  });
}

function reopened(parser: ParserImplementation): Promise<ParserImplementation> {
  const writer = new ModelWriter();
  writer.header.paradigm = parser.paradigm;
  parser.save(writer);
  return openParser(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
}

const columns = { upos: 'N V', xpos: 'n v', feats: 'Case=Nom _' };

describe.each(paradigms)('%s with %o', (name, options) => {
  test('does not read a second tag column that repeats the first', async () => {
    const { reads } = await trained(name, options, sentence('a b', '2 0', { ...columns, xpos: 'N V' }));
    expect(reads).toEqual(['upos', 'feats']);
  });

  test.each(['upos', 'xpos', 'feats'] as const)(
    'does not read %s if that column is empty',
    async (column) => {
      const bare = { ...columns, [column]: '_ _' };
      const { reads } = await trained(name, options, sentence('a b', '2 0', bare));
      expect(reads).toEqual((['upos', 'xpos', 'feats'] as const).filter((other) => other !== column));
    },
  );

  test('knows how often columns were filled in training and with what, also after saving and loading', async () => {
    const parser = await trained(name, options, sentence('a b', '2 0', columns));
    for (const one of [parser, await reopened(parser)]) {
      expect(one.filled).toEqual({ upos: 1, xpos: 1, feats: 0.5 });
      const odd = sentence('a b', '2 0', { upos: 'N X', xpos: 'n v', feats: 'Case=Acc _' });
      expect(one.parse(odd).unseen).toEqual([
        { column: 'upos', token: 2 },
        { column: 'feats', token: 1 },
      ]);
    }
  });
});

test('a bigram parser reads the columns of its templates, and no others', async () => {
  const templates = [{ arcs: ['hp dp'], labels: ['hp dp'] }];
  const one = sentence('a b', '2 0', { ...columns, lemmas: 'a b' });
  expect((await trained('bigram', { templates }, one)).reads).toEqual(['upos']);
  expect((await trained('bigram', {}, one)).reads).toEqual(['lemmas', 'upos', 'xpos', 'feats']);
});

test('training gives a notice if held-out data lack a column that the parser reads', async () => {
  const bare = treebank('bare', sentence('a b', '2 0', { upos: 'N V' }));
  const notices: string[] = [];
  const onNotice = (notice: string) => notices.push(notice);
  const learnt = treebank('sample', sentence('a b', '2 0', { upos: 'N V', xpos: 'n v' }));
  await trainParser('bigram', learnt, { dev: bare, onNotice });
  expect(notices).toContain('bare: no XPOS, which the model was trained to read: expect worse trees');
  await trainParser('bigram', learnt, { dev: learnt, onNotice });
  expect(notices.filter((notice) => /which the model/.test(notice))).toHaveLength(1);
});
