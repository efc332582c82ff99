import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { trainParser } from '../../combine/train-parser.ts';
import { bestTrees, type ScoredLabel } from '../../parsers/constituency/spans/k-best.ts';
import type { Parser } from '../../parsers/parser.ts';
import { findParadigm, openParser, writeParser } from '../../parsers/registry.ts';
import { parseBatch } from '../../parsers/run/batch-parser.ts';
import type { ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { parseSource, type SentenceSource } from '../../parsers/run/parse-file.ts';
import { UsageError } from '../../src/errors.ts';
import { punctuationRules } from '../../src/evaluate/attachment/punctuation.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { oraclePhrases, oracleTrees } from '../../src/evaluate/oracle.ts';
import { scorePhrases } from '../../src/evaluate/parseval/score-phrases.ts';
import { Calibration } from '../../src/learn/calibration.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { formatBrackets } from '../../src/treebank/phrases/brackets.ts';
import {
  openTreebank,
  phraseTrees,
  readSentences,
  type TreeOfFile,
} from '../../src/treebank/reading/treebank-file.ts';
import { sentenceOf } from '../../src/treebank/sentence.ts';
import { isTree } from '../../src/treebank/tree.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { modelBuffer } from '../support/model-buffer.ts';
import { sampleBrackets, sampleText } from '../support/sample.ts';

const kinds: [paradigm: string, options: object][] = [
  ['graph', { epochs: 2, bits: 16 }],
  ['graph', { epochs: 2, bits: 16, decoder: 'eisner', pseudoProjective: 'head' }],
  ['transition', { epochs: 1, bits: 14, beam: 4 }],
  ['transition', { epochs: 1, bits: 14, beam: 4, direction: 'right-to-left' }],
  ['network', { epochs: 2, units: 8, layers: 1 }],
  ['spans', { epochs: 6, units: 16, layers: 1 }],
  ['pcfg', {}],
  ['pcfg', { splitMerge: 1 }],
];

const test20 = readSentences(sampleText('test')).slice(0, 20);

const parsers = new Map<string, Promise<Parser>>();

/** Trains a parser, or returns the one that another test has trained with the same options. */
function trained(paradigm: string, options: object): Promise<Parser> {
  const name = `${paradigm} ${JSON.stringify(options)}`;
  const parser = parsers.get(name) ?? train(paradigm, options);
  parsers.set(name, parser);
  return parser;
}

async function train(paradigm: string, options: object): Promise<Parser> {
  const text = ['spans', 'pcfg'].includes(paradigm) ? sampleBrackets('train') : sampleText('train');
  const treebank = inMemory(readSentences(text).slice(0, 25), 'sample');
  return (await trainParser(await findParadigm(paradigm), treebank, { options })).parser;
}

describe.each(kinds)('%s with %o', (paradigm, options) => {
  let parser: Parser;
  beforeAll(async () => {
    parser = await trained(paradigm, options);
  });

  test('finds different trees with probabilities, the best first', () => {
    let [several, best] = [0, 0];
    for (const sentence of test20) {
      const found = parser.nBest!(sentence, 5);
      if (found.length > 1) several++;
      expect(found.length).toBeLessThanOrEqual(5);
      for (const { heads } of found) expect(isTree(heads)).toBe(true);
      const keyOf = (one: (typeof found)[number]) =>
        one.phrases ? formatBrackets(one.phrases) : `${one.heads} ${one.labels}`;
      expect(new Set(found.map(keyOf)).size).toBe(found.length);
      const shares = found.map(({ probability }) => probability ?? 0);
      best += shares[0];
      expect(shares.slice(1)).toEqual(shares.slice(1).toSorted((a, b) => b - a));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1.000001);
      const { heads, labels } = parser.parse(sentence);
      expect({ heads: found[0].heads, labels: found[0].labels }).toEqual({ heads, labels });
    }
    expect(several).toBeGreaterThan(10);
    expect(best).toBeGreaterThan(0);
  });
});

