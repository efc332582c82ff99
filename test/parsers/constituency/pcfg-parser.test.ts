import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trainParser } from '../../../combine/train-parser.ts';
import type { PcfgOptions } from '../../../parsers/constituency/options.ts';
import { pcfg } from '../../../parsers/constituency/paradigm.ts';
import { PcfgParser } from '../../../parsers/constituency/pcfg-parser.ts';
import type { Paradigm } from '../../../parsers/parser.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import type { TrainingProgress } from '../../../src/training/training-run.ts';
import { formatBrackets } from '../../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../../src/treebank/phrases/dependencies.ts';
import { openTreebank, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence, Treebank } from '../../../src/treebank/sentence.ts';
import { modelBuffer } from '../../support/model-buffer.ts';
import { bracketed } from '../../support/phrases.ts';
import { bundledBrackets } from '../../support/real-brackets.ts';
import { sampleBrackets } from '../../support/sample.ts';

/** A treebank of bracketed trees. */
function treebank(...lines: readonly string[]): Treebank {
  const sentences = bracketed('x.mrg', ...lines).map(({ tree }) => ({
    ...dependenciesOfPhrases(tree),
    phrases: tree,
  }));
  return {
    name: 'x.mrg',
    async *[Symbol.asyncIterator]() {
      yield* sentences;
    },
  };
}

async function train(data: Treebank, options: Partial<PcfgOptions> = {}, dev?: Treebank) {
  const progress: TrainingProgress[] = [];
  const onProgress = (now: TrainingProgress) => progress.push(now);
  const { parser } = await trainParser(pcfg as Paradigm, data, { options, dev, onProgress });
  return { parser: parser as PcfgParser, progress };
}

/** A sentence of words, or of words with tags (`dog/NN`). */
function sentence(text: string): Sentence {
  const words = text.split(' ').map((word) => /^(.+)\/([^/]+)$/.exec(word) ?? [word, word, '_']);
  const blank = ['', ...words.map(() => '_')];
  return {
    length: words.length,
    forms: ['', ...words.map(([, form]) => form!)],
    xpos: ['', ...words.map(([, , tag]) => tag!)],
    ...{ lemmas: blank, upos: blank, feats: blank, labels: blank, deps: blank, misc: blank },
    heads: new Int32Array(words.length + 1).fill(-1),
  };
}

/** The tree found, with the parser's notices if there are any. */
function parse(parser: PcfgParser, text: string): { tree: string; notice?: string | undefined } {
  const { phrases, notices } = parser.parse(sentence(text));
  const tree = formatBrackets(phrases!);
  return notices.length === 0 ? { tree } : { tree, notice: notices.join() };
}

function bytesOf(parser: Pick<PcfgParser, 'save'>): SharedArrayBuffer {
  const writer = new ModelWriter();
  parser.save(writer);
  return modelBuffer(writer);
}

const small = [
  '( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat)))))',
  '( (S (NP-SBJ (DT a) (NN cat)) (VP (VBZ sleeps))))',
  '( (S (NP-SBJ (DT the) (NN cat)) (VP (VBZ sees) (NP (DT the) (NN dog)))))',
];
/** Without smoothing, every word has only the tags that it was seen with. */
const asSeen = { smoothing: 0 };

