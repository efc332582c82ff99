import { describe, expect, it } from 'vitest';
import { trainParser } from '../../../../combine/train-parser.ts';
import type { GrammarTables } from '../../../../parsers/constituency/grammar.ts';
import type { Lexicon } from '../../../../parsers/constituency/lexicon.ts';
import { pcfg } from '../../../../parsers/constituency/paradigm.ts';
import { PcfgParser, type PcfgSettings } from '../../../../parsers/constituency/pcfg-parser.ts';
import type { LatentGrammar } from '../../../../parsers/constituency/split-merge/latent-grammar.ts';
import type { Paradigm } from '../../../../parsers/parser.ts';
import { loadParser } from '../../../../parsers/registry.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import { formatBrackets } from '../../../../src/treebank/phrases/brackets.ts';
import { openTreebank } from '../../../../src/treebank/reading/treebank-file.ts';
import { type Sentence, sentenceOf } from '../../../../src/treebank/sentence.ts';
import { KeptCheckpoint } from '../../../support/kept-checkpoint.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';
import { bundledBrackets } from '../../../support/real-brackets.ts';
import { runCli } from '../../../support/run-cli.ts';
import { Sandbox } from '../../../support/sandbox.ts';

const [trainFile, devFile] = bundledBrackets;
const sandbox = new Sandbox('split-parser');

async function sentencesOf(file: string, most: number): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(file)) {
    if (sentences.length < most) sentences.push(sentence);
  }
  return sentences;
}

