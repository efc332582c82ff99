import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/learn/random.ts';
import { Sandbox } from '../support/sandbox.ts';
import { exchange, type ServiceHere, serveHere, smallServedModels } from '../support/service.ts';

const sandbox = new Sandbox('serve-malformed');
const seed = Number(process.env.SEED ?? 1);
const CASES = Number(process.env.CASES ?? 400);

let service: ServiceHere;

beforeAll(async () => {
  service = await serveHere(await smallServedModels(sandbox), { bodyLimit: 20_000 });
});
afterAll(() => service.app.close());

const random = new Random(seed);
const below = (n: number) => random.below(n);
const one = <T>(all: readonly T[]): T => all[below(all.length)];
/** Random bytes. */
const noise = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
const badUtf8 = Buffer.from([0x64, 0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80]);

/** A request with a body and its length. */
function post(path: string, type: string, body: Buffer, headers: readonly string[] = []): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

const get = (address: string) =>
  Buffer.from(`GET ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, 'latin1');

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=cut';
const json = 'application/json';
const api = ['/v1/parse', '/v1/compare', '/v1/explain'];

function part(name: string, value: Buffer, headers = ''): Buffer {
  const head = `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(head), value, Buffer.from('\r\n')]);
}

const wholeForm = Buffer.concat([
  part('tokenizer', Buffer.from('')),
  part('data', Buffer.from('Dogs bark.')),
  Buffer.from('--cut--\r\n'),
]);

