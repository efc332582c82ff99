import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pipeline } from '../../combine/pipeline/pipeline.ts';
import { packageVersion } from '../../src/platform/package.ts';
import type { ComparedSentence } from '../../src/report/workbench/backend.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { exchange, type ServiceHere, serveSmall } from '../support/service.ts';

const sandbox = new Sandbox('udpipe');
const text = 'The dogs bark all night.  Nobody\nknows why.';
const generator = `Parliament ${packageVersion()}`;

let service: ServiceHere;
let pipeline: Pipeline;

beforeAll(async () => {
  ({ service, pipeline } = await serveSmall(sandbox));
});
afterAll(() => service.app.close());

/** The output of `parliament parse` for a text. */
const parsed = (words: string) =>
  pipeline
    .parse(words)
    .map((sentence) => formatSentence(sentence, 'conllu'))
    .join('');
const head = (model: string) => `# generator = ${generator}\n# udpipe_model = ${model}\n`;

const all = { tokenizer: '', tagger: '', parser: '' };
const query = (parameters: object) => new URLSearchParams({ ...parameters }).toString();
const get = (parameters: object) => fetch(`${service.address}/process?${query(parameters)}`);
const post = (body: URLSearchParams | FormData) =>
  fetch(`${service.address}/process`, { method: 'POST', body });
const resultOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return ((await response.json()) as { result: string }).result;
};

