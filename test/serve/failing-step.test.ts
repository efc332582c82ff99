import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { saveParser } from '../../parsers/registry.ts';
import { readModels } from '../../serve/tasks/served-models.ts';
import { InputError } from '../../src/errors.ts';
import { LeftNeighbourParser, registerLeftNeighbour } from '../support/left-neighbour.ts';
import { Sandbox } from '../support/sandbox.ts';
import { type ServiceHere, serveHere } from '../support/service.ts';
import { smallModels } from '../support/small-pipeline.ts';

const sandbox = new Sandbox('failing-step');
let service: ServiceHere;

beforeAll(async () => {
  await registerLeftNeighbour();
  const parser = sandbox.path('left.model');
  saveParser(parser, new LeftNeighbourParser(new Int32Array(1)) as never);
  const { tokenizer } = await smallModels();
  const file = sandbox.path('pipeline.model');
  savePipeline(file, await makePipeline([tokenizer, parser]));
  service = await serveHere(await readModels([{ name: 'left', file }], []));
});
afterAll(() => service.app.close());
afterEach(() => vi.restoreAllMocks());

const long = 'The dogs bark.\n\n'.repeat(100);

test.each([
  ['a fault of a step', new TypeError('no dogs'), 'Nobody knows why.\n\nThe dogs bark.\n\n'],
  ['a refusal of the tokenizer’s output', new InputError('no dogs'), 'Nobody knows why.\n\nThe dogs bark.'],
  ['a fault in a text of several slices', new InputError('no dogs'), `Nobody knows why.\n\n${long}`],
])('a request is answered, without the trees of failed sentences, after %s', async (_, error, text) => {
  const { parse } = LeftNeighbourParser.prototype;
  vi.spyOn(LeftNeighbourParser.prototype, 'parse').mockImplementation((sentence) => {
    if (sentence.forms.includes('dogs')) throw error;
    return parse(sentence);
  });
  const body = JSON.stringify({ text });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${service.address}/v1/parse`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const { sentences } = (await response.json()) as { sentences: { tokens: { head?: number }[] }[] };
  const [first, ...others] = sentences.map(({ tokens }) => tokens.map(({ head }) => head));
  expect(first).toEqual([0, 1, 2, 3]);
  expect(others.length).toBe(text.split('dogs').length - 1);
  for (const heads of others) expect(heads).toEqual([undefined, undefined, undefined, undefined]);
  expect(service.log()).toContain('a step failed: sentences without a tree');
  expect(service.log()).not.toContain('no dogs');
  const metrics = await (await fetch(`${service.address}/metrics`)).text();
  expect(metrics).toMatch(/^parliament_sentences_failed_total\{model="left"\} [1-9]/m);
});