test('the oracle chooses the tree with the fewest errors in the tokens that the punctuation rule counts', async () => {
  const tree = (rank: number, first: number, last: number) =>
    `# tree = ${rank} of 2\n1\tHe\t_\tPRON\t_\t_\t${first}\tnsubj\t_\t_\n2\tran\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\t.\t_\tPUNCT\t_\t_\t${last}\tpunct\t_\t_\n\n`;
  const inFile = (text: string) => inMemory(readSentences(text, { expect: 'heads' }), 'trees');
  const gold = inFile(tree(1, 2, 2));
  const ranked = inFile(tree(1, 3, 2) + tree(2, 2, 1));
  for (const [punctuation, las] of [
    ['include', 100 * (2 / 3)],
    ['upos', 100],
  ] as const) {
    const oracle = oracleTrees(gold, ranked, 'ranked', punctuationRules[punctuation]);
    expect((await evaluate(gold, oracle, { punctuation })).las).toBeCloseTo(las);
  }
});

test.each([
  ['graph', { epochs: 2, bits: 16 }],
  ['spans', { epochs: 6, units: 16, layers: 1 }],
])(
  'calibration on held-out data makes the probabilities of trees of %s more accurate',
  async (paradigm, options) => {
    const isGraph = paradigm === 'graph';
    const read = (part: 'train' | 'dev') => readSentences(isGraph ? sampleText(part) : sampleBrackets(part));
    const dev = read('dev').slice(0, 30);
    const treebank = inMemory(read('train').slice(0, 25), 'train');
    const found = await findParadigm(paradigm);
    const { parser } = await trainParser(found, treebank, { options, dev: inMemory(dev, 'dev') });
    const writer = new ModelWriter();
    writeParser(writer, parser, {});
    const opened = await openParser(ModelReader.fromBuffer(modelBuffer(writer), 'model'));
    const { raw, trees, calibrated } = parser.calibration!.data;
    const errorOf = () => {
      const best = dev.map((sentence) => parser.nBest!(sentence, 10));
      for (const ranked of best) {
        const shares = ranked.map(({ probability }) => probability!);
        expect(shares.slice(1)).toEqual(shares.slice(1).sort((a, b) => b - a));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThan(1.000001);
      }
      const mean = best.reduce((sum, [{ probability }]) => sum + probability!, 0) / dev.length;
      const right = best.filter(([{ heads, labels }], s) =>
        heads.every((head, d) => d === 0 || (head === dev[s].heads[d] && labels[d] === dev[s].labels[d])),
      );
      return Math.abs(mean - right.length / dev.length);
    };
    expect(opened.nBest!(dev[0], 3)).toEqual(parser.nBest!(dev[0], 3));
    const calibratedError = errorOf();
    parser.calibration = new Calibration({ raw, calibrated });
    expect(trees).toBeDefined();
    expect(calibratedError).toBeLessThan(errorOf());
  },
);

test.each([{ vertical: 1, horizontal: '0', splits: [] }, { splitMerge: 1 }, { splitMerge: 1, grammars: 2 }])(
  'probabilities of all trees of a grammar sum to one: %o',
  async (options) => {
    const parser = await trained('pcfg', options);
    let whole = 0;
    for (const { forms } of test20.slice(0, 6)) {
      const trees = parser.nBest!(sentenceOf(forms.slice(1, 4).join(' ')), 20_000);
      if (trees.length < 2 || trees[0].probability === undefined) continue;
      whole++;
      const sum = trees.reduce((all, { probability }) => all + probability!, 0);
      expect(sum).toBeGreaterThan(0.999);
      expect(sum).toBeLessThan(1.000001);
    }
    expect(whole).toBeGreaterThan(2);
  },
);