/** Each function makes a request that must be refused. */
const kinds: Readonly<Record<string, () => Buffer>> = {
  'bytes that are not HTTP': () => Buffer.concat([noise(1 + below(300)), Buffer.from('\r\n\r\n')]),
  'a truncated request head': () => get('/models').subarray(0, 1 + below(20)),
  'malformed headers': () =>
    Buffer.from(`GET /models HTTP/1.1\r\nHost: localhost\r\n${noise(20).toString('latin1')}\r\n\r\n`),
  'huge headers': () =>
    Buffer.from(`GET /models HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  'a length that is not a number': () =>
    Buffer.from(
      `POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${one(['-1', 'x', '1e9', '5, 6'])}\r\n\r\n`,
    ),
  'two lengths': () =>
    Buffer.from(
      'POST /process HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
  'malformed chunks': () =>
    Buffer.from(
      `POST /process HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: ${form}\r\n\r\nzz\r\n`,
    ),
  'a path of random bytes': () =>
    get(`/${encodeURI(noise(30).toString('latin1'))}%${one(['', 'f', 'zz', 'ff'])}`),
  'a path to a file': () =>
    get(
      one([
        '/../../etc/passwd',
        '/..%2f..%2fetc%2fpasswd',
        '//etc/passwd',
        '/page.css/../../x',
        '/%2e%2e/x',
        '/page.js%00',
      ]),
    ),
  'a query with damaged percent-encoding': () =>
    get(`/process?tokenizer=&data=${one(['%', '%e', '%ff', '%c3%28', '%ed%a0%80', '%00%fe'])}`),
  'a query without data': () => get(`/process?${'a='.repeat(below(9))}&tokenizer`),
  'huge parameters': () => get(`/process?data=${'x'.repeat(17_000)}`),
  'many parameters': () => post('/process', form, Buffer.from('data=x&'.repeat(65 + below(500)))),
  'a form that is not UTF-8': () =>
    post('/process', form, Buffer.concat([Buffer.from('tokenizer=&data='), badUtf8])),
  'a form of random bytes': () => post('/process', form, Buffer.concat([badUtf8, noise(below(500))])),
  'a body that is too large': () => post('/process', one([form, multipart, json]), Buffer.alloc(30_000, 'x')),
  'a truncated form': () => post('/process', multipart, wholeForm.subarray(0, below(wholeForm.length - 20))),
  'a part that is not UTF-8': () =>
    post('/process', multipart, Buffer.concat([part('data', badUtf8), Buffer.from('--cut--\r\n')])),
  'a part with a random head': () =>
    post(
      '/process',
      multipart,
      Buffer.concat([part('data', Buffer.from('x'), `${noise(30).toString('latin1')}\r\n`), noise(50)]),
    ),
  'many parts': () =>
    post(
      '/process',
      multipart,
      Buffer.concat([
        ...Array.from({ length: 80 }, (_, i) => part(`p${i}`, Buffer.from('x'))),
        Buffer.from('--cut--\r\n'),
      ]),
    ),
  'no boundary': () => post('/process', 'multipart/form-data', wholeForm),
  'another boundary': () => post('/process', `multipart/form-data; boundary=${below(1e6)}`, wholeForm),
  'an invalid content type': () =>
    post('/process', one(['image/png', 'a', 'text/html; charset=utf-7', ';']), noise(20)),
  'a compressed body': () =>
    post('/process', form, noise(50), [`Content-Encoding: ${one(['gzip', 'br', 'deflate', 'zstd', 'x'])}`]),
  'CoNLL-U of random text': () => {
    const data = encodeURIComponent(noise(40).toString('latin1').replace(/\s/g, 'x'));
    return post('/process', form, Buffer.from(`parser=&data=1%09${data}`));
  },
  'an unknown model': () =>
    post(
      '/process',
      form,
      Buffer.from(
        `tokenizer=&data=x&model=${one(['../x', '/etc/passwd', '__proto__', 'constructor', '%00'])}`,
      ),
    ),
  'an unknown format': () =>
    post(
      '/process',
      form,
      Buffer.from(
        `data=x&${one(['input', 'output'])}=${one(['json', 'x', '__proto__', 'toString'])}&tokenizer=`.replace(
          /(input=.*)&tokenizer=/,
          '$1',
        ),
      ),
    ),
  'JSON of random bytes': () => post(one(api), json, noise(1 + below(200))),
  'deep JSON': () => post(one(api), json, Buffer.from(one(['[', '{"text":', '{"text":[']).repeat(2000))),
  'truncated JSON': () => {
    const whole = Buffer.from('{"model":"small-en","text":"Dogs bark."}');
    return post(one(api), json, whole.subarray(0, below(whole.length - 1)));
  },
  'JSON with values of wrong types': () => {
    const value = one(['7', 'null', '[]', '{}', 'true', '[["x"]]', '"\\ud800"']);
    const field = one(['text', 'sentences', 'layout', 'model', 'keep', 'sentence', 'arc', '__proto__', 'x']);
    return post(one(api), json, Buffer.from(`{${JSON.stringify(field)}:${value}}`));
  },
  'JSON that is not UTF-8': () =>
    post(one(api), json, Buffer.concat([Buffer.from('{"text":"'), badUtf8, Buffer.from('"}')])),
  'an unsupported method': () =>
    Buffer.from(
      `${one(['PUT', 'DELETE', 'PATCH', 'TRACE', 'FOO'])} /process HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    ),
  'a body of another type': () =>
    post(
      '/process?tokenizer=',
      one([json, 'text/plain', 'application/xml']),
      Buffer.from(
        one(['{"data":"Dogs bark."}', '[["data","Dogs."]]', '[["data",5]]', '5', 'null', 'data=x']),
      ),
    ),
  'a NUL character': () =>
    one([
      get('/process?tokenizer=&data=a%00b'),
      post('/process', form, Buffer.from('tokenizer=&data=a\0b')),
      post('/v1/parse', json, Buffer.from('{"model":"small-en","text":"a\\u0000b"}')),
      post('/weblicht/tokenize', 'text/plain', Buffer.from('a\0b')),
    ]),
  'a body for WebLicht that is not UTF-8': () => post('/weblicht/tokenize', 'text/plain', badUtf8),
};

test(`${CASES} malformed requests are refused, each in one line (seed ${seed})`, async () => {
  const names = Object.keys(kinds);
  const wrong: string[] = [];
  for (let i = 0; i < CASES; i++) {
    const name = names[i % names.length];
    const request = kinds[name]();
    const answer = await exchange(service.port, request);
    const [head, body = ''] = answer.split('\r\n\r\n');
    const isRefusal = /^HTTP\/1\.1 4\d\d /.test(head);
    const isOneLine = /^[^\r\n]+\n?$/.test(body);
    // A client that sends only half a head gets no answer.
    const isSilence = answer === '' && name === 'a truncated request head';
    if (!(isRefusal && isOneLine) && !isSilence) {
      wrong.push(`${name}: ${request.toString('latin1').slice(0, 300)} → ${answer.slice(0, 300)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(service.admission.active).toBe(0);
  const still = await fetch(`${service.address}/process?tokenizer&tagger&parser&data=Dogs+bark.`);
  expect(still.status).toBe(200);
});
