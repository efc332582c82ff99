import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { saveAnnotator } from '../../../annotators/saved-annotator.ts';
import { makePipeline, type PipelineSource } from '../../../combine/pipeline/make-pipeline.ts';
import type { Pipeline } from '../../../combine/pipeline/pipeline.ts';
import { loadPipeline, savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { type TrainedParser, trainParser } from '../../../combine/train-parser.ts';
import { findParadigm, saveParser } from '../../../parsers/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { readModelFile, writeModelFile } from '../../../src/model/model-file.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { nodesOf } from '../../../src/treebank/phrases/phrase-tree.ts';
import { openTreebank, readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../../src/treebank/sentence.ts';
import { textOf } from '../../../src/treebank/surface.ts';
import { FirstSentences, inMemory } from '../../../src/treebank/treebanks.ts';
import { samplePath, sampleText } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { inflected, type SmallModels, smallModels } from '../../support/small-pipeline.ts';

const sandbox = new Sandbox('pipeline');
const text = 'The dogs bark all night.  Nobody\nknows why.\n\nShe found old letters in a drawer.\n';

let models: SmallModels;
let bigram: TrainedParser;
let pipeline: Pipeline;

beforeAll(async () => {
  models = await smallModels();
  bigram = await trainParser('bigram', new FirstSentences(inflected('train'), 60));
  pipeline = await makePipeline(Object.values(models));
});

const written = (sentences: readonly Sentence[]) =>
  sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');

describe('a pipeline', () => {
  test('gives the same result as its parts one after the other, from which the text can be restored', () => {
    const { tokenizer, annotators, parser } = pipeline;
    const stream = tokenizer!.open();
    const apart = [...stream.push(text), ...stream.end()].map((cut) => {
      const [tagger, lemmatizer] = annotators;
      const tagged = { ...cut, ...tagger.annotate(cut) };
      const lemmatized = { ...tagged, ...lemmatizer.annotate(tagged) };
      return { ...lemmatized, ...parser!.parse(lemmatized) };
    });
    const found = pipeline.parse(text);
    expect(annotators.map(({ task }) => task)).toEqual(['tagger', 'lemmatizer']);
    expect(found).toHaveLength(3);
    expect(written(found)).toBe(written(apart));
    for (const column of ['lemmas', 'upos', 'feats', 'labels'] as const) {
      expect(found.map((sentence) => sentence[column])).toEqual(apart.map((sentence) => sentence[column]));
    }
    expect(readSentences(written(found), { expect: 'trees' }).map(textOf).join('')).toBe(text);
    expect(found.map(({ source }) => source!.text).join('')).toBe(written(found));
  });

  test('reads straight and curly apostrophes alike, and writes them as in the text', async () => {
    expect(pipeline.tokenizer!.normalization!.word('’')).toBe("'");
    const ascii = "She didn't bark.";
    const [plain, curly] = [ascii, ascii.replace("'", '’')].map((one) => pipeline.parse(one)[0]);
    expect(curly.forms.slice(1)).toEqual(['She', 'did', 'n’t', 'bark', '.']);
    for (const column of ['lemmas', 'upos', 'xpos', 'feats', 'heads', 'labels'] as const)
      expect(curly[column]).toEqual(plain[column]);
    const { nBest } = pipeline.sentenceParser();
    expect(nBest!(curly, 2)).toEqual(nBest!(plain, 2));
    const explained = pipeline.explain(curly);
    expect(explained.tokens.map(({ form }) => form)).toEqual(curly.forms);
    expect(explained.columns).toEqual(pipeline.explain(plain).columns);
  });

  test('keeps the words of phrase trees as written, too', async () => {
    const { tokenizer, tagger } = models;
    const treebank = await openTreebank(samplePath('train').replace(/conllu$/, 'mrg'));
    const phrases = await makePipeline([tokenizer, tagger, await trainParser('pcfg', treebank)]);
    const [{ forms, phrases: tree }] = phrases.parse('She didn’t bark.');
    const words = nodesOf(tree!).flatMap(({ form }) => form ?? []);
    expect(words).toEqual(forms.slice(1));
    expect(words).toContain('n’t');
  });

  test.each([
    ['pcfg', {}],
    ['spans', { epochs: 1, units: 8, layers: 1 }],
  ])('fills XPOS with the tags in the trees of %s, unless a tagger fills it', async (paradigm, options) => {
    const { tokenizer, tagger } = models;
    const treebank = await openTreebank(samplePath('train').replace(/conllu$/, 'mrg'));
    const trained = await trainParser(await findParadigm(paradigm), treebank, { options });
    const grammar = await makePipeline([tokenizer, trained]);
    const [{ xpos, upos, phrases: tree }] = grammar.parse('She barks.');
    const tags = nodesOf(tree!).flatMap(({ label, form }) => (form === undefined ? [] : [label]));
    expect(xpos.slice(1)).toEqual(tags);
    expect(upos.slice(1)).toEqual(['_', '_', '_']);
    const [tagged] = (await makePipeline([tokenizer, tagger, trained])).parse('She barks.');
    expect(tagged.xpos).toEqual((await makePipeline([tokenizer, tagger])).parse('She barks.')[0].xpos);
  });

  test('finds several trees of a sentence, each with the columns that it fills', () => {
    const [sentence] = pipeline.parse(text);
    const ranked = pipeline.sentenceParser().nBest!(sentence, 3);
    const best = pipeline.sentenceParser().parse(sentence);
    expect(ranked.length).toBeGreaterThan(0);
    expect(ranked[0]).toMatchObject({ heads: best.heads, labels: best.labels });
    for (const { columns } of ranked) expect(columns).toEqual(best.columns);
  });

  test('is the same whatever the order in which its models are given', async () => {
    const { tokenizer, tagger, lemmatizer, parser } = models;
    const turned = await makePipeline([parser, lemmatizer, tokenizer, tagger]);
    expect(written(turned.parse(text))).toBe(written(pipeline.parse(text)));
  });

  test.each([
    ['a\0b', 'NUL character: expected text'],
    ['a\ud800b', 'half of a surrogate pair: expected Unicode text'],
    [5, 'number: expected text'],
  ])('refuses %j', (given, message) => {
    expect(() => pipeline.parse(given as string)).toThrow(new UsageError(message));
  });

  test('reports sentences parsed in chunks, tags that its parser never saw, and missing columns', async () => {
    const { tokenizer, tagger, parser } = models;
    const told: string[] = [];
    const callbacks = {
      onNotice: (notice: string) => told.push(notice),
      onWarning: (warning: string) => told.push(warning),
    };
    (await makePipeline([tokenizer, parser])).parse('Dogs bark.', 'text', callbacks);
    expect(told.splice(0)).toEqual([
      expect.stringMatching(/^no UPOS.*, which the model was trained to read: expect worse trees$/),
    ]);
    const retagged = inMemory(
      readSentences(sampleText('train'))
        .slice(0, 40)
        .map((sentence) => ({
          ...sentence,
          upos: sentence.upos.map((tag, d) => (d === 0 ? '' : `${tag}2`)),
        })),
      'other tags',
    );
    const others = await trainParser('bigram', retagged, { options: { maxLength: 12 } });
    const long = await makePipeline([tokenizer, tagger, others]);
    long.parse(`Dogs\nbark\n\n${'dogs\n'.repeat(13)}`, 'tokens', callbacks);
    expect(told).toEqual([
      'sentence 2: 13 tokens, parsed in chunks of 12',
      expect.stringMatching(/^100 % of UPOS were never seen in training, such as “\w+”/),
    ]);
  });

  test('ignores a byte-order mark at the start of a text', () => {
    expect(pipeline.parse(`\ufeff${text}`, 'text', { offsets: true })).toEqual(
      pipeline.parse(text, 'text', { offsets: true }),
    );
  });

  test('reads text with one sentence or one token per line', () => {
    expect(pipeline.parse('Dogs bark .\nCats sleep .', 'lines')).toHaveLength(2);
    expect(pipeline.parse('Dogs\nbark\n\nCats', 'tokens').map(({ length }) => length)).toEqual([2, 1]);
  });

  test('without a tokenizer reads sentences, and refuses text', async () => {
    const { tagger, parser } = models;
    const sentences = await makePipeline([tagger, parser]);
    expect(() => sentences.parse(text)).toThrow('the pipeline has no tokenizer: it cannot read text');
    const [bare] = readSentences(
      '# text = Dogs bark\n1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\tx=y\n\n',
    );
    const { upos, heads, labels, source } = sentences.complete(bare);
    expect([upos.includes('_'), heads.includes(-1, 1), labels.includes('_')]).toEqual([false, false, false]);
    expect(source!.text).toMatch(/^# text = Dogs bark\n1\tDogs\t_\t[A-Z]+\t.*\tx=y\n\n$/s);
  });

  test('without a parser fills columns, and leaves trees as they are', async () => {
    const { tagger, lemmatizer } = models;
    const annotators = await makePipeline([tagger, lemmatizer]);
    const [given] = readSentences('1\tDogs\tx\tX\t_\t_\t0\troot\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n');
    const { lemmas, upos, heads, labels } = annotators.complete(given);
    expect([lemmas, upos.includes('_')]).toEqual([['', 'dogs', 'bark'], false]);
    expect([[...heads], labels]).toEqual([
      [-1, 0, -1],
      ['', 'root', '_'],
    ]);
  });
});

describe('keeping columns of a sentence', () => {
  const given = (...rows: string[]) =>
    readSentences(rows.map((row, i) => `${i + 1}\t${row.split(' ').join('\t')}\t_\t_\t_\t_\n`).join(''))[0];

  test('is off by default: all columns are filled anew', () => {
    const { lemmas, upos } = pipeline.complete(given('Dogs x Q Q Q=q', 'bark y Q Q _'));
    expect([lemmas, upos.includes('Q')]).toEqual([['', 'dogs', 'bark'], false]);
  });

  test('keeps the tags that are there and fills in the missing ones', () => {
    const { lemmas, upos, xpos, feats } = pipeline.complete(given('Dogs x Q _ _', 'bark y _ Z _'), ['tags']);
    expect([upos[1], xpos[2], lemmas]).toEqual(['Q', 'Z', ['', 'dogs', 'bark']]);
    expect([upos[2], xpos[1]]).not.toContain('_');
    expect(feats).toEqual(pipeline.complete(given('Dogs x Q _ _', 'bark y _ Z _')).feats);
  });

  test('keeps universal tags and fills in other tags and features that were seen with them', () => {
    const rows = ['Dogs _ VERB _ _', 'bark _ NOUN _ _'];
    const { upos, xpos, feats } = pipeline.complete(given(...rows), ['tags']);
    expect(upos).toEqual(['', 'VERB', 'NOUN']);
    expect(`${xpos[1]} ${feats[1]}`).toMatch(/^VB.? _$/);
    expect(`${xpos[2]} ${feats[2]}`).toMatch(/^NNS? Number=(Sing|Plur)$/);
  });

  test('keeps the features of a sentence as a whole, as a word may have no features', () => {
    expect(pipeline.complete(given('Dogs x Q _ _', 'dogs y _ Z A=b'), ['tags']).feats).toEqual([
      '',
      '_',
      'A=b',
    ]);
  });

  test('keeps lemmas, with or without tags', () => {
    const sentence = given('Dogs x Q Q _', 'bark _ Q Q _');
    const lemmas = pipeline.complete(sentence, ['lemmas']);
    expect([lemmas.lemmas, lemmas.upos.includes('Q')]).toEqual([['', 'x', 'bark'], false]);
    const both = pipeline.complete(sentence, ['lemmas', 'tags']);
    expect([both.lemmas, both.upos]).toEqual([
      ['', 'x', 'bark'],
      ['', 'Q', 'Q'],
    ]);
  });
});

describe('a pipeline’s file', () => {
  test('is loaded as the same pipeline, which saves the same file again', async () => {
    const path = sandbox.path('first.model');
    savePipeline(path, pipeline, { seed: 7, scores: { las: 1 } });
    const { header } = readModelFile(path);
    expect(header).toMatchObject({
      pipeline: ['tokenizer', 'tagger', 'lemmatizer', 'parser'],
      seed: 7,
      scores: { las: 1 },
      parts: { tokenizer: { annotator: 'tokenizer' }, parser: { paradigm: 'transition', seed: 1 } },
    });
    const loaded = await loadPipeline(path);
    expect(written(loaded.parse(text))).toBe(written(pipeline.parse(text)));
    const again = sandbox.path('again.model');
    savePipeline(again, loaded, { seed: 7, scores: { las: 1 } });
    expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  });

  test('contains its models byte for byte as in files of their own', async () => {
    const files = saveAll();
    const path = sandbox.path('made.model');
    savePipeline(path, await makePipeline(files));
    const model = readModelFile(path);
    for (const [i, name] of model.partNames.entries()) {
      const alone = new ModelWriter();
      alone.copy(model.part(name));
      writeModelFile(sandbox.path('alone.model'), alone);
      expect(readFileSync(sandbox.path('alone.model')).equals(readFileSync(files[i]))).toBe(true);
    }
  });

  test('is refused if it is not a pipeline, damaged or inconsistent', async () => {
    const [, tagger] = saveAll();
    await expect(loadPipeline(tagger)).rejects.toThrow(`${tagger}: one model, expected a pipeline`);
    const path = sandbox.path('whole.model');
    savePipeline(path, pipeline);
    const bytes = readFileSync(path);
    bytes[bytes.length - 100] ^= 1;
    await expect(loadPipeline(sandbox.save('bad.model', bytes))).rejects.toThrow(
      /bad\.model: damaged: section /,
    );
    const lies = (names: readonly string[]) => {
      const writer = new ModelWriter();
      writer.copy(readModelFile(path));
      writer.header.pipeline = names;
      writeModelFile(sandbox.path('lies.model'), writer);
      return loadPipeline(sandbox.path('lies.model'));
    };
    await expect(lies(['parser'])).rejects.toThrow(/lies\.model: a pipeline has at least two models/);
    await expect(lies(['tagger', 'tagger'])).rejects.toThrow(
      /lies\.model: header field pipeline: names a part twice/,
    );
    await expect(lies(['tagger', 'none'])).rejects.toThrow(
      /lies\.model: header field parts\.none: expected an object/,
    );
  });
});

describe('several parsers in a pipeline', () => {
  test('vote with equal weights unless weights are learnt on sentences that the pipeline annotates itself', async () => {
    const { tagger, parser } = models;
    const sources: PipelineSource[] = [tagger, parser, bigram];
    const equal = await makePipeline(sources);
    expect(equal.vote!.weighting.name).toBe('equal');
    const learnt = await makePipeline(sources, {
      dev: inflected('dev'),
      weighting: 'tag',
      method: 'superparser',
    });
    const path = sandbox.path('vote.model');
    savePipeline(path, learnt);
    expect(readModelFile(path).header).toMatchObject({
      pipeline: ['tagger', 'parser-1', 'parser-2'],
      vote: { method: 'superparser' },
      weighting: { kind: 'members', weights: { name: 'tag' } },
    });
    const loaded = await loadPipeline(path);
    const dev = readSentences(written([...(await sentencesOf('dev'))]));
    expect(written(dev.map((one) => loaded.complete(one)))).toBe(
      written(dev.map((one) => learnt.complete(one))),
    );
    expect(written(dev.map((one) => loaded.complete(one)))).not.toBe(
      written(dev.map((one) => equal.complete(one))),
    );
  });

  test('keep learnt weights after saving and loading', async () => {
    const { tagger, parser } = models;
    const learnt = await makePipeline([tagger, parser, bigram], {
      dev: inflected('dev'),
      weighting: 'learnt',
    });
    const path = sandbox.path('arcs.model');
    savePipeline(path, learnt);
    const loaded = await loadPipeline(path);
    expect(loaded.vote!.weighting.data).toEqual(learnt.vote!.weighting.data);
  });

  test('keep their weights when taken from another pipeline, unless a parser is added', async () => {
    const { tagger, parser } = models;
    const path = sandbox.path('taken.model');
    savePipeline(
      path,
      await makePipeline([tagger, parser, bigram], { dev: inflected('dev'), weighting: 'las' }),
    );
    const again = await makePipeline([models.tokenizer, path], { method: 'superparser' });
    expect([again.vote!.weighting.name, again.vote!.method]).toEqual(['las', 'superparser']);
    const warnings: string[] = [];
    const more = await makePipeline([path, models.lemmatizer, bigram], {
      onWarning: (warning) => warnings.push(warning),
    });
    expect([more.parsers.length, more.vote!.weighting.name]).toEqual([3, 'equal']);
    expect(warnings).toEqual(['the weights of the vote are for fewer parsers: they are not used']);
  });

  test('are needed for a vote', async () => {
    const { tagger, parser } = models;
    await expect(makePipeline([tagger, parser], { method: 'superparser' })).rejects.toThrow(
      'method: one parser, a vote takes several',
    );
  });
});

describe('models put together into a pipeline', () => {
  test('are refused if two do the same', async () => {
    const [tokenizer, tagger] = saveAll();
    const other = sandbox.path('other.model');
    const copy = copyOf(tagger);
    copy.header.seed = 77;
    writeModelFile(other, copy);
    await expect(makePipeline([tokenizer, tagger, other])).rejects.toThrow(
      `${tagger} and ${other} both are taggers: expected one of them`,
    );
    const { annotator } = models.tokenizer;
    await expect(makePipeline([tokenizer, { annotator, about: { seed: 77 } }])).rejects.toThrow(
      `${tokenizer} and tokenizer both split text: expected one of them`,
    );
  });

  test('may be the same byte for byte, as in pipelines trained on one treebank', async () => {
    const { tokenizer, tagger, parser } = models;
    const [one, other] = ['one', 'other'].map((name) => sandbox.path(`${name}.model`));
    savePipeline(one, await makePipeline([tokenizer, tagger, parser]));
    savePipeline(other, await makePipeline([tagger, parser]));
    const both = await makePipeline([one, other]);
    expect(both.annotators.map(({ task }) => task)).toEqual(['tagger']);
    expect(both.parsers).toHaveLength(2);
  });

  test('are refused if there is only one', async () => {
    await expect(makePipeline([models.tagger])).rejects.toThrow('a pipeline has at least two models');
  });

  test('cause a warning if they read columns that nothing fills', async () => {
    const warnings: string[] = [];
    const { tokenizer, lemmatizer, parser } = models;
    await makePipeline([tokenizer, lemmatizer, parser], { onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([
      'the lemmatizer reads UPOS, XPOS and FEATS, which nothing in the pipeline fills: only input that has them is parsed well',
      expect.stringMatching(
        /^transition reads UPOS.*, which nothing in the pipeline fills: only input that has them is parsed well$/,
      ),
    ]);
  });
});

function saveAll(): string[] {
  const { tokenizer, tagger, lemmatizer, parser } = models;
  const files = ['tokenizer', 'tagger', 'lemmatizer', 'parser'].map((name) => sandbox.path(`${name}.model`));
  for (const [i, { annotator, about }] of [tokenizer, tagger, lemmatizer].entries()) {
    saveAnnotator(files[i], annotator, about);
  }
  saveParser(files[3], parser.parser, parser.about);
  return files;
}

function copyOf(path: string): ModelWriter {
  const writer = new ModelWriter();
  writer.copy(readModelFile(path));
  return writer;
}

async function sentencesOf(part: 'train' | 'dev'): Promise<Sentence[]> {
  const all: Sentence[] = [];
  for await (const sentence of inflected(part)) all.push(sentence);
  return all;
}