/** The first trees of the bundled treebank. */
async function someTrees(most = 60) {
  const sentences = await sentencesOf(trainFile!, most);
  return {
    name: 'some.mrg',
    digest: 'some',
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

async function train(options: object, run: object = {}): Promise<PcfgParser> {
  const { parser } = await trainParser(pcfg as Paradigm, await someTrees(), { options, ...run });
  return parser as PcfgParser;
}

interface PartsOfParser {
  readonly settings: PcfgSettings;
  readonly grammar: GrammarTables;
  readonly lexicon: Lexicon;
  readonly latent: LatentGrammar;
}

function bytesOf(parser: PcfgParser): Buffer {
  const writer = new ModelWriter();
  parser.save(writer);
  return Buffer.from(modelBuffer(writer));
}

/** A checkpoint that counts how often it is saved. */
class MemoryStore extends KeptCheckpoint {
  saves = 0;
  onSave: () => void = () => undefined;

  override save(write: (checkpoint: ModelWriter) => void): void {
    super.save(write);
    this.saves++;
    this.onSave();
  }
}

describe('a parser with split grammars', () => {
  it('explains trees by log probabilities, however many grammars there are', async () => {
    const parser = await train({ splitMerge: 1, grammars: 8 });
    const found = (await sentencesOf(devFile!, 40)).map((sentence) => parser.explain(sentence));
    const scores = found.flatMap(({ derivation }) => derivation.map(({ ruleScore }) => ruleScore));
    // No posterior is below 1e-10, but the products over all grammars are.
    expect(Math.min(...scores)).toBeGreaterThan(Math.log(1e-10));
    expect(8 * Math.min(...scores)).toBeLessThan(Math.log(1e-10));
    for (const { chart, score } of found)
      expect(chart.at(-1)!.symbols[0].score).toBeGreaterThanOrEqual(score! - 1);
  });

  it('parses the same after it was saved and loaded', async () => {
    const parser = await train({ splitMerge: 2, grammars: 2 });
    const writer = new ModelWriter();
    parser.save(writer);
    const again = PcfgParser.load(ModelReader.fromBuffer(modelBuffer(writer), 'x.model'));
    for (const sentence of await sentencesOf(devFile!, 40)) {
      expect(formatBrackets(again.parse(sentence).phrases!)).toBe(
        formatBrackets(parser.parse(sentence).phrases!),
      );
    }
  });

  it('has all words of a sentence in its tree, whatever they are', async () => {
    const parser = await train({ splitMerge: 1 });
    for (const words of [['zzz'], ['(', 'Qq-9', ','], Array(130).fill('the'), Array(50).fill('.')]) {
      const blank = ['', ...words.map(() => '_')];
      const { phrases, heads } = parser.parse({
        ...{ length: words.length, forms: ['', ...words], heads: new Int32Array(words.length + 1) },
        ...{ lemmas: blank, upos: blank, xpos: blank, feats: blank, labels: blank, deps: blank, misc: blank },
      });
      expect(heads).toHaveLength(words.length + 1);
      expect(formatBrackets(phrases!).match(/[^ ()]+(?=\))/g)).toHaveLength(words.length);
    }
  });

  it('uses the tags of the input with tags: given', async () => {
    const parser = await train({ splitMerge: 1, tags: 'given' });
    const [sentence] = await sentencesOf(devFile!, 1);
    const text = formatBrackets(parser.parse(sentence!).phrases!);
    for (const tag of sentence!.xpos.slice(1)) expect(text).toContain(`(${tag} `);
  });

  it.each([
    [{ merge: 0.5 }, /merge.*goes with.*split/i],
    [{ splitMerge: 2, search: 'pruned' }, /one or the other/],
  ])('refuses options that contradict each other: %j', async (options, message) => {
    await expect(train(options)).rejects.toThrow(message);
  });

  it('is the same, byte for byte, if training is stopped and resumed after any cycle', async () => {
    const options = { splitMerge: 2, grammars: 2 };
    const whole = bytesOf(await train(options));
    for (const stop of [1, 2, 3]) {
      const store = new MemoryStore();
      const controller = new AbortController();
      store.onSave = () => store.saves === stop && controller.abort();
      const { signal } = controller;
      await expect(train(options, { checkpoints: store, signal })).rejects.toThrow('abort');
      expect(bytesOf(await train(options, { checkpoints: store })).equals(whole)).toBe(true);
      expect(store.saves).toBe(4);
    }
  });

  it('does not resume a training with another seed', async () => {
    const store = new MemoryStore();
    await train({ splitMerge: 1 }, { checkpoints: store });
    await expect(train({ splitMerge: 1 }, { checkpoints: store, seed: 7 })).rejects.toThrow(/another|other/);
  });

  it('reports training progress that never decreases, up to all sentences', async () => {
    const told: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => told.push(done / total);
    await train({ splitMerge: 2 }, { onProgress });
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });

  it('reports how many symbols there are after the splitting and the merging of each cycle', async () => {
    const notices: string[] = [];
    await train({ splitMerge: 2 }, { onNotice: (notice: string) => notices.push(notice) });
    const counts = notices.map((notice) => notice.match(/\d+(?= symbols| after)/g)!.map(Number));
    const [[plain], [first, split, merged], [second]] = counts as [number[], number[], number[]];
    expect(first).toBe(plain);
    // Only the start symbol is not split; merging undoes half of the splits.
    expect(split).toBe(2 * plain! - 1);
    expect(merged).toBe(plain! + Math.ceil((plain! - 1) / 2));
    expect(second).toBe(merged);
  });

  it('is the same, byte for byte, for any number of jobs', async () => {
    const models = ['1', '2'].map((jobs) => sandbox.path(`${jobs}.model`));
    for (const [i, model] of models.entries()) {
      const split = ['--split-merge', '2', '--grammars', '2', '--limit', '120', '--jobs', String(i + 1)];
      const args = ['train', 'pcfg', '--train', trainFile!, '--model', model, ...split, '--quiet'];
      expect(runCli(args)).toMatchObject({ status: 0, stderr: '' });
    }
    const [one, two] = await Promise.all(models.map(loadParser));
    expect(bytesOf(one as PcfgParser).equals(bytesOf(two as PcfgParser))).toBe(true);
  });
});

describe('the probabilities of the best trees', () => {
  it('are means over the grammars of all cycles', async () => {
    const { settings, grammar, lexicon, latent } = (await train({
      splitMerge: 2,
    })) as unknown as PartsOfParser;
    const sentence = sentenceOf((await sentencesOf(trainFile!, 1))[0]!.forms.slice(1, 5).join(' '));
    const probabilitiesBy = (members: LatentGrammar['members']) => {
      const parser = new PcfgParser(settings, grammar, lexicon, { ...latent, members });
      const trees = parser.nBest(sentence, 20_000);
      return new Map(trees.map(({ phrases, probability }) => [JSON.stringify(phrases), probability!]));
    };
    const [first, second] = latent.members[0]!.map((stage) => probabilitiesBy([[stage]]));
    for (const [tree, probability] of probabilitiesBy(latent.members))
      expect(probability).toBeCloseTo((first!.get(tree)! + second!.get(tree)!) / 2, 5);
  });
});
