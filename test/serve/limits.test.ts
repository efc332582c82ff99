import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { ServiceOptions } from '../../serve/requests/context.ts';
import type { ServedModel } from '../../serve/tasks/served-models.ts';
import { Sandbox } from '../support/sandbox.ts';
import { exchange, type ServiceHere, serveHere, smallServedModels, WorkersHere } from '../support/service.ts';

const sandbox = new Sandbox('serve-limits');
let models: ServedModel[];
let service: ServiceHere;

beforeAll(async () => {
  models = await smallServedModels(sandbox);
});
afterEach(() => service.app.close());

const start = async (options: Partial<ServiceOptions> = {}) => {
  service = await serveHere(models, options);
};
const all = { tokenizer: '', tagger: '', parser: '' };
const post = (parameters: object, signal: AbortSignal | null = null) =>
  fetch(`${service.address}/process`, {
    method: 'POST',
    body: new URLSearchParams({ ...parameters }),
    signal,
  });
const lineOf = async (response: Response) => ({ status: response.status, line: await response.text() });
/** Waits until a condition holds, while the event loop goes on. */
const until = async (holds: () => boolean) => {
  while (!holds()) await setTimeout(5);
};

/** Holds back the work of the service; returns a function that lets it go on. */
function closeGate(): () => void {
  let open = () => {};
  service.workers.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

test('a body that is too large is refused with 413, in any format', async () => {
  await start({ bodyLimit: 10_000 });
  const data = 'Dogs bark. '.repeat(2000);
  expect((await post({ data, ...all })).status).toBe(413);
  const form = new FormData();
  form.set('data', data);
  // The rest of such a body is read, too: otherwise the next request on the connection would wait behind it.
  form.set('more', '. '.repeat(500_000));
  for (let i = 0; i < 3; i++) {
    const multipart = await fetch(`${service.address}/process`, { method: 'POST', body: form });
    expect(await lineOf(multipart)).toEqual({ status: 413, line: 'the request is too large\n' });
  }
  const json = await fetch(`${service.address}/v1/parse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: data }),
  });
  expect(json.status).toBe(413);
  const raw = await fetch(`${service.address}/weblicht/tokenize`, { method: 'POST', body: data });
  expect(raw.status).toBe(413);
});

test('requests beyond the limit are told when to try again, and the others are answered', async () => {
  await start({ mostRequests: 2 });
  const open = closeGate();
  const early = [post({ data: 'One.', ...all }), post({ data: 'Two.', ...all })];
  await until(() => service.admission.active === 2);
  const late = await post({ data: 'Three.', ...all });
  expect(late.headers.get('retry-after')).toBe('1');
  expect(await lineOf(late)).toEqual({
    status: 503,
    line: 'too many requests are waiting: try again in a second\n',
  });
  open();
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await post({ data: 'Three.', ...all })).status).toBe(200);
  expect(service.admission.active).toBe(0);
});

test('a sentence that is too long is refused, whether it comes from the tokenizer or the request', async () => {
  await start({ mostWords: 50 });
  const words = (count: number) => 'dog '.repeat(count);
  const short = 'Dogs bark .\n\n'.repeat(500);
  for (const count of [51, 3000]) {
    const { status, line } = await lineOf(
      await post({ data: words(count), ...all, tokenizer: 'presegmented' }),
    );
    expect(status).toBe(400);
    expect(line).toMatch(new RegExp(`^sentence 1: a sentence of ${count} words, expected 50 at most\\n$`));
    const given = await post({ data: words(count), input: 'horizontal', parser: '' });
    expect((await lineOf(given)).line).toMatch(/^sentence 1: a sentence of \d+ words, expected 50 at most/);
    // Line numbers of the CoNLL-U that is made of them would mean nothing to the client.
    const horizontal = { data: short + words(count), input: 'horizontal' };
    const vertical = { data: (short + words(count)).replaceAll(' ', '\n'), input: 'vertical' };
    for (const given of [horizontal, vertical])
      expect((await lineOf(await post({ ...given, parser: '' }))).line).toMatch(
        /^sentence 501: a sentence of \d+ words/,
      );
  }
  expect((await post({ data: words(50), ...all, tokenizer: 'presegmented' })).status).toBe(200);
});

test('the timeout of connections is longer than the time limit of tasks', async () => {
  await start();
  expect(service.app.server.timeout).toBe(120_000);
  await service.app.close();
  await start({ timeout: 3600 });
  expect(service.app.server.timeout).toBe(3_610_000);
});

test('a short text does not wait for a long one that came before it', async () => {
  await start();
  const long = post({ data: 'The dogs bark all night. '.repeat(1200), ...all });
  await until(() => service.workers.done.includes('tokenize'));
  await (await post({ data: 'Dogs bark.', ...all })).text();
  const { length } = service.workers.done;
  await (await long).text();
  // Much of the long text was still to be parsed.
  expect(service.workers.done.length).toBeGreaterThan(length + 10);
});

test('work on a request stops if its client has disconnected', async () => {
  await start();
  const open = closeGate();
  const controller = new AbortController();
  const gone = post({ data: 'The dogs bark all night. '.repeat(1000), ...all }, controller.signal);
  await until(() => service.admission.active === 1);
  controller.abort();
  await expect(gone).rejects.toThrow();
  open();
  await until(() => service.admission.active === 0);
  expect(service.workers.done.length).toBeLessThan(3);
});

test('work on a request stops if its client disconnects in the middle of the answer', async () => {
  await start();
  const controller = new AbortController();
  const response = await post({ data: 'The dogs bark all night. '.repeat(1500), ...all }, controller.signal);
  await response.body!.getReader().read();
  controller.abort();
  await until(() => service.admission.active === 0);
  const { length } = service.workers.done;
  await setTimeout(50);
  expect(service.workers.done).toHaveLength(length);
});

test('the number of requests from one remote address is limited', async () => {
  await start({ rate: 3 });
  const statuses = async (remoteAddress: string) => {
    const all: number[] = [];
    for (let i = 0; i < 30; i++) {
      all.push((await service.app.inject({ url: '/models', remoteAddress })).statusCode);
    }
    return all;
  };
  expect(await statuses('192.0.2.1')).toContain(429);
  expect((await statuses('192.0.2.2'))[0]).toBe(200);
  expect(await statuses('127.0.0.1')).not.toContain(429);
});

test.each([
  [
    {},
    ['localhost', 'LOCALHOST:80', '127.0.0.1:1', '[::1]', '[::1]:8001'],
    ['example.org', 'localhost.example.org'],
  ],
  [{}, [], ['192.0.2.1:8001', 'localhost@example.org', '[::2]']],
  [{ host: '127.0.0.2' }, ['127.0.0.2:8001', 'localhost'], ['127.0.0.3']],
  [{ allowedHosts: ['Example.org'] }, ['example.org', 'EXAMPLE.org:443', 'localhost'], ['www.example.org']],
  [{ allowedHosts: ['FE80::1'] }, ['[fe80::1]', '[FE80::1]:8001'], ['[fe80::2]']],
  [{ host: '0.0.0.0' }, ['example.org'], []],
  [{ host: '0.0.0.0', allowedHosts: ['a.org'] }, ['a.org', '0.0.0.0', 'localhost'], ['b.org']],
] as [Partial<ServiceOptions>, string[], string[]][])(
  'only requests for the served host names are answered (%#)',
  async (options, served, others) => {
    await start(options);
    const answers = async (host: string) => {
      const request = `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return exchange(service.port, request, {
        host: options.host === '127.0.0.2' ? options.host : '127.0.0.1',
      });
    };
    for (const host of served) expect(await answers(host)).toMatch(/^HTTP\/1.1 200 /);
    for (const host of others) {
      expect(await answers(host)).toMatch(
        /^HTTP\/1.1 421 (?:.*\r\n)+\r\nthe host of this request is not served here[^\n]*\n$/,
      );
    }
  },
);

test('replaced models answer the requests that they have begun, and then end', async () => {
  await start();
  const open = closeGate();
  const early = post({ data: 'Dogs bark.', ...all });
  await until(() => service.admission.active === 1);
  const [pipeline] = models;
  service.admission.replace(
    [{ ...pipeline, name: 'new' }],
    await WorkersHere.open([{ ...pipeline, name: 'new' }]),
  );
  const model = async (response: Response) => ((await response.json()) as { model: string }).model;
  expect(await model(await post({ data: 'Dogs bark.', ...all }))).toBe('new');
  expect(service.workers.isEnded).toBe(false);
  open();
  expect(await model(await early)).toBe('small-en');
  await until(() => service.workers.isEnded);
});

test('idle connections do not delay the shutdown', async () => {
  await start();
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  await (await fetch(`${service.address}/health`)).text();
  const before = performance.now();
  await service.app.close();
  // Node would wait for a minute.
  expect(performance.now() - before).toBeLessThan(20_000);
});

test('requests that arrived before the shutdown are answered', async () => {
  await start();
  const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answers = Array.from({ length: 30 }, () => exchange(service.port, request, { ends: false }));
  // This thread has read none of them yet.
  await setImmediate();
  await service.app.close();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
});

test('requests that arrive while a closing service is busy are answered', async () => {
  await start();
  const closed = service.app.close();
  await setTimeout(20);
  // The event loop looks at timers next, and only then at connections.
  await setImmediate();
  const request = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answers = Array.from({ length: 3 }, () => exchange(service.port, request, { ends: false }));
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const end = performance.now() + 100;
  while (performance.now() < end);
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /);
  await closed;
});

