import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pipeline } from '../../combine/pipeline/pipeline.ts';
import type { ServedModel } from '../../serve/tasks/served-models.ts';
import { explanationSchema } from '../../src/explain/explanation.ts';
import type { TransitionExplanation } from '../../src/explain/steps.ts';
import type { ComparedSentence } from '../../src/report/workbench/backend.ts';
import { confidencesOf } from '../../src/treebank/columns/confidence.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere, serveSmall } from '../support/service.ts';

const sandbox = new Sandbox('serve-api');
const text = 'The dogs bark all night.  Nobody\nknows why.';

let service: ServiceHere;
let pipeline: Pipeline;

beforeAll(async () => {
  ({ service, pipeline } = await serveSmall(sandbox));
});
afterAll(() => service.app.close());

async function post(path: string, body: unknown) {
  const response = await fetch(`${service.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json() };
}

/** A sentence of CoNLL-U without a tree. */
const unparsed = (length: number) =>
  `${Array.from({ length }, (_, i) => `${i + 1}\tdog${'\t_'.repeat(8)}\n`).join('')}\n`;

const jsonOf = (words: string) =>
  pipeline.parse(words).map((sentence) => JSON.parse(formatSentence(sentence, 'json')));

describe('the service’s own interface', () => {
  test.each([
    ['GET', '/v1/parse', 405, 'POST', /^GET is not allowed here, expected POST$/],
    ['POST', '/v1/models', 405, 'GET', /^POST is not allowed here, expected GET$/],
    ['GET', '/v1/nope?x', 404, null, /^no such address$/],
    ['GET', '/v1/%zz', 400, null, /is not a valid url component$/],
  ])('answers %s %s with an error in JSON', async (method, path, status, allow, line) => {
    const response = await fetch(`${service.address}${path}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await response.json()).toEqual({ error: expect.stringMatching(line) });
  });

  test('lists models with their kinds, abilities and members', async () => {
    const { models } = (await (await fetch(`${service.address}/v1/models`)).json()) as { models: object[] };
    const all = ['tokenizer', 'tagger', 'parser'];
    expect(models).toEqual([
      { name: 'small-en', kind: 'pipeline', abilities: all },
      { name: 'greedy', kind: 'parser', abilities: ['parser'] },
      { name: 'both', kind: 'vote', abilities: all, members: ['small-en', 'greedy'] },
    ]);
  });

  test('parses text into the sentences that parliament parse --to json writes', async () => {
    const { status, answer } = await post('/v1/parse', { text });
    expect({ status, answer }).toEqual({
      status: 200,
      answer: { model: 'small-en', sentences: jsonOf(text) },
    });
    const { answer: marked } = await post('/v1/parse', { text: `\ufeff${text}` });
    expect(marked).toEqual(answer);
  });

  test('returns one list for a long text, although it is parsed in pieces', async () => {
    const long = readSentences(sampleText('dev')).map(textOf).join('').repeat(2);
    service.workers.done.length = 0;
    const { answer } = await post('/v1/parse', { text: long });
    expect(service.workers.done.length).toBeGreaterThan(3);
    expect(answer.sentences).toEqual(jsonOf(long));
  });

  test('parses sentences in any format, and keeps the annotation that the request names', async () => {
    const sentences = '1\tDogs\tdoggy\tX\tX\t_\t_\t_\t_\t_\n\n';
    const token = async (body: object) => (await post('/v1/parse', body)).answer.sentences[0].tokens[0];
    expect(await token({ sentences, keep: ['tags', 'lemmas'] })).toMatchObject({ upos: 'X', lemma: 'doggy' });
    expect((await token({ sentences })).lemma).toBe('dogs');
    expect((await token({ sentences: '(S (NP (NNS Owls)) (VP (VBP fly)))' })).form).toBe('Owls');
    expect((await token({ model: 'greedy', sentences: '{"tokens":[{"form":"Owls"}]}' })).form).toBe('Owls');
    const lines = await post('/v1/parse', { text: 'Dogs bark. Cats sleep.', layout: 'lines' });
    expect(lines.answer.sentences).toHaveLength(1);
  });

  test('compares models and has them vote; models without a tagger use the tags of the first model', async () => {
    const { answer } = await post('/v1/compare', { text });
    expect(answer.models).toEqual(['small-en', 'greedy']);
    const [first] = answer.sentences as ComparedSentence[];
    expect(first.forms).toEqual(['The', 'dogs', 'bark', 'all', 'night', '.']);
    const [piped, greedy] = first.trees;
    // The same parser, on the same tags.
    expect({ ...greedy, model: 'small-en' }).toEqual(piped);
    expect(piped.conllu).toBe(formatSentence(pipeline.parse(text)[0], 'conllu'));
    expect(first.vote!.heads).toEqual(piped.heads);
    expect(first.vote!.ballots[0]).toEqual([
      { head: piped.heads[0], label: piped.labels[0], models: ['small-en', 'greedy'] },
    ]);
    const without = await post('/v1/compare', { text, models: ['both'], vote: false });
    expect(without.answer.sentences[0]).not.toHaveProperty('vote');
    expect(without.answer.sentences[0].trees[0].heads).toEqual(piped.heads);
  });

  const missing = 'no UPOS and XPOS, which the model was trained to read: expect worse trees';
  const untagged = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n';

  test('reports once, in notices, columns that a parser was trained to read and the sentences lack', async () => {
    // In two pieces, the second of a sentence or two.
    service.workers.done.length = 0;
    const parsed = await post('/v1/parse', { sentences: untagged.repeat(176), model: 'greedy' });
    expect(service.workers.done).toEqual(['check', 'check', 'parse', 'parse']);
    const many = missing.replace(' and XPOS', ', XPOS and FEATS');
    expect(parsed).toMatchObject({ status: 200, answer: { notices: [many] } });
    expect(parsed.answer.sentences).toHaveLength(176);
    expect((await post('/v1/parse', { sentences: untagged })).answer).not.toHaveProperty('notices');
    const explained = await post('/v1/explain', { sentences: untagged, model: 'greedy' });
    expect(explained.answer.explanation.notices).toEqual([missing]);
  });

  test('reports missing columns when models are compared, unless the first model fills them', async () => {
    const noticesOf = async (models: readonly string[]) => {
      const { answer } = await post('/v1/compare', { sentences: untagged, models });
      return (answer.sentences as ComparedSentence[])[0].trees.map(({ notices }) => notices);
    };
    expect(await noticesOf(['greedy', 'small-en'])).toEqual([[missing], undefined]);
    expect(await noticesOf(['small-en', 'greedy', 'both'])).toEqual([undefined, undefined, undefined]);
  });

  test('refuses to compare models if none has a parser', async () => {
    const [small] = service.admission.models;
    const taggers = await serveHere([{ ...small, abilities: ['tokenizer', 'tagger'] } as ServedModel]);
    const request = { method: 'POST', url: '/v1/compare', body: { text } } as const;
    const answer = await taggers.app.inject(request);
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'no model here has a parser' }]);
    await taggers.app.close();
  });

  test('does not count brackets and quotation marks within a text as nesting', async () => {
    const nested = `${'['.repeat(20)} "${'{'.repeat(20)}" \\`;
    expect((await post('/v1/parse', { text: nested })).status).toBe(200);
  });

  test('refuses a sentence without an end', async () => {
    const large = await serveHere(service.admission.models, { bodyLimit: 2 ** 26 });
    const sentences = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n'.repeat(800_000);
    const request = { method: 'POST', url: '/v1/parse', body: { sentences } } as const;
    const answer = await large.app.inject(request);
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      'line 1: a sentence longer than 16777216 characters, expected blank lines between sentences',
    ]);
    await large.app.close();
  });

  test('refuses to compare a model with itself', async () => {
    expect(await post('/v1/compare', { text, models: ['greedy', 'greedy'] })).toEqual({
      status: 400,
      answer: { error: 'model greedy is given twice' },
    });
  });

  test('returns the confidences of each model on request', async () => {
    const { answer } = await post('/v1/compare', { text, confidence: true });
    const [first] = answer.sentences as ComparedSentence[];
    const [sentence] = pipeline.parse(text, 'text', { confidence: true });
    const sure = [...confidencesOf(sentence)!.subarray(1)];
    expect(first.trees.map(({ confidences }) => confidences)).toEqual([sure, sure]);
    expect(first.vote!.confidences).toEqual(sure.map(() => 1));
    const parsed = await post('/v1/parse', { text, confidence: true });
    expect(parsed.answer.sentences[0]).toEqual(JSON.parse(formatSentence(sentence, 'json')));
    const voted = await post('/v1/parse', { text, model: 'both', confidence: true });
    expect(voted.answer.sentences[0].tokens[0].misc).toMatch(/\|Confidence=1\.000$/);
    const ofTags = ({ sentences: [{ tokens }] }: typeof parsed.answer) =>
      tokens.map(({ misc }: { misc: string }) => misc.replace(/\|Confidence=.*/, ''));
    expect(ofTags(voted.answer)).toEqual(ofTags(parsed.answer));
    expect(ofTags(voted.answer)[0]).toMatch(/Confidence=/);
    const without = (await post('/v1/compare', { text })).answer.sentences[0];
    expect(without.trees[0]).not.toHaveProperty('confidences');
    expect(without.vote).not.toHaveProperty('confidences');
  });

  test('explains how a pipeline, a parser or a vote parses a sentence, as parliament explain does', async () => {
    const [, second] = pipeline.parse(text);
    const explained = pipeline.explain(second, { step: 2 });
    const answered = await post('/v1/explain', { text, sentence: 2, step: 2 });
    expect(answered).toEqual({
      status: 200,
      answer: { model: 'small-en', sentence: 2, explanation: JSON.parse(JSON.stringify(explained)) },
    });
    const sentences = formatSentence(second, 'conllu');
    const greedy = await post('/v1/explain', { sentences, model: 'greedy' });
    expect(greedy.answer.explanation.steps).toEqual((explained.parser as TransitionExplanation).steps);
    const both = (await post('/v1/explain', { sentences, model: 'both' })).answer.explanation;
    expect(both.members.map(({ paradigm }: { paradigm: string }) => paradigm)).toEqual([
      'small-en',
      'greedy',
    ]);
    expect(both.tree).toEqual(explained.tree);
    expect(explanationSchema.safeParse(both).error).toBe(undefined);
  });

  test.each([
    [{ sentence: 3 }, 'there is no sentence 3, expected 1 to 2'],
    [{ text: 'Dogs bark.', sentence: 4 }, 'there is no sentence 4, expected 1'],
    [{ sentence: 0 }, 'sentence: expected at least 1'],
    [{ text: ' \n' }, 'the text has no sentence'],
    [{ arc: 1 }, 'arc 1: this parser does not score arcs; try step'],
    [{ step: 99 }, 'step 99: there are the steps 1 to 12'],
    [{ model: 'both', step: 1 }, 'step 1: this parser has no steps'],
    [
      { text: 'dog '.repeat(301), layout: 'lines' },
      'sentence 1: a sentence of 301 words, expected 300 at most',
    ],
    [
      { text: undefined, sentences: [1, 301].map(unparsed).join(''), sentence: 2 },
      'line 3: a sentence of 301 words, expected 300 at most',
    ],
  ])('says why %j cannot be explained', async (asked, error) => {
    expect(await post('/v1/explain', { text, ...asked })).toEqual({ status: 400, answer: { error } });
  });

  test('has an OpenAPI description of all its paths', async () => {
    const description = (await (await fetch(`${service.address}/prefix/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: object }>>;
    };
    expect(description.openapi).toBe('3.1.0');
    expect(Object.keys(description.paths)).toEqual(['/v1/models', '/v1/parse', '/v1/compare', '/v1/explain']);
    expect(Object.keys(description.paths['/v1/parse'].post.responses)).toEqual(['200', '4XX', '5XX']);
  });

  test('allows pages of other origins only if configured, while UDPipe’s interface allows all', async () => {
    const headers = { origin: 'https://example.org' };
    const origin = async (path: string, init: RequestInit, address = service.address) =>
      (await fetch(address + path, { headers, ...init })).headers.get('access-control-allow-origin');
    expect(await origin('/v1/models', {})).toBe(null);
    expect(await origin('/v1/parse', { method: 'OPTIONS' })).toBe(null);
    expect(await origin('/process', { method: 'OPTIONS' })).toBe('*');
    const open = await serveHere(service.admission.models, { origins: ['https://example.org'] });
    expect(await origin('/v1/models', {}, open.address)).toBe('https://example.org');
    expect(await origin('/v1/parse', { method: 'OPTIONS' }, open.address)).toBe('https://example.org');
    const preflight = await fetch(`${open.address}/v1/file`, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT');
    await open.app.close();
  });

  test.each([
    [[], 'models: expected at least 1 entry'],
    [Array(21).fill('greedy'), 'models: expected at most 20 entries'],
  ])('refuses to compare the models %j', async (models, error) => {
    expect(await post('/v1/compare', { text, models })).toEqual({ status: 400, answer: { error } });
  });

  test('says which content type it accepts', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const asked = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify({ text }) };
      const response = await fetch(`${service.address}/v1/parse`, asked);
      expect(response.status).toBe(415);
      expect(await response.json()).toEqual({ error: 'expected content-type: application/json' });
    }
  });

  test.each([
    [{}, 400, 'expected text or sentences'],
    [{ text, sentences: text }, 400, 'expected text or sentences'],
    [{ text, model: 'nosuch' }, 400, 'there is no model called "nosuch"'],
    [{ text, model: 'greedy' }, 400, 'the model greedy has no tokenizer'],
    [{ text, model: 7 }, 400, 'model: expected a string'],
    [{ text, colour: 'red' }, 400, 'unknown field: colour'],
    [{ text, layout: 'poem' }, 400, 'layout: expected one of text, lines, tokens'],
    [{ text, keep: 'tags' }, 400, 'keep: expected a list'],
    [{ text, keep: ['tags', 'x'] }, 400, 'keep/1: expected one of tags, lemmas'],
    [{ text, keep: ['tags'] }, 400, 'keep is for sentences: text has no annotation to keep'],
    [
      { sentences: '{"tokens":[{"form":"Owls"}]}', model: 'greedy', keep: ['tags'] },
      400,
      'keep is for pipelines, but greedy is not a pipeline',
    ],
    [{ text, confidence: 'yes' }, 400, 'confidence: expected true or false'],
    [{ text: '\ud800' }, 400, 'half of a surrogate pair: expected Unicode text'],
    [{ sentences: '' }, 400, 'no sentences'],
    [{ sentences: '1\tDogs\n' }, 400, expect.stringMatching(/^line 1: format not recognised/)],
    ['{"text":', 400, 'malformed JSON'],
    ['[1]', 400, 'body: expected an object'],
    ['{"text":'.repeat(17), 400, 'JSON nested too deeply, expected at most 16 levels'],
    ['['.repeat(16), 400, 'malformed JSON'],
    ['{"__proto__":{"text":"x"},"text":"Dogs."}', 400, 'unknown field: __proto__'],
  ])('refuses request %# in one line of JSON', async (body, status, error) => {
    expect(await post('/v1/parse', body)).toEqual({ status, answer: { error } });
  });
});
