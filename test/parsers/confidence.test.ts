import { beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import type { Parser } from '../../parsers/parser.ts';
import { findParadigm, openParser, writeParser } from '../../parsers/registry.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { samplePath } from '../support/sample.ts';

const paradigms: [string, object][] = [
  ['graph', { epochs: 1, bits: 14, decoder: 'eisner' }],
  ['graph', { epochs: 1, bits: 14, decoder: 'chu-liu-edmonds' }],
  ['graph', { epochs: 1, bits: 14, order: 2 }],
  ['graph', { epochs: 1, bits: 14, maxLength: 20 }],
  ['transition', { epochs: 1, bits: 14, beam: 4 }],
  ['transition', { epochs: 1, bits: 14, beam: 1, system: 'arc-swap', direction: 'right-to-left' }],
  ['transition', { bits: 14, learner: 'svm', system: 'arc-standard' }],
  ['yamada-matsumoto', { bits: 14 }],
  ['bigram', {}],
  ['network', { epochs: 4, units: 8 }],
  ['bigram', { estimate: 'zeman' }],
];

let dev: Sentence[] = [];
beforeAll(async () => {
  dev = (await sentencesIn('dev')).slice(0, 24);
});

async function sentencesIn(part: 'train' | 'dev'): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(samplePath(part))) sentences.push(sentence);
  return sentences;
}

describe.each(paradigms)('%s with %o', (name, options) => {
  let parser: Parser;
  beforeAll(async () => {
    const train = inMemory((await sentencesIn('train')).slice(0, 30), 'train');
    ({ parser } = await trainParser(await findParadigm(name), train, { options, dev: inMemory(dev, 'dev') }));
  });

  test('gives the same tree with and without confidences, which are from 0 to 1', () => {
    for (const sentence of dev.slice(0, 10)) {
      const { confidences, ...parse } = parser.parse(sentence, { confidence: true });
      const { confidences: none, ...plain } = parser.parse(sentence);
      expect(plain).toEqual(parse);
      expect(none).toBeUndefined();
      expect(confidences).toHaveLength(sentence.length + 1);
      for (const figure of confidences!.subarray(1)) expect(figure >= 0 && figure <= 1).toBe(true);
    }
  });

  test('is on average more confident of right arcs than of wrong ones', () => {
    const raw: Parser = Object.assign(Object.create(parser) as Parser, { calibration: undefined });
    const sums = { right: [0, 0], wrong: [0, 0] };
    for (const sentence of dev) {
      const { heads, confidences } = raw.parse(sentence, { confidence: true });
      for (let d = 1; d < heads.length; d++) {
        const of = heads[d] === sentence.heads[d] ? sums.right : sums.wrong;
        of[0] += confidences![d];
        of[1] += 1;
      }
    }
    expect(sums.right[0] / sums.right[1]).toBeGreaterThan(sums.wrong[0] / sums.wrong[1]);
  });

  test('is calibrated on held-out sentences, and saves the calibration in its model', async () => {
    expect(parser.calibration).toBeDefined();
    const writer = new ModelWriter();
    writeParser(writer, parser, {});
    const opened = await openParser(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    expect(opened.calibration).toEqual(parser.calibration);
    for (const sentence of dev.slice(0, 5)) {
      const asked = { confidence: true };
      expect(opened.parse(sentence, asked).confidences).toEqual(parser.parse(sentence, asked).confidences);
    }
  });
});

test('a parser trained without held-out sentences has no calibration in its header', async () => {
  const { parser } = await trainParser('bigram', samplePath('dev'));
  const writer = new ModelWriter();
  writeParser(writer, parser, {});
  expect(writer.header).not.toHaveProperty('calibration');
});