describe('a constituency parser', () => {
  it('gives the trees of its grammar', async () => {
    const { parser } = await train(treebank(...small));
    const tree = '(TOP (S (NP (DT a) (NN dog)) (VP (VBZ sees) (NP (DT the) (NN cat)))))';
    expect(parse(parser, 'a dog sees the cat')).toEqual({ tree });
    expect(parse(parser, 'a dog sleeps')).toEqual({
      tree: '(TOP (S (NP (DT a) (NN dog)) (VP (VBZ sleeps))))',
    });
  });

  it('refuses a model trained with head words, which it can no longer use', async () => {
    const { parser } = await train(treebank(...small));
    const save = (model: ModelWriter) => {
      parser.save(model);
      model.header.pcfg = { ...(model.header.pcfg as object), lexicalize: 50 };
    };
    const model = ModelReader.fromBuffer(bytesOf({ save }), 'x.model');
    expect(() => PcfgParser.load(model)).toThrow('trained with lexicalize, which is no longer supported');
  });

  it('gives the dependencies of its trees', async () => {
    const { parser } = await train(treebank(...small));
    const given = sentence('a dog sees the cat');
    const { heads, labels, notices } = parser.parse(given);
    expect([...heads]).toEqual([-1, 2, 3, 0, 5, 3]);
    expect(labels).toEqual(['', 'det', 'sbj', 'root', 'det', 'obj']);
    expect(notices).toEqual([]);
  });

  it('gives function tags if they were kept in training', async () => {
    const { parser } = await train(treebank(...small), { functions: true });
    expect(parse(parser, 'a cat sleeps').tree).toBe('(TOP (S (NP-SBJ (DT a) (NN cat)) (VP (VBZ sleeps))))');
  });

  it('gives trees the outermost bracket of its treebank, or none if that has none', async () => {
    const rooted = await train(treebank(...small.map((line) => line.replace('( (', '(ROOT ('))));
    expect(parse(rooted.parser, 'a cat sleeps').tree).toMatch(/^\(ROOT \(S /);
    const bare = await train(treebank(...small.map((line) => line.slice(2, -1))));
    expect(parse(bare.parser, 'a cat sleeps').tree).toMatch(/^\(S \(NP /);
  });

  it('joins the fewest possible phrases if there is no parse, with a notice', async () => {
    const { parser } = await train(treebank(...small), asSeen);
    expect(parse(parser, 'the cat the dog sees')).toEqual({
      tree: '(TOP (NP (DT the) (NN cat)) (S (NP (DT the) (NN dog)) (VP (VBZ sees))))',
      notice: 'no parse, put together from 2 parts',
    });
    expect(parse(parser, 'the dog')).toEqual({
      tree: '(TOP (NP (DT the) (NN dog)))',
      notice: 'no parse, put together from 1 part',
    });
    const [only, ...others] = parser.nBest(sentence('the dog'), 3);
    expect(only).toEqual(parser.parse(sentence('the dog')));
    expect(others).toEqual([]);
  });

  it('finds K different trees, although several derivations may have the same tree', async () => {
    const { parser } = await train(treebank(sampleBrackets('train')));
    const counts = readSentences(sampleBrackets('test'))
      .slice(0, 8)
      .map((one) => parser.nBest(one, 4).length);
    const more = readSentences(sampleBrackets('test'))
      .slice(0, 8)
      .map((one) => parser.nBest(one, 30).length);
    expect(counts).toEqual(more.map((count) => Math.min(4, count)));
    expect(Math.max(...counts)).toBe(4);
  });

  it('gives a tree for any words, whether or not there is a parse', async () => {
    const vocabulary = fc.constantFrom('a', 'cat', 'sees', 'sleeps', 'Zyzzy', '!', '(');
    const texts = fc.array(vocabulary, { minLength: 1, maxLength: 12 });
    const lines = fc.subarray(small, { minLength: 1 });
    const options = fc.record({
      smoothing: fc.constantFrom(0, 1),
      frequent: fc.constantFrom(0, 100),
      search: fc.constantFrom('exact' as const, 'pruned' as const),
      tags: fc.constantFrom('own' as const, 'given' as const),
      rare: fc.constantFrom(1, 5),
      binarize: fc.constantFrom('head' as const, 'left' as const, 'right' as const),
    });
    await fc.assert(
      fc.asyncProperty(lines, options, texts, async (known, asked, words) => {
        const { parser } = await train(treebank(...known, ...known), asked);
        const { tree } = parse(parser, words.join(' '));
        expect(tree.match(/[^ ()]+(?=\))/g)).toEqual(words.map((word) => (word === '(' ? '-LRB-' : word)));
      }),
    );
  });

  it('finds a parse with a narrow beam, widened if necessary, whenever exact search does', async () => {
    const exact = (await train(treebank(...small))).parser;
    const pruned = (await train(treebank(...small), { search: 'pruned', beam: 1 })).parser;
    for (const text of ['a dog sees the cat', 'cats sees dogs', 'the the the', 'sleeps']) {
      const found = [exact, pruned].map((parser) => parse(parser, text).notice);
      expect(found[1]).toBe(found[0]);
    }
  });

  it('parses long sentences in chunks, with a notice', async () => {
    const clause = '(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)) (. .))';
    const pairs = treebank(`( (S ${clause} ${clause}))`);
    const { parser } = await train(pairs, { ...asSeen, vertical: 1, maxLength: 60 });
    const text = Array<string>(30).fill('a cat sleeps .').join(' ');
    const { tree, notice } = parse(parser, text);
    expect(notice).toBe('120 tokens, parsed in chunks of at most 40');
    expect(tree.match(/[^ ()]+(?=\))/g)?.join(' ')).toBe(text);
    expect(tree).toMatch(/^\(TOP \(S .*\) \(S .*\) \(S .*\)\)$/);
    expect([...parser.parse(sentence(text)).heads].filter((head) => head === 0)).toHaveLength(1);
    expect(parse(parser, `${text} sleeps`).notice).toBe(
      '121 tokens, parsed in chunks of at most 40, 1 of 4 without a parse',
    );
  });

  it('parses a sentence in chunks if it would need too much memory', async () => {
    const clause = '(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)) (. .))';
    // Each tree has labels of its own, so that the chart has many states.
    const many = Array.from(
      { length: 300 },
      (_, i) => `( (S ${clause.replaceAll(/\((\w+) /g, `($1x${i} `)}))`,
    );
    const { parser } = await train(treebank(...many), { maxLength: 1000 });
    const { tree, notice } = parse(parser, Array<string>(250).fill('a cat sleeps .').join(' '));
    expect(notice).toMatch(/^1000 tokens, parsed in chunks of at most 40/);
    expect(tree.match(/[^ ()]+(?=\))/g)).toHaveLength(1000);
    expect(parse(parser, Array<string>(20).fill('a cat sleeps .').join(' ')).notice).not.toMatch(/in chunks/);
  });

  it('chooses the tags itself, or takes the given ones except unseen tags', async () => {
    const lines = [...small, '( (S (NP (NN sleeps)) (VP (VBZ sees))))'];
    const own = (await train(treebank(...lines))).parser;
    const given = (await train(treebank(...lines), { tags: 'given' })).parser;
    expect([own.reads, given.reads]).toEqual([[], ['xpos']]);
    const text = 'the/DT sleeps/NN sees/VBZ the/XX cats/NN';
    expect(parse(given, text).tree).toBe(
      '(TOP (S (NP (DT the) (NN sleeps)) (VP (VBZ sees) (NP (DT the) (NN cats)))))',
    );
    const wrong = 'the/DT dog/NN sees/NN';
    expect(parse(given, wrong).tree).toContain('(NN sees)');
    expect(parse(own, wrong).tree).toContain('(VBZ sees)');
  });

  it('writes brackets in words by their names, so that its trees can be read', async () => {
    const { parser } = await train(treebank(...small));
    const tree = parser.parse(sentence('a ( cat :)')).phrases!;
    expect(bracketed('y.mrg', formatBrackets(tree))[0]!.tree).toEqual(tree);
    expect(formatBrackets(tree)).toMatch(/-LRB-.*cat.*:-RRB-/);
  });

  it.each(['[', '-LSB-'])('leaves square brackets as they are, trained on %s', async (learnt) => {
    const bracketed = `( (S (NP (-LRB- ${learnt}) (DT a) (NN cat)) (VP (VBZ sleeps))))`;
    const { parser } = await train(treebank(...small, bracketed));
    expect(parse(parser, '[ a cat sleeps').tree).toBe(
      '(TOP (S (NP (-LRB- [) (DT a) (NN cat)) (VP (VBZ sleeps))))',
    );
  });

  it('is the same, byte for byte, for the same trees, and after saving and loading', async () => {
    const [file] = bundledBrackets;
    const made = await train(await openTreebank(file!));
    const again = await train(await openTreebank(file!));
    const bytes = bytesOf(made.parser);
    const isSame = (other: PcfgParser) => Buffer.from(bytesOf(other)).equals(Buffer.from(bytes));
    expect(isSame(again.parser)).toBe(true);
    const loaded = pcfg.load(ModelReader.fromBuffer(bytes, 'x.model')) as PcfgParser;
    expect(isSame(loaded)).toBe(true);
    for (const text of ['The dog that you saw sleeps .', 'Xyzzy plugh 17 !']) {
      expect(parse(loaded, text)).toEqual(parse(made.parser, text));
    }
  });

  it('is scored on held-out trees if there are any', async () => {
    const { progress } = await train(treebank(...small), {}, treebank(small[0]!));
    const end = { epoch: 1, epochs: 1, done: 3, total: 3 };
    expect(progress).toEqual([end, { ...end, dev: { uas: 100, las: 100, f1: 100 } }]);
  });

  it('is scored by dependencies alone on held-out data without trees', async () => {
    const words = sentence('the cat sleeps');
    const heads = Int32Array.of(-1, 2, 3, 0);
    const labels = ['', 'det', 'sbj', 'root'];
    const dev: Treebank = {
      name: 'dev.conllu',
      async *[Symbol.asyncIterator]() {
        yield { ...words, heads, labels };
      },
    };
    const { progress } = await train(treebank(...small), {}, dev);
    expect(progress.at(-1)!.dev).toEqual({ uas: 100, las: 100 });
  });

  it('refuses beam without pruned search', async () => {
    await expect(train(treebank(...small), { beam: 5 })).rejects.toThrow(
      'beam 5 goes with search pruned, not with exact',
    );
  });

  it('refuses tagParents false if symbols have no ancestors', async () => {
    await expect(train(treebank(...small), { tagParents: false, splitMerge: 1 })).rejects.toThrow(
      'tagParents false goes with vertical 2 or 3',
    );
  });

  it('can be trained on a phrase with any number of children', async () => {
    const words = '(NN cat)'.repeat(130_000);
    // One phrase is alone in another, and next to an empty one.
    const { parser } = await train(treebank(`( (NP (NP (NP (-NONE- *)) ${words})))`), {
      unaries: 'top',
      splits: [],
    });
    expect(parse(parser, 'cat cat cat').tree).toBe('(TOP (NP (NN cat) (NN cat) (NN cat)))');
  });

  it('cannot be trained on dependencies, nor on an empty treebank', async () => {
    const bare: Treebank = {
      name: 'x.conllu',
      async *[Symbol.asyncIterator]() {
        yield sentence('a cat');
      },
    };
    await expect(train(bare)).rejects.toThrow(
      'x.conllu: has dependencies but no phrases to learn from: expected bracketed trees, as in the Penn Treebank',
    );
    await expect(train(treebank())).rejects.toThrow('x.mrg: no sentences');
  });
});
