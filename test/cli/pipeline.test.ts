import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { saveAnnotator } from '../../annotators/saved-annotator.ts';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { loadPipeline, savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { saveParser } from '../../parsers/registry.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { inflected, smallModels } from '../support/small-pipeline.ts';

const sandbox = new Sandbox('pipeline-cli');
const model = (name: string) => sandbox.path(`${name}.model`);
const [tokenizer, tagger, lemmatizer, parser, other, english] = [
  ...['tokenizer', 'tagger', 'lemmatizer', 'parser', 'other', 'english'].map(model),
];
const text = 'The dogs bark all night.  Nobody\nknows why.\n\n"She found old letters," he said.\n';

const parse = (...words: readonly string[]) =>
  runHere(['parse', '--model', english, '--quiet', ...words], { input: text });

beforeAll(async () => {
  const models = await smallModels();
  saveAnnotator(tokenizer, models.tokenizer.annotator, models.tokenizer.about);
  saveAnnotator(tagger, models.tagger.annotator, models.tagger.about);
  saveAnnotator(model('tagger-2'), models.tagger.annotator, { ...models.tagger.about, seed: 2 });
  saveAnnotator(lemmatizer, models.lemmatizer.annotator, models.lemmatizer.about);
  saveParser(parser, models.parser.parser, models.parser.about);
  const bigram = await trainParser('bigram', inflected('train'));
  saveParser(other, bigram.parser, bigram.about);
  savePipeline(english, await makePipeline([tokenizer, tagger, lemmatizer, parser]));
});

describe('parliament pipeline', () => {
  test('puts models together, given in any order, and lists them', async () => {
    const out = model('made');
    const { status, stdout, stderr } = await runHere(['pipeline', other, tagger, tokenizer, '-o', out]);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/other\.model reads LEMMA, which nothing/)]);
    expect(stdout).toMatch(/^.*made\.model: tokenizer, tagger, bigram, [\d.]+ [kM]B\n$/);
    expect(readModelFile(out).partNames).toEqual(['tokenizer', 'tagger', 'parser']);
  });

  test('warns of a model that is named twice', async () => {
    const { status, stderr } = await runHere(['pipeline', other, other, '-o', model('twice')]);
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`warning: ${other} is named twice: a parser that votes twice counts double\n`),
    ]);
  });

  test('lets several parsers vote, with weights learnt on sentences that it annotates itself', async () => {
    const out = model('vote');
    const words = ['pipeline', tagger, lemmatizer, parser, other, '-o', out, '--json'];
    const { stdout } = await runHere([...words, '--dev-gold', samplePath('dev'), '--weighting', 'uas']);
    expect(JSON.parse(stdout)).toMatchObject({
      parts: ['tagger', 'lemmatizer', 'transition', 'bigram'],
      weighting: 'uas',
    });
    const { status } = await runHere([
      'parse',
      '--model',
      out,
      samplePath('dev'),
      '--quiet',
      '-o',
      sandbox.path('voted'),
    ]);
    expect(status).toBe(0);
  });

  test.each([
    ['two taggers', () => [tagger, model('tagger-2'), '-o', model('no')], 'both are taggers'],
    ['one model', () => [tagger, '-o', model('no')], 'a pipeline has at least two models'],
    ['an output that is an input', () => [tokenizer, tagger, '-o', tagger], 'would replace the input'],
    [
      'a treebank',
      () => [tokenizer, samplePath('dev'), '-o', model('no')],
      'dev.conllu: not a Parliament model',
    ],
    [
      'a vote of one parser',
      () => [tagger, parser, '--method', 'superparser', '-o', model('no')],
      '--method: one parser, a vote takes several',
    ],
    [
      '--dev-gold without parsers',
      () => [tagger, tokenizer, '--dev-gold', samplePath('dev'), '-o', model('no')],
      '--dev-gold: no parser, a vote takes several',
    ],
    [
      '--weighting without --dev-gold',
      () => [parser, other, '--weighting', 'las', '-o', model('no')],
      '--weighting las is learnt: it needs --dev-gold',
    ],
    [
      '--encoding without --dev-gold',
      () => [english, '--encoding', 'latin1', '-o', model('no')],
      '--encoding belongs to --dev-gold',
    ],
    [
      '--format without --dev-gold',
      () => [english, '--format', 'brackets', '-o', model('no')],
      '--format belongs to --dev-gold',
    ],
  ])('refuses %s in one line, and writes nothing', async (_, words, message) => {
    const { status, stderr } = await runHere(['pipeline', ...words()]);
    expect([status, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(model('no'))).toBe(false);
  });

  test('refuses a checkpoint', async () => {
    const { CheckpointFile } = await import('../../src/training/checkpoint-file.ts');
    const checkpoint = new CheckpointFile(model('stopped'), { resume: false });
    checkpoint.save((state) => state.section('arcs', Int32Array.of(1)));
    const { stderr } = await runHere(['pipeline', tagger, checkpoint.path, '-o', model('no')]);
    expect(stderr).toContain('a checkpoint, expected a model');
  });
});