test('calibration on held-out data lowers the probabilities of trees of a grammar', async () => {
  const [train, dev] = [sampleBrackets('train'), sampleBrackets('dev')].map((text) => readSentences(text));
  const run = { options: {}, dev: inMemory(dev.slice(0, 30), 'dev') };
  const { parser } = await trainParser(
    await findParadigm('pcfg'),
    inMemory(train.slice(0, 100), 'train'),
    run,
  );
  const some = dev.slice(0, 12);
  const mean = () => some.reduce((sum, one) => sum + parser.nBest!(one, 10)[0].probability!, 0) / some.length;
  const calibrated = mean();
  const { raw, trees, calibrated: arcs } = parser.calibration!.data;
  expect(trees).toBeDefined();
  parser.calibration = new Calibration({ raw, calibrated: arcs });
  expect(mean()).toBeGreaterThan(calibrated);
});

test('bestTrees finds the k best of all labelled binary trees of up to four words', () => {
  function* all(
    i: number,
    j: number,
    labels: (i: number, j: number) => ScoredLabel[],
    isRight = false,
  ): Generator<[string, number]> {
    for (const { label, score } of labels(i, j)) {
      // Trees are binarised to the left, so that a right part of several words is always a phrase.
      if (isRight && label === 0 && j > i + 1) continue;
      const own = score + 10 * j + i;
      if (j === i + 1) yield [`${i}-${j}:${label}`, own];
      for (let k = i + 1; k < j; k++) {
        for (const [left, l] of all(i, k, labels)) {
          for (const [right, r] of all(k, j, labels, true))
            yield [`${i}-${j}:${label} ${left} ${right}`, own + l + r];
        }
      }
    }
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 50, maxLength: 50 }),
      (n, k, draws) => {
        const labels = (i: number, j: number) =>
          [0, 1]
            .map((label) => ({ label, score: draws[2 * (i * 5 + j) + label] }))
            .sort((a, b) => b.score - a.score);
        const values = Float32Array.from(
          { length: (n + 1) ** 2 },
          (_, at) => 10 * Math.floor(at / (n + 1)) + (at % (n + 1)),
        );
        const expected = [...all(0, n, labels)].sort(([, a], [, b]) => b - a);
        const found = bestTrees({ values, rowLength: n + 1 }, n, k, labels);
        expect(found.map(({ score }) => score)).toEqual(expected.slice(0, k).map(([, score]) => score));
        const names = found.map(({ begins, ends, labels: own }) =>
          own.map((label, s) => `${begins[s]}-${ends[s]}:${label}`).join(' '),
        );
        expect(new Set(names).size).toBe(found.length);
        for (const [f, name] of names.entries()) expect(expected).toContainEqual([name, found[f].score]);
      },
    ),
    { numRuns: 50 },
  );
});