test('a fault of the service is reported as such, without its message', async () => {
  await start();
  service.workers.run = async () => {
    throw new Error('secret');
  };
  expect(await lineOf(await post({ data: 'Dogs bark.', ...all }))).toEqual({
    status: 500,
    line: 'a fault in the service: the request could not be answered\n',
  });
  expect(service.log()).toMatch(/"stack":\["/);
  expect(service.log()).not.toMatch(/secret|Dogs/);
});

test('the log contains no text of users, wherever in the request it is', async () => {
  await start();
  await (await fetch(`${service.address}/process?data=Secret&model=Secret`)).text();
  await (await fetch(`${service.address}/Secret?Secret`)).text();
  await (await post({ data: 'Secret.', ...all })).text();
  await exchange(service.port, 'Secret\r\n\r\n');
  await until(() => service.log().split('"answered"').length > 3);
  expect(service.log()).not.toMatch(/secret/i);
  expect(service.log()).toMatch(/"route":"\/process","status":200/);
});

test('the service reports its health and metrics of its work', async () => {
  await start();
  await (await post({ data: 'Dogs bark.', ...all })).text();
  expect(await (await fetch(`${service.address}/health`)).json()).toEqual({ status: 'ok', models: 3 });
  const figures = await (await fetch(`${service.address}/metrics`)).text();
  expect(figures).toMatch(/^parliament_requests_total\{route="\/process",status="200"\} 1$/m);
  expect(figures).toMatch(/^parliament_words_total\{model="small-en"\} 3$/m);
  expect(figures).toMatch(/^parliament_request_seconds_count\{route="\/process"\} 1$/m);
  expect(figures).toMatch(/^process_resident_memory_bytes /m);
});
