import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { writeParser } from '../../parsers/registry.ts';
import { ModelWriter, modelBytes } from '../../src/model/model-writer.ts';
import { calls } from '../../web/calls.ts';
import { fetchModel } from '../../web/models.ts';
import { smallNetwork } from '../support/small-network.ts';

afterEach(() => vi.unstubAllGlobals());

test('a digest may be in capital letters; a model with another digest is refused', async () => {
  const model = Uint8Array.of(1, 2, 3);
  vi.stubGlobal('fetch', async () => new Response(model));
  const digest = createHash('sha256').update(model).digest('hex');
  const fetched = (expected: string) => fetchModel('http://localhost/some.model', expected, () => undefined);
  for (const same of [digest, digest.toUpperCase()])
    expect(new Uint8Array((await fetched(same)).bytes)).toEqual(model);
  const other = digest.replace(/^./, (first) => (first === '0' ? '1' : '0'));
  await expect(fetched(other)).rejects.toThrow(`SHA-256 ${digest}, expected ${other}`);
});

test('bytes with another digest are refused', async () => {
  const { buffer } = Uint8Array.of(1, 2, 3);
  await expect(calls.load(buffer, 'model', 'abc', {} as never)).rejects.toThrow(/SHA-256 .*, expected abc$/);
});

test('a misspelt option of a vote is refused with the known options', () => {
  expect(() => calls.vote([[], [], []], { weight: [1, 2, 3] } as object)).toThrow(
    'vote has no option weight, expected some of weights, method, singleRoot, confidence',
  );
});

test('a model that is damaged in the cache is fetched again and replaces it', async () => {
  const { parser, about } = await smallNetwork(20);
  const writer = new ModelWriter();
  writeParser(writer, parser, about);
  const model = Uint8Array.from(new Uint8Array(modelBytes(writer)));
  const kept = new Map<string, Response>();
  const store = {
    match: async (key: string) => kept.get(key)?.clone(),
    put: async (key: string, response: Response) => void kept.set(key, response),
    delete: async (key: string) => kept.delete(key),
  };
  vi.stubGlobal('caches', { open: async () => store });
  vi.stubGlobal('fetch', async () => new Response(model));
  const digest = createHash('sha256').update(model).digest('hex');
  const key = `http://localhost/parliament-models/${digest}`;
  kept.set(key, new Response(model.slice(0, 1000)));
  await calls.load('http://localhost/some.model', 'some.model', digest, {
    onProgress: () => undefined,
  } as never);
  expect(new Uint8Array(await kept.get(key)!.arrayBuffer())).toEqual(model);
});

test('a blob address is fetched but not cached, and a connection that is cut is reported', async () => {
  const model = Uint8Array.of(1, 2, 3);
  vi.stubGlobal('fetch', async () => new Response(model));
  vi.stubGlobal('caches', { open: () => expect.fail('opened') });
  const digest = createHash('sha256').update(model).digest('hex');
  const fetched = () => fetchModel('blob:http://localhost/some', digest, () => undefined);
  expect(new Uint8Array((await fetched()).bytes)).toEqual(model);
  const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async () => new Response(cut));
  await expect(fetched()).rejects.toThrow('blob:http://localhost/some: cannot be fetched: network error');
});
