import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webpack } from 'webpack';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import type { Pipeline } from '../../combine/pipeline/pipeline.ts';
import { savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { trainParser } from '../../combine/train-parser.ts';
import { Vote } from '../../combine/vote/vote.ts';
import { equalWeighting } from '../../combine/vote/weights/weighting.ts';
import { saveParser } from '../../parsers/registry.ts';
import { compare } from '../../src/evaluate/comparison/compare.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import type * as Web from '../../web/index.ts';
import { launchChromium, needsChromium, newContext } from '../support/chromium.ts';
import { sampleText } from '../support/sample.ts';
import { smallModels } from '../support/small-pipeline.ts';

declare global {
  // In the page: what `parliament/web` exports, and a model that it has loaded.
  var web: typeof Web;
  var model: Web.Model;
}

const text = 'The old dogs bark all night, and nobody knows why.\n\nA cat sleeps.';
const html = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import * as web from '/web/index.js'; globalThis.web = web;</script>`;
// The strictest rules that a page may have: no shared memory, and only WebAssembly may be compiled.
const headers = {
  'Content-Security-Policy':
    "default-src 'self' data:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'",
};
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.model': 'application/octet-stream',
};

let folder: string;
let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let pipeline: Pipeline;
let digest: string;
const asked: string[] = [];

/** The lines of sentences as CoNLL-U. */
const conllu = (sentences: readonly Web.Sentence[]) =>
  sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');
const train = sampleText('train').split('\n\n').slice(0, 60).join('\n\n').concat('\n\n');
const gold = sampleText('dev').split('\n\n').slice(0, 20).join('\n\n').concat('\n\n');

needsChromium.describe('parliament/web, in a browser', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parliament-web-'));
    const { tokenizer, tagger, lemmatizer, parser } = await smallModels();
    pipeline = await makePipeline([tokenizer, tagger, lemmatizer, parser]);
    savePipeline(join(folder, 'small.model'), pipeline, {}, { compact: true });
    pipeline = await (await import('../../combine/pipeline/saved-pipeline.ts')).loadPipeline(
      join(folder, 'small.model'),
    );
    digest = createHash('sha256')
      .update(readFileSync(join(folder, 'small.model')))
      .digest('hex');
    server = createServer(({ url = '/' }, response) => {
      asked.push(url);
      if (url === '/') return response.writeHead(200, { ...headers, 'Content-Type': 'text/html' }).end(html);
      const [, inPackage] = /^(?:\/parliament)?(\/web\/.*)/.exec(url) ?? [];
      const file = inPackage === undefined ? join(folder, url) : join(packageFolder, 'dist', inPackage);
      if (!existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(url)]! }).end(readFileSync(file));
    }).listen(0, '127.0.0.1');
    browser = await launchChromium();
    context = await newContext(browser);
    page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => globalThis.web !== undefined);
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  test('a parser warns of tags that sentences lack', async () => {
    const { warnings, notices } = await page.evaluate(async (train) => {
      const parser = await web.trainParser('bigram', train);
      const warnings: string[] = [];
      const bare = web.sentenceOf([{ form: 'Dogs' }, { form: 'bark' }]);
      await parser.parse([bare], { onWarning: (warning) => warnings.push(warning) });
      return { warnings, notices: (await parser.explain(bare)).notices };
    }, train);
    expect(warnings).toEqual(['no UPOS and XPOS, which the model was trained to read: expect worse trees']);
    expect(notices).toEqual(warnings);
  });

  test('a compact pipeline parses, explains and draws as in Node', async () => {
    const found = await page.evaluate(async (text) => {
      globalThis.model = await web.loadPipeline('small.model');
      const sentences = await model.parse(text, { confidence: true });
      return {
        written: sentences.map((sentence) => web.formatSentence(sentence, 'conllu')).join(''),
        explanation: await model.explain(sentences[0]!),
        picture: web.drawTree(sentences[0]!).slice(0, 4),
        parts: model.header.pipeline,
      };
    }, text);
    const sentences = pipeline.parse(text, 'text', { confidence: true });
    expect(found.written).toBe(conllu(sentences));
    expect(found.explanation).toEqual(JSON.parse(JSON.stringify(pipeline.explain(sentences[0]!))));
    expect(found).toMatchObject({ picture: '<svg', parts: ['tokenizer', 'tagger', 'lemmatizer', 'parser'] });
  });

  test('a model with a given digest is kept, and not fetched the second time', async () => {
    const load = (digest: string) =>
      page.evaluate(async (digest) => {
        const model = await web.loadPipeline('small.model', { digest });
        model.close();
      }, digest);
    await load(digest);
    const before = asked.filter((url) => url.endsWith('.model')).length;
    await load(digest);
    expect(asked.filter((url) => url.endsWith('.model'))).toHaveLength(before);
    await expect(load('0'.repeat(64))).rejects.toThrow(`SHA-256 ${digest}, expected 0000`);
  });

  test.each([
    ['graph', { epochs: 2, bits: 16 }],
    ['transition', { epochs: 2, beam: 1, bits: 16 }],
    ['network', { epochs: 2, units: 16 }],
  ] as const)(
    'a %s parser trained in the page has the same bytes as one trained in Node',
    async (name, options) => {
      const file = join(folder, `${name}.model`);
      writeFileSync(join(folder, 'train.conllu'), train);
      writeFileSync(join(folder, 'dev.conllu'), gold);
      const { parser, about } = await trainParser(name, join(folder, 'train.conllu'), {
        options: options as object,
        dev: join(folder, 'dev.conllu'),
      });
      saveParser(file, parser, about);
      const found = await page.evaluate(
        async ({ name, options, train, gold }) => {
          const dev = { name: 'dev.conllu', text: gold };
          let reports = 0;
          const onProgress = () => reports++;
          const given = { options: options as object, dev, onProgress };
          const model = await web.trainParser(name, { name: 'train.conllu', text: train }, given);
          const digest = await crypto.subtle.digest(
            'SHA-256',
            (await model.bytes()) as Uint8Array<ArrayBuffer>,
          );
          model.close();
          return { reports, digest: [...new Uint8Array(digest)] };
        },
        { name, options, train, gold },
      );
      expect(Buffer.from(found.digest)).toEqual(createHash('sha256').update(readFileSync(file)).digest());
      expect(found.reports).toBeGreaterThan(0);
    },
  );

  test('vote, evaluate and compare give the same results as in Node', async () => {
    const outputs = [1, 2, 3].map((k) => wrong(gold, k));
    const found = await page.evaluate(
      async ({ gold, outputs }) => {
        const voted = await web.vote(outputs.map((text) => web.readSentences(text)));
        const named = outputs.map((text, i) => ({ name: `${i}.conllu`, text }));
        return {
          voted: voted.map((sentence) => web.formatSentence(sentence, 'conllu')).join(''),
          scores: await web.evaluate(gold, named[0]!),
          comparison: await web.compare(gold, named, { rounds: 50, onNotice() {}, onWarning() {} }),
        };
      },
      { gold, outputs },
    );
    const treebanks = outputs.map((text, i) => inMemory(readSentences(text), `${i}.conllu`));
    const all = outputs.map((text) => readSentences(text));
    const vote = new Vote(equalWeighting(3));
    const trees = all[0]!.map(
      (sentence, i) => vote.decide({ sentence, trees: all.map((each) => each[i]!) }).tree,
    );
    expect(readSentences(found.voted).map(({ heads }) => heads)).toEqual(trees.map(({ heads }) => heads));
    const right = inMemory(readSentences(gold), 'text');
    expect(found.scores).toEqual(await evaluate(right, treebanks[0]!));
    const { comparison } = await compare(right, treebanks, { rounds: 50 });
    // The last digits of p-values depend on the engine's exponential function.
    const { significance: _, ...others } = comparison;
    expect(found.comparison).toMatchObject(others);
  });

  test('the plain page of docs/web.md draws the trees of its text', async () => {
    writeFileSync(join(folder, 'plain.html'), documented('html')[0]!);
    copyFileSync(join(folder, 'small.model'), join(folder, 'english.model'));
    const plain = await context.newPage();
    await plain.goto(new URL('/plain.html', page.url()).href);
    await plain.locator('#parse').click();
    const sentences = pipeline.parse(await plain.locator('#text').inputValue());
    await plain.locator('#trees svg').first().waitFor();
    expect(await plain.locator('#trees svg').count()).toBe(sentences.length);
  });

  /** Opens a page with the script of docs/web.md, which `bundle` bundles into the folder that is served. */
  async function bundled(name: string, bundle: (project: string) => Promise<unknown>): Promise<void> {
    const project = join(folder, name);
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(packageFolder, join(project, 'node_modules', 'parliament'));
    writeFileSync(join(project, 'main.js'), documented('js')[0]!);
    const body = '<div id="trees"></div><script type="module" src="/main.js"></script>';
    for (const place of [project, folder]) writeFileSync(join(place, 'index.html'), body);
    await bundle(project);
    const opened = await context.newPage();
    await opened.goto(new URL('/index.html', page.url()).href);
    await opened.locator('#trees svg').first().waitFor();
    expect(await opened.locator('#trees svg').count()).toBe(1);
  }

  test('a page that Vite bundles as docs/web.md says draws a tree', () =>
    bundled('vite', (project) => {
      writeFileSync(join(project, 'vite.config.mjs'), documented('js')[1]!);
      return build({ root: project, logLevel: 'error', build: { outDir: folder, emptyOutDir: false } });
    }));

  test('a page that webpack bundles without settings draws a tree', () =>
    bundled('webpack', async (context) => {
      const compiler = webpack({ mode: 'none', context, entry: './main.js', output: { path: folder } });
      const stats = await promisify(compiler.run.bind(compiler))();
      expect(stats!.compilation.errors).toEqual([]);
    }));

  test('mistakes give the same errors as in Node, and training can be cancelled', async () => {
    const found = await page.evaluate(async (train) => {
      const told = (error: Error) => `${error.name}: ${error.message}`;
      const stopped = AbortSignal.timeout(50);
      return [
        await web.loadPipeline(new Uint8Array(100)).catch(told),
        await web.loadPipeline('nowhere.txt').catch((error) => told(error).replace(/http.*: /, '')),
        await web.trainParser('graph', '1\tThe\n').catch(told),
        await web.trainParser('graph', train, { signal: stopped }).catch(told),
        await web.trainParser('graph', train, { sed: 1 } as object).catch(told),
        await model.parse(null as never).catch(told),
      ];
    }, train);
    expect(found).toEqual([
      'InputError: model: not a Parliament model',
      expect.stringMatching(/^InputError: .*(fetch|404)/),
      expect.stringMatching(/^InputError: text/),
      expect.stringMatching(/^TimeoutError: /),
      'UsageError: trainParser has no option sed, expected some of options, dev, seed',
      'UsageError: model.parse: expected text or sentences',
    ]);
  });
});

/** The code blocks of a language in docs/web.md. */
const documented = (language: string) =>
  Array.from(
    readFileSync(join(packageFolder, 'docs', 'web.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms),
    ([, found, code]) => (found === language ? code! : ''),
  ).filter((code) => code !== '');

/** The sentences with wrong heads, fewer for a larger `k`. */
function wrong(text: string, k: number): string {
  const sentences = readSentences(text).map((sentence) => {
    const heads = sentence.heads.map((head, d) => (d > 0 && d % (k + 2) === 0 && head !== 0 ? 0 : head));
    return formatSentence(sentence, 'conllu', { ...sentence, heads });
  });
  return sentences.join('');
}
