import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { allParadigms } from '../api/train.ts';
import type { ColumnFormat } from '../api/treebank.ts';
import {
  compare,
  equalWeighting,
  evaluate,
  findParadigm,
  formatSentence,
  InputError,
  inMemory,
  loadParser,
  makeEnsemble,
  openTreebank,
  type Parser,
  paradigmNames,
  parseFile,
  readSentences,
  runExperiment,
  type Sentence,
  saveParser,
  scorePhrases,
  sentenceOf,
  type Token,
  trainParser,
  UsageError,
  Vote,
} from '../index.ts';
import { samplePath, sampleText } from './support/sample.ts';
import { Sandbox } from './support/sandbox.ts';

const sandbox = new Sandbox('api');
const gold = readSentences(sampleText('train'), { expect: 'trees' }).slice(0, 40);
const small = inMemory(gold, 'small');
const brackets = samplePath('train').replace('.conllu', '.mrg');

/** A parser of each paradigm, with options that make training fast. */
const parsers = new Map<string, Parser>();
beforeAll(async () => {
  const options: Record<string, object> = {
    graph: { epochs: 1, bits: 14 },
    transition: { epochs: 1, beam: 1, bits: 14 },
    pcfg: { tags: 'given' },
    network: { epochs: 1 },
    spans: { epochs: 1, units: 8 },
  };
  for (const name of paradigmNames()) {
    const treebank = ['pcfg', 'spans'].includes(name) ? brackets : small;
    const { parser } = await trainParser(await findParadigm(name), treebank, {
      options: options[name] ?? {},
    });
    parsers.set(name, parser);
  }
});

describe('options of the paradigms', async () => {
  const paradigms = await allParadigms();

  test('belong to seven paradigms', () => expect(paradigms).toHaveLength(7));

  test.each(paradigms)('are refused by $name if they are unknown', async (paradigm) => {
    const { name, options } = paradigm;
    expect(options.safeParse({}).success).toBe(true);
    expect(options.safeParse({ epoch: 3 }).success).toBe(false);
    const training = trainParser(paradigm, small, { options: { epoch: 3 } });
    await expect(training).rejects.toEqual(new UsageError(`${name} has no option epoch`));
  });
});

test.each(paradigmNames())('a misspelt option of parsing with %s is refused', (name) => {
  const options = { confidences: true } as object;
  expect(() => parsers.get(name)!.parse(gold[0]!, options)).toThrow(
    new UsageError('parse has no option confidences, expected some of confidence, arcs'),
  );
});

describe('sentenceOf', () => {
  const whole: Sentence = {
    length: 2,
    forms: ['', 'Dogs', 'bark'],
    lemmas: ['', '_', '_'],
    upos: ['', '_', '_'],
    xpos: ['', '_', '_'],
    feats: ['', '_', '_'],
    heads: Int32Array.of(-1, -1, -1),
    labels: ['', '_', '_'],
    deps: ['', '_', '_'],
    misc: ['', '_', '_'],
  };

  test('fills all columns, given a text, forms or tokens', () => {
    expect(sentenceOf(' Dogs  bark\n')).toEqual(whole);
    expect(sentenceOf(['Dogs', 'bark'])).toEqual(whole);
    expect(sentenceOf([{ form: 'Dogs' }, 'bark'])).toEqual(whole);
  });

  test('keeps every field that a token has', () => {
    const token = { form: 'Dogs', lemma: 'dog', upos: 'NOUN', xpos: 'NNS', feats: 'Number=Plur' };
    const sentence = sentenceOf([
      { ...token, head: 2, label: 'nsubj', deps: '2:nsubj', misc: 'SpaceAfter=No' },
      { form: 'bark', head: 0, label: 'root' },
    ]);
    expect(formatSentence(sentence, 'conllu')).toBe(
      '1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\tSpaceAfter=No\n2\tbark\t_\t_\t_\t_\t0\troot\t_\t_\n\n',
    );
    expect(readSentences(formatSentence(sentence, 'conllu'))[0]).toMatchObject(sentence);
  });

  test.each<[string | readonly (string | Token)[], string]>([
    [' ', 'a sentence without tokens, expected at least one'],
    [['a', ''], 'token 2: form “”, expected text without tabs, line ends and NUL'],
    [[{ form: 'a\tb' }], 'token 1: form “a\\tb”, expected text without tabs, line ends and NUL'],
    [[{ lemma: 'a' } as unknown as Token], 'token 1: no form'],
    [
      [{ form: 'a', pos: 'X' } as Token],
      'token 1: no field pos, expected some of form, lemma, upos, xpos, feats, label, deps, misc, head',
    ],
    [
      ['a', { form: 'b', head: 3 }],
      'token 2: head 3, expected another token’s number, up to 2, or 0 for the root',
    ],
    [
      [{ form: 'b', head: 1 }],
      'token 1: head 1, expected another token’s number, up to 1, or 0 for the root',
    ],
  ])('refuses %j', (tokens, message) => {
    expect(() => sentenceOf(tokens)).toThrow(new UsageError(message));
  });
});