describe('the interface of UDPipe’s service', () => {
  test('lists the models with their abilities, and the default model', async () => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${service.address}/models`, { method });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        models: {
          'small-en': ['tokenizer', 'tagger', 'parser'],
          greedy: ['parser'],
          both: ['tokenizer', 'tagger', 'parser'],
        },
        default_model: 'small-en',
      });
    }
  });

  test('answers with the model, acknowledgements and the result, in UDPipe’s layout', async () => {
    const answer = await (await get({ data: text, ...all })).text();
    const result = JSON.stringify(head('small-en') + parsed(text));
    expect(answer).toBe(
      `{\n "model": "small-en",\n "acknowledgements": [\n  "${generator}"\n ],\n "result": ${result}\n}\n`,
    );
  });

  test('reports, after the result, tags that a parser needs and no step has filled', async () => {
    const { tokenizer, parser } = all;
    for (const model of ['small-en', 'both']) {
      const answer = await (await get({ data: text, model, tokenizer, parser })).json();
      expect(answer).toMatchObject({
        result: expect.stringContaining('\tdogs\t'),
        notices: ['no UPOS and XPOS, which the model was trained to read: expect worse trees'],
      });
    }
  });

  test('accepts parameters in the address, as a form and as multipart, with words in any script', async () => {
    const data = 'Çok güzel — 猫が好き 👍 «naïve». Ко́шка спит.';
    const wanted = head('small-en') + parsed(data.normalize('NFC'));
    const form = new URLSearchParams({ data, ...all });
    const parts = new FormData();
    for (const [name, value] of form) parts.set(name, value);
    expect(await resultOf(await get({ data, ...all }))).toBe(wanted);
    expect(await resultOf(await post(form))).toBe(wanted);
    expect(await resultOf(await post(parts))).toBe(wanted);
  });

  test('accepts a file as curl -F data=@file sends it', async () => {
    const parts = new FormData();
    parts.set('data', new Blob([text], { type: 'application/octet-stream' }), 'text.txt');
    for (const name of Object.keys(all)) parts.set(name, '');
    expect(await resultOf(await post(parts))).toBe(head('small-en') + parsed(text));
  });

  test('accepts the exact request of the Python client, whose parts have CRLF line ends', async () => {
    const part = (name: string, value: string) =>
      [
        '--===============42==',
        'Content-Type: text/plain; charset="utf-8"',
        'MIME-Version: 1.0',
        `Content-Disposition: form-data; name="${name}"`,
        'Content-Transfer-Encoding: 8bit',
        '',
        value.replaceAll('\n', '\r\n'),
        '',
      ].join('\r\n');
    const given = { input: 'conllu', output: 'conllu', data: text, model: 'small', ...all };
    const parts = Object.entries(given).map(([name, value]) => part(name, value));
    const body = Buffer.from(`${parts.join('')}--===============42==--\r\n`);
    const request = [
      'POST /process HTTP/1.1',
      'Accept-Encoding: identity',
      `Content-Length: ${body.length}`,
      `Host: 127.0.0.1:${service.port}`,
      'User-Agent: Python-urllib/3.11',
      'Content-Type: multipart/form-data; boundary="===============42=="',
      'Connection: close',
    ].join('\r\n');
    const answer = await exchange(service.port, Buffer.concat([Buffer.from(`${request}\r\n\r\n`), body]), {
      ends: false,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const { model, result } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect({ model, result }).toEqual({ model: 'small-en', result: head('small-en') + parsed(text) });
  });

  test('performs only the requested steps', async () => {
    const cut = await resultOf(await get({ data: text, tokenizer: '' }));
    const [first] = readSentences(cut);
    expect([first.forms[1], first.upos[1], first.heads[1]]).toEqual(['The', '_', -1]);
    const tagged = await resultOf(await get({ data: cut, tagger: '' }));
    const [withTags] = readSentences(tagged);
    expect([withTags.upos[1], withTags.heads[1]]).toEqual(['DET', -1]);
    // It also contains the comments of the two previous calls.
    const trees = await resultOf(await get({ data: tagged, parser: '' }));
    expect(trees.replaceAll(head('small-en'), '')).toBe(parsed(text));
    expect(await resultOf(await get({ data: tagged, parser: 'none' }))).toBe(head('small-en') + tagged);
  });

  test.each([
    ['horizontal', 'New\u00a0York sleeps .\nDogs bark .\n'],
    ['vertical', 'New York\nsleeps\n.\n\nDogs\tignored\nbark\n.\n'],
    ['conllu', undefined],
  ])('reads and writes %s', async (format, data) => {
    const forms = [
      ['New York', 'sleeps', '.'],
      ['Dogs', 'bark', '.'],
    ];
    const token = (form: string, i: number) => `${i + 1}\t${form}${'\t_'.repeat(8)}\n`;
    const conllu = forms.map((words) => `${words.map(token).join('')}\n`).join('');
    const given = { data: data ?? conllu, input: format, tagger: '', parser: '' };
    const trees = readSentences(await resultOf(await get(given)));
    expect(trees.map((sentence) => sentence.forms.slice(1))).toEqual(forms);
    const written = await resultOf(await get({ ...given, output: format }));
    expect(await resultOf(await get({ ...given, input: format, data: written, output: format }))).toBe(
      format === 'conllu' ? head('small-en') + written : written,
    );
  });

  test.each([
    ['horizontal', 'Dogs bark .\n'],
    ['vertical', 'Dogs\nbark\n.\n'],
    ['conllu', '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n'],
  ])('ignores a byte-order mark before the data: %s', async (input, data) => {
    expect(await resultOf(await get({ data: `\ufeff${data}`, input, tagger: '', parser: '' }))).toBe(
      await resultOf(await get({ data, input, tagger: '', parser: '' })),
    );
  });

  test('ignores options of formats, such as the version of CoNLL-U', async () => {
    const given = { data: 'Dogs bark .', tagger: '', parser: '', input: 'horizontal=x' };
    for (const output of ['conllu', 'horizontal']) {
      const plain = await resultOf(await get({ ...given, output }));
      expect(await resultOf(await get({ ...given, output: `${output}=paragraphs;v2` }))).toBe(plain);
    }
  });

  test('answers with whole CoNLL-U if the line ends after the input are missing', async () => {
    const cut = await resultOf(await get({ data: text, tokenizer: '' }));
    const whole = await resultOf(await get({ data: cut, parser: '' }));
    expect(whole).toMatch(/\t[^\t\n]+\n\n$/);
    const ended = cut.trimEnd();
    for (const data of [ended, `${ended}\n`]) {
      expect(await resultOf(await get({ data, parser: '' }))).toBe(whole);
      const body = { method: 'POST', body: data };
      expect(await (await fetch(`${service.address}/weblicht/parse`, body)).text()).toMatch(
        /\t[^\t\n]+\n\n$/,
      );
    }
    const { sentences } = (await (
      await fetch(`${service.address}/v1/compare`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sentences: ended.replaceAll('\n', '\r\n') }),
      })
    ).json()) as { sentences: ComparedSentence[] };
    expect(sentences.at(-1)!.trees[0].conllu).toMatch(/\t[^\t\r]+\r\n\r\n$/);
  });

  test('gives the ranges of tokens on request', async () => {
    const answer = await resultOf(await get({ data: 'Dogs bark.', tokenizer: 'ranges;presegmented' }));
    expect(answer).toMatch(/^1\tDogs\t.*\tTokenRange=0:4\n2\tbark\t.*\tSpaceAfter=No\|TokenRange=5:9\n/m);
  });

  test('returns the plain text, or one sentence per line', async () => {
    expect(await resultOf(await get({ data: text, tokenizer: '', output: 'plaintext' }))).toBe(text);
    const lines = { data: text, tokenizer: '', output: 'plaintext=normalized_spaces' };
    expect(await resultOf(await get(lines))).toBe('The dogs bark all night.\nNobody knows why.\n');
    const given = { data: 'Dogs bark. Cats sleep.\nNo', tokenizer: 'presegmented', output: 'horizontal' };
    expect(await resultOf(await get(given))).toBe('Dogs bark . Cats sleep .\nNo\n');
  });

  test('normalises text to NFC', async () => {
    const forms = await resultOf(await get({ data: 'Cafe\u0301', tokenizer: '', output: 'vertical' }));
    expect(forms).toBe('Caf\u00e9\n\n');
  });

  test('finds a model by the beginning of its name up to a hyphen', async () => {
    const model = async (name: string) =>
      ((await (await get({ data: text, model: name, ...all })).json()) as { model: string }).model;
    expect(await model('small')).toBe('small-en');
    expect(await model('')).toBe('small-en');
    expect(await model('both')).toBe('both');
  });

  test('serves all addresses below any prefix, as a proxy passes them on', async () => {
    expect((await fetch(`${service.address}/services/udpipe/api/models`)).status).toBe(200);
    const response = await fetch(`${service.address}/api/process?${query({ data: text, ...all })}`);
    expect(await resultOf(response)).toBe(head('small-en') + parsed(text));
  });

  test('parses long texts and long CoNLL-U in pieces, with the same result as in one piece', async () => {
    const sentences = readSentences(sampleText('dev'));
    const long = sentences.map(textOf).join('').repeat(2);
    service.workers.done.length = 0;
    const result = await resultOf(await post(new URLSearchParams({ data: long, ...all })));
    expect(result === head('small-en') + parsed(long)).toBe(true);
    expect(service.workers.done.slice(0, 2)).toEqual(['tokenize', 'parse']);
    expect(service.workers.done.length).toBeGreaterThan(5);
    const conllu = sampleText('dev');
    const tagger = await resultOf(await post(new URLSearchParams({ data: conllu, tagger: '', parser: '' })));
    const whole = sentences.map((sentence) => formatSentence(pipeline.complete(sentence), 'conllu')).join('');
    expect(tagger === head('small-en') + whole).toBe(true);
  });

  test('reports a malformed sentence at the end of long CoNLL-U before any answer', async () => {
    const data = `${sampleText('dev')}1\tbad\n\n`;
    const response = await post(new URLSearchParams({ data, parser: '' }));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^line \d+: .*2 columns/);
  });

  test('accepts plain text for the steps of WebLicht, and returns CoNLL-U', async () => {
    const step = async (name: string, body: string) => {
      const response = await fetch(`${service.address}/weblicht/${name}?model=small`, {
        method: 'POST',
        body,
      });
      expect(response.headers.get('content-type')).toBe('application/conllu');
      return response.text();
    };
    const cut = await step('tokenize', text);
    expect(await step('parse', await step('tag', cut))).toBe(parsed(text));
  });

  test.each([
    [{}, "the parameter 'data' is required"],
    [{ data: text, model: 'nosuch' }, 'there is no model called "nosuch"'],
    [{ data: text, model: 'greedy', tokenizer: '' }, 'the model greedy has no tokenizer'],
    [{ data: text, model: 'greedy', tagger: '' }, 'the model greedy has no tagger'],
    [{ data: text, input: 'matxin' }, "unknown input format 'matxin', expected conllu, horizontal, vertical"],
    [
      { data: text, ...all, output: 'json' },
      "unknown output format 'json', expected conllu, horizontal, vertical, plaintext, plaintext=normalized_spaces",
    ],
    [{ data: text, parser: '' }, /^line 1: .* expected 10 separated by tabs/],
    [{ data: '1\tDogs\t_\t_\t_\t_\t7\t_\t_\t_\n', parser: '' }, /^line 1: head 7 is out of range/],
  ])('refuses %j in one line', async (parameters, line) => {
    const response = await get(parameters);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const body = await response.text();
    expect(body.split('\n')).toEqual([expect.any(String), '']);
    if (typeof line === 'string') expect(body).toBe(`${line}\n`);
    else expect(body).toMatch(line);
  });

  test('says which content types it accepts', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${service.address}/process`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe(
      'expected content-type: application/x-www-form-urlencoded or multipart/form-data\n',
    );
  });

  test('ignores unknown parameters and options, as UDPipe does', async () => {
    const given = { ...all, tokenizer: 'joint_with_parsing;normalized_spaces', tager: 'x', data: text };
    expect(await resultOf(await get(given))).toBe(await resultOf(await get({ ...all, data: text })));
  });

  test('answers pipelined requests in their order', async () => {
    const asked = (words: string, connection: string) => {
      const body = query({ data: words, ...all });
      return [
        'POST /process HTTP/1.1',
        'Host: localhost',
        `Connection: ${connection}`,
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n');
    };
    const long = 'The dogs bark all night. '.repeat(300);
    const requests = [
      asked(long, 'keep-alive'),
      asked('Dogs bark.', 'keep-alive'),
      'GET /process HTTP/1.1\r\nHost: localhost\r\n\r\n',
      asked('Cats sleep.', 'close'),
    ];
    const answer = await exchange(service.port, requests.join(''), { ends: false });
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(
      [200, 200, 400, 200].map((status) => `HTTP/1.1 ${status}`),
    );
    const places = [long, 'Dogs bark.', "the parameter 'data' is required", 'Cats sleep.'].map((words) =>
      answer.lastIndexOf(words.startsWith('the') ? words : `# text = ${words.slice(0, 10)}`),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });

  test('returns no sentences for an empty text', async () => {
    expect(await resultOf(await get({ data: '', ...all }))).toBe(head('small-en'));
    expect(await resultOf(await get({ data: '\n \n', ...all, output: 'vertical' }))).toBe('');
  });
});