test('comments number the trees of a sentence, and the oracle chooses the best of them', async () => {
  const parser = await trained('graph', { epochs: 2, bits: 16 });
  const text = test20.map(({ source }) => source!.text).join('');
  const options = { format: 'conllu', skipInvalid: false, nBest: 4 } as const;
  const batch = { file: 'x.conllu', line: 1, text };
  const written = parseBatch(parser, batch, options).text;
  expect(written).toMatch(/^# sent_id = .*\n(# .*\n)*# tree = 1 of 4\n# probability = \d\.[\de-]+\n1\t/);
  const folder = mkdtempSync(join(tmpdir(), 'n-best-'));
  const path = join(folder, 'ranked.conllu');
  writeFileSync(path, written);
  const ranked = inMemory(readSentences(readFileSync(path, 'utf8')), 'ranked.conllu');
  const gold = inMemory(test20, 'gold');
  const best = inMemory(
    readSentences(parseBatch(parser, batch, { ...options, nBest: undefined }).text),
    'best',
  );
  const [{ las: first }, { las: oracle }] = [
    await evaluate(gold, best),
    await evaluate(gold, oracleTrees(gold, ranked, 'ranked')),
  ];
  expect(oracle).toBeGreaterThan(first + 1);
  await expect(evaluate(gold, oracleTrees(gold, best, 'best'))).rejects.toThrow(
    /no comment “# tree = 1 of K”: write the trees with parse nBest$/,
  );
  const json = parseBatch(parser, batch, { ...options, to: 'json' }).text.split('\n')[1];
  expect(json).toContain('tree = 2 of 4');
  expect(() => parseBatch(parser, batch, { ...options, to: 'conllx' })).toThrow(/add to conllu/);
});

test.each([
  ['pcfg', {}],
  ['pcfg', { splitMerge: 1 }],
  ['spans', { epochs: 1, units: 8, layers: 1 }],
])(
  'the trees of %s with %o also differ as CoNLL-U, which keeps the MISC column',
  async (paradigm, options) => {
    const parser = await trained(paradigm, options);
    const text = sampleText('test')
      .split(/(?<=\n\n)/)
      .slice(0, 20)
      .join('')
      .replaceAll(/\t[^\t\n]*$/gm, '\tx=y');
    const batch = { file: 'x.conllu', line: 1, text };
    const written = parseBatch(parser, batch, { format: 'conllu', skipInvalid: false, nBest: 5 }).text;
    const groups = new Map<string, Set<string>>();
    let count = 0;
    for (const { id, heads, labels, misc } of readSentences(written)) {
      expect(new Set(misc.slice(1))).toEqual(new Set(['x=y']));
      groups.set(id!, (groups.get(id!) ?? new Set()).add(`${heads} ${labels}`));
      count++;
    }
    expect(groups.size).toBe(20);
    expect([...groups.values()].reduce((sum, { size }) => sum + size, 0)).toBe(count);
    expect(count).toBeGreaterThan(20);
  },
);

test('bracketed trees are written with ranks and probabilities, which the oracle reads', async () => {
  const parser = await trained('pcfg', {});
  const text = test20.map(({ source }) => source!.text).join('');
  const options = { format: 'conllu', to: 'brackets', skipInvalid: false, nBest: 4 } as const;
  const written = parseBatch(parser, { file: 'x.conllu', line: 1, text }, options).text;
  expect(written).toMatch(/^# tree = 1 of 4\n# probability = [\d.e-]+\n\(.*\)\n\n# tree = 2 of 4\n/);
  const path = join(mkdtempSync(join(tmpdir(), 'n-best-')), 'ranked.mrg');
  writeFileSync(path, written);
  const ranked = phraseTrees(await openTreebank(path));
  const all: TreeOfFile[] = [];
  for await (const tree of ranked) all.push(tree);
  const isLast = ({ source }: TreeOfFile) => /tree = (\d+) of \1\n/.test(source.text);
  const gold = {
    async *[Symbol.asyncIterator]() {
      yield* all.filter(isLast);
    },
  };
  const oracle = await scorePhrases(gold, oraclePhrases(gold, ranked, 'ranked', 'evalb'));
  expect(oracle).toMatchObject({ sentences: 20, f1: 100 });
  const firsts = all.filter(({ source }) => source.text.includes('tree = 1 of'));
  expect((await scorePhrases(gold, firsts)).f1).toBeLessThan(100);
});

test('parsers that find only one tree refuse to give several', async () => {
  const [sentence] = test20;
  const higher = await trained('graph', { epochs: 1, bits: 12, order: 2 });
  expect(() => higher.nBest!(sentence, 3)).toThrow(UsageError);
  const bigram = await trained('bigram', {});
  const writer = new ModelWriter();
  writeParser(writer, await trained('transition', { epochs: 1, bits: 12, beam: 1 }), {});
  const greedy = await openParser(ModelReader.fromBuffer(modelBuffer(writer), 'greedy.model'));
  const text = sentence.source!.text;
  const options = { format: 'conllu', skipInvalid: false, nBest: 4 } as const;
  for (const parser of [bigram, greedy])
    expect(() => parseBatch(parser, { file: 'x', line: 1, text }, options)).toThrow(
      /this model finds the best tree only/,
    );
});

test.each([0, -1, Number.NaN, 2.5, 101])('nBest %d is refused before anything is parsed', async (nBest) => {
  const parser = {} as ThreadedParser;
  const source = {} as SentenceSource;
  await expect(parseSource(parser, source, 'out.conllu', { nBest })).rejects.toThrow(
    /nBest.*expected a whole number from 1 to 100/,
  );
});