describe('readSentences', () => {
  test.each<ColumnFormat>(['conllu', 'conllx', 'three-column'])(
    'reads sentences that were written as %s',
    (format) => {
      const text = gold.map((sentence) => formatSentence(sentence, format)).join('');
      const sentences = readSentences(text);
      expect(sentences.map(({ heads }) => [...heads])).toEqual(gold.map(({ heads }) => [...heads]));
      expect(sentences.map((sentence) => formatSentence(sentence, format)).join('')).toBe(text);
    },
  );

  test('reads brackets', () => {
    const [sentence] = readSentences('(S (NP (NNS Dogs)) (VP (VBP bark)))');
    expect(sentence).toMatchObject({ length: 2, forms: ['', 'Dogs', 'bark'], phrases: { label: 'S' } });
  });

  const line = (head: string) => `1\tDogs\t_\t_\t_\t_\t${head}\t_\t_\t_\n`;

  test('accepts missing heads, unless trees are expected', () => {
    expect(readSentences(line('_'))[0]!.heads[1]).toBe(-1);
    expect(() => readSentences(line('_'), { expect: 'trees', name: 'request' })).toThrow(
      'request:1: head is missing',
    );
  });

  test('says what is wrong, and where', () => {
    expect(() => readSentences('\n')).toThrow(new InputError('no sentences', { file: 'text' }));
    expect(() => readSentences('Dogs bark')).toThrow('text:1: format not recognised');
    expect(() => readSentences(`${line('0')}\n${line('7')}`)).toThrow('text:3: head 7 is out of range');
    expect(() => readSentences(line('7'), { skipInvalid: true })).toThrow('text: no valid sentences');
  });
});

describe('a sentence made by hand', () => {
  const written = sentenceOf('Dogs bark loudly .');

  test.each(paradigmNames())('is parsed by %s even if only its forms are known', (name) => {
    const { heads, labels } = parsers.get(name)!.parse(written);
    expect(heads).toHaveLength(5);
    expect(labels).toHaveLength(5);
  });

  test.each(paradigmNames())('is refused by %s if it lacks a column', (name) => {
    const parser = parsers.get(name)!;
    for (const column of ['forms' as const, ...parser.reads]) {
      const { [column]: _, ...partial } = written;
      const message = `a sentence of 4 tokens with no column ${column}, expected 5: `;
      expect(() => parser.parse(partial as Sentence)).toThrow(message);
      const rootless = { ...written, [column]: written[column].slice(1) };
      expect(() => parser.parse(rootless)).toThrow(`a sentence of 4 tokens with 4 ${column}, expected 5: `);
    }
  });

  test('is refused if it has no length', () => {
    const { length: _, ...partial } = written;
    expect(() => parsers.get('graph')!.parse(partial as Sentence)).toThrow(
      new UsageError('a sentence of length undefined, expected its tokens'),
    );
  });

  test('is not written without a column that the format needs', () => {
    const { lemmas: _, ...partial } = written;
    expect(() => formatSentence(partial as Sentence, 'conllu')).toThrow('no column lemmas');
    expect(() => formatSentence(partial as Sentence, 'conllx')).toThrow('no column lemmas');
  });
});

describe('trainParser', () => {
  test.each([
    ['a missing head', [0, -1], 'mine: token 2 has no head'],
    ['no root', [2, 1], 'mine: no root'],
    ['a cycle', [0, 3, 2], 'mine: cycle: 2 → 3 → 2'],
  ])('refuses a sentence with %s', async (_, heads, message) => {
    const broken = { ...sentenceOf(heads.map(String)), heads: Int32Array.of(-1, ...heads) };
    const training = trainParser('graph', inMemory([...gold, broken], 'mine'));
    await expect(training).rejects.toThrow(message);
    await expect(training).rejects.toBeInstanceOf(InputError);
  });

  test('trains the same parser from sentences in memory and from their file', async () => {
    const file = sandbox.save('small.conllu', gold.map((one) => formatSentence(one, 'conllu')).join(''));
    const options = { epochs: 1, bits: 14 };
    const parse = async (from: typeof small | string) => {
      const { parser } = await trainParser('graph', from, { options });
      return gold.map((sentence) => parser.parse(sentence));
    };
    expect(await parse(file)).toEqual(await parse(small));
  });
});