describe('parliament parse with a pipeline', () => {
  test('names itself as the generator instead of another Parliament pipeline, but keeps other generators', async () => {
    const rows = readFileSync(samplePath('dev'), 'utf8');
    const generatorIn = async (before: string) => {
      const input = sandbox.save('made.conllu', `# generator = ${before}\n${rows}`);
      const { stdout } = await runHere(['parse', '--model', english, input, '--quiet']);
      return stdout.split('\n', 1)[0];
    };
    expect(await generatorIn('Parliament 0.9.0, french')).toMatch(/^# generator = Parliament \S+, english$/);
    expect(await generatorIn('UDPipe 2')).toBe('# generator = UDPipe 2');
  });

  test('gives the same bytes as a tokenizer, a tagger, a lemmatizer and a parser run one after the other', async () => {
    const steps = [tokenizer, tagger, lemmatizer, parser];
    let apart = sandbox.save('in.txt', text);
    for (const [i, step] of steps.entries()) {
      const next = sandbox.path(`step-${i}.conllu`);
      await runHere(['parse', '--model', step, apart, '-o', next, '--quiet']);
      apart = next;
    }
    const { status, stdout: written, stderr } = await parse();
    expect([status, stderr]).toEqual([0, '']);
    const [generator, ...lines] = written.split('\n');
    expect(generator).toMatch(/^# generator = Parliament \d+\.\d+\.\d+\S*, english$/);
    const stdout = lines.join('\n');
    expect(stdout).toBe(readFileSync(apart, 'utf8'));
    expect(readSentences(stdout, { expect: 'trees' }).map(textOf).join('')).toBe(text);
    const pipeline = await loadPipeline(english);
    expect(
      pipeline
        .parse(text)
        .map((one) => formatSentence(one, 'conllu'))
        .join(''),
    ).toBe(stdout);
  });

  test.each([
    ['lines', 'Dogs bark .\nCats sleep .\n', 2],
    ['tokens', 'Dogs\nbark\n\nCats\nsleep\n', 2],
    ['text', '1\tDogs\tbark', 1],
  ])('reads its input as %s if --input says so', async (kind, input, sentences) => {
    const { stdout } = await runHere(['parse', '--model', english, '--input', kind, '--quiet'], { input });
    expect(readSentences(stdout, { expect: 'trees' })).toHaveLength(sentences);
  });

  const given = [
    '# a comment',
    '1-2\tDogs\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No',
    '1\tDog\tq\tQ\tQ\tQ=q\t2\tq\t1:q\tx=y',
    '1.1\tempty\t_\t_\t_\t_\t_\t_\t1:q\t_',
    '2\ts\t_\t_\t_\t_\t0\tq\t_\t_',
    '',
    '',
  ].join('\r\n');
  const without = (from: string, ...columns: readonly number[]) =>
    from.split('\n').map((line) =>
      line
        .split('\t')
        .filter((_, i) => !columns.includes(i))
        .join('\t'),
    );

  test('keeps the tokens, comments, ranges, empty nodes and line ends of sentences, and fills in the rest', async () => {
    const { stdout } = await parse(sandbox.save('given.conllu', given));
    expect(without(stdout, 2, 3, 4, 5, 6, 7)).toEqual(without(given, 2, 3, 4, 5, 6, 7));
    expect(stdout).not.toMatch(/\tQ\t|\tq\t/);
    expect(stdout.split('\r\n')[3]).toBe(given.split('\r\n')[3]);
  });

  test('--keep tags,lemmas keeps existing tags and lemmas, and fills in missing ones', async () => {
    const path = sandbox.save('given.conllu', given);
    const tags = (await parse(path, '--keep', 'tags')).stdout.split('\r\n');
    expect(tags[2]).toMatch(/^1\tDog\tdog\tQ\tQ\tQ=q\t/);
    expect(tags[4]).toMatch(/^2\ts\ts\t[^_\t]+\t[^_\t]+\t_\t/);
    const both = (await parse(path, '--keep', 'tags,lemmas')).stdout.split('\r\n');
    expect(both[2]).toMatch(/^1\tDog\tq\tQ\tQ\tQ=q\t/);
  });

  test('reads sentences in the format of --format, and writes CoNLL-U if that format has no place for tags', async () => {
    const input = 'Dogs\t_\t_\nbark\t_\t_\n\n';
    const { stdout } = await runHere(['parse', '--model', english, '--format', 'three-column', '--quiet'], {
      input,
    });
    expect(readSentences(stdout, { format: 'conllu', expect: 'trees' })[0].upos).not.toContain('_');
  });

  test.each([
    ['CoNLL-U', `\ufeff# newdoc\n# text = Dogs\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n`, false],
    [
      'CoNLL-U that begins with a long comment',
      `# text = ${'x'.repeat(10_000)}\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n`,
      false,
    ],
    ['text that begins with a number', '1 Dogs bark.\n', true],
    ['text that looks like a comment', '# Dogs bark.\nCats sleep.\n', true],
    ['text in one line', 'x'.repeat(100_000), true],
  ])('recognises %s', async (_, input, isText) => {
    const { stdout } = await runHere(['parse', '--model', english, '--quiet'], { input });
    const found = readSentences(stdout);
    if (isText) expect(found.map(textOf).join('')).toBe(input);
    else expect(without(stdout, 2, 3, 4, 5, 6, 7)).toEqual(without(input, 2, 3, 4, 5, 6, 7));
  });

  test.each(['text', 'lines', 'tokens'])('skips a byte-order mark in %s', async (kind) => {
    const words = ['parse', '--model', english, '--input', kind, '--offsets', '--quiet'];
    const marked = await runHere(words, { input: `\ufeff${text}` });
    expect(marked.stdout).toBe((await runHere(words, { input: text })).stdout);
  });

  test('suggests --input text if numbered text is taken for sentences, which have no offsets', async () => {
    const words = ['parse', '--model', english, '--offsets', '--quiet'];
    const numbered = '1\tDogs bark.\n2\tCats sleep.\n';
    expect((await runHere(words, { input: numbered })).stderr).toBe(
      'parliament: error: -: its first line looks like tokenized sentences, which have no offsets: for text add --input text\n',
    );
    expect((await runHere([...words, '--input', 'text'], { input: numbered })).status).toBe(0);
  });

  test('prints figures as JSON', async () => {
    const { stdout } = await parse('-o', sandbox.path('figures.conllu'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sentences: 3, words: expect.any(Number), skipped: 0 });
  });

  test.each([
    [['--keep', 'tags'], '--keep tags: text has no annotation to keep'],
    [['--keep', 'heads'], 'is not one of tags, lemmas'],
    [['--input', 'text', '--format', 'conllu'], '--format conllu: not with --input text'],
    [['--skip-invalid'], '--skip-invalid: text has no malformed sentences'],
    [
      ['--to', 'three-column'],
      '--to three-column: that format has no columns for lemmas, tags and features, expected conllu, conllx or json',
    ],
    [['--to', 'brackets'], 'do not fit into brackets'],
  ])('refuses %j', async (words, message) => {
    const out = sandbox.path('refused');
    const { status, stderr } = await parse(...words, '-o', out);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(out)).toBe(false);
  });

  test('reads only tokenized sentences if the pipeline has no tokenizer', async () => {
    const bare = model('bare');
    savePipeline(bare, await makePipeline([tagger, lemmatizer, parser]));
    const { stderr } = await runHere(['parse', '--model', bare, '--input', 'text'], { input: text });
    expect(stderr).toContain('--input text: the pipeline has no tokenizer');
    const untold = await runHere(['parse', '--model', bare], { input: text });
    expect(untold.stderr).toContain('-:1: format not recognised: no tabs in');
    expect(untold.stderr).toContain(
      `; the pipeline has no tokenizer, which train pipeline learns only from a treebank with text: for text, parliament pipeline tokenizer.model ${bare} -o `,
    );
    const { stdout } = await runHere(['parse', '--model', bare, samplePath('dev'), '--quiet']);
    expect(without(stdout, 2, 3, 4, 5, 6, 7)).toEqual(without(sampleText('dev'), 2, 3, 4, 5, 6, 7));
  });

  test('refuses text of nothing but white space', async () => {
    const { status, stderr } = await runHere(['parse', '--model', english], { input: ' \n\n' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('-: no text, but white space')]);
  });
});

describe('parliament parse', () => {
  const advice =
    'for text, put models together with parliament pipeline, or train them all with parliament train pipeline';

  test.each(['parser', 'tagger'])(
    'refuses text if the model is a %s, in a line that says what to do',
    async (name) => {
      const { status, stderr } = await runHere(['parse', '--model', model(name)], { input: text });
      expect(status).toBe(2);
      expect(stderr).toContain('-:1: format not recognised: no tabs in “The dogs bark all night.');
      expect(stderr).toContain(advice);
      const told = await runHere(['parse', '--model', model(name), '--input', 'text'], { input: text });
      expect(told.stderr).toContain(advice);
    },
  );

  test.each([
    [
      'english',
      ['--offsets', '--to', 'conllx'],
      '--offsets writes into MISC, which conllx does not have: add',
    ],
    ['tokenizer', ['--n-best', '2'], '--n-best: a tokenizer predicts no trees'],
    ['tagger', ['--n-best', '2'], '--n-best: a tagger predicts no trees'],
    ...['tokenizer', 'parser', 'bare'].map((name): [string, string[], string] => [
      name,
      ['--lexicon', sandbox.save('names.tsv', 'dogs\t_\tdog\n')],
      '--lexicon overrides lemmas and features, which this model does not fill',
    ]),
  ])('with the model %s, refuses %j, which would have no effect', async (name, words, message) => {
    savePipeline(model('bare'), await makePipeline([tokenizer, other]));
    const { status, stderr } = await runHere(['parse', '--model', model(name), ...words], { input: text });
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('refuses --keep with a model that is not a pipeline', async () => {
    const { stderr } = await runHere(['parse', '--model', parser, '--keep', 'tags', samplePath('dev')]);
    expect(stderr).toContain('--keep is for pipelines');
  });
});

test('openParser and openAnnotator refuse a pipeline', async () => {
  const { openParser } = await import('../../parsers/registry.ts');
  const { openAnnotator } = await import('../../annotators/registry.ts');
  await expect(openParser(readModelFile(english))).rejects.toThrow('a pipeline, expected a parser');
  await expect(openAnnotator(readModelFile(english))).rejects.toThrow('a pipeline, expected an annotator');
});