test('parseFile takes a model file and writes the trees of its parser', async () => {
  const model = sandbox.path('graph.model');
  saveParser(model, parsers.get('graph')!);
  const output = sandbox.path('dev.conllu');
  const figures = await parseFile(model, samplePath('dev'), output);
  const parser = await loadParser(model);
  const sentences = readSentences(sampleText('dev'));
  const expected = sentences.map((sentence) => formatSentence(sentence, 'conllu', parser.parse(sentence)));
  expect(readFileSync(output, 'utf8')).toBe(expected.join(''));
  expect(figures.sentences).toBe(sentences.length);
});

test('parseFile refuses to replace its input', async () => {
  const model = sandbox.path('graph.model');
  saveParser(model, parsers.get('graph')!);
  const text = formatSentence(gold[0], 'conllu');
  const input = sandbox.save('input.conllu', text);
  const refusal = new UsageError(`the output ${input} would replace the input ${input}`);
  await expect(parseFile(model, input, input)).rejects.toEqual(refusal);
  expect(readFileSync(input, 'utf8')).toBe(text);
});

test('evaluate, compare and scorePhrases take files as well as treebanks', async () => {
  const [train, dev] = [samplePath('train'), samplePath('dev')];
  expect(await evaluate(dev, dev)).toEqual(await evaluate(await openTreebank(dev), await openTreebank(dev)));
  expect((await compare(dev, [dev, dev], { rounds: 9 })).comparison.gold).toBe(dev);
  expect((await scorePhrases(brackets, brackets)).f1).toBe(100);
  await expect(evaluate(train, dev)).rejects.toBeInstanceOf(InputError);
});

test('a vote needs no tags, unless its weights are by tag', () => {
  const { length, forms } = sentenceOf('Dogs bark');
  const tree = { heads: Int32Array.of(-1, 2, 0), labels: ['', 'nsubj', 'root'] };
  const ballot = { sentence: { length, forms } as Sentence, trees: [tree, tree] };
  expect(new Vote(equalWeighting(2)).decide(ballot).tree).toEqual(tree);
});

describe('makeEnsemble', () => {
  const members = () => ['graph', 'transition', 'bigram'].map((name) => parsers.get(name)!);

  test('votes with equal weights if it has no dev set', async () => {
    const ensemble = await makeEnsemble(members());
    const vote = new Vote(equalWeighting(3));
    for (const sentence of readSentences(sampleText('dev')).slice(0, 20)) {
      const trees = members().map((parser) => parser.parse(sentence));
      expect(ensemble.parse(sentence)).toMatchObject(vote.decide({ sentence, trees }).tree);
    }
  });

  test('learns weights from a dev set, given as a treebank or as a file', async () => {
    const byFile = await makeEnsemble(members(), { dev: samplePath('dev') });
    const dev = await openTreebank(samplePath('dev'));
    const bySentences = await makeEnsemble(members(), { dev, weighting: 'las' });
    expect(byFile.vote.weighting.name).toBe('las');
    expect(byFile.vote.weighting.data).toEqual(bySentences.vote.weighting.data);
    const { weighting } = (await makeEnsemble(members(), { dev, weighting: 'uas' })).vote;
    expect(weighting.data).not.toEqual(byFile.vote.weighting.data);
  });

  test('refuses an empty list of members, and learned weights without a dev set', async () => {
    await expect(makeEnsemble([])).rejects.toThrow(new UsageError('0 members, expected 1 to 100'));
    await expect(makeEnsemble(members(), { weighting: 'las' })).rejects.toThrow(
      new UsageError('weighting las is learned: it needs dev'),
    );
  });
});

describe('runExperiment', () => {
  test('refuses an unknown name and a file that is not an experiment', async () => {
    await expect(runExperiment('nothing')).rejects.toThrow('no experiment is called “nothing”');
    writeFileSync(sandbox.path('bad.json'), '{"title": "x"}');
    await expect(runExperiment(sandbox.path('bad.json'))).rejects.toBeInstanceOf(InputError);
  });

  test('refuses an address that is not a queue’s, without repeating a password in it', async () => {
    const queue = { url: 'http://me:secret@127.0.0.1' };
    await expect(runExperiment('ladder', { queue })).rejects.toThrow(
      new UsageError('no address of a queue, expected redis://host[:port][/database], or rediss://'),
    );
  });
});
