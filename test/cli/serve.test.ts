import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModelFiles } from '../support/service.ts';

const sandbox = new Sandbox('serve');
const text = 'The dogs bark all night. Nobody knows why.\n';
let pipeline: string;
let parser: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  ({ pipeline, parser } = await smallModelFiles(sandbox));
});
afterEach(() => void child?.kill('SIGKILL'));

/** Starts a service in its own process; returns its address once it accepts requests. */
async function serve(...args: readonly string[]): Promise<{ address: string; said: () => string }> {
  const served = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--jobs', '1', ...args]);
  child = served;
  let said = '';
  served.stderr.on('data', (chunk) => {
    said += chunk;
  });
  for (;;) {
    const address = /(http:\/\/\S+) serves/.exec(said)?.[1];
    if (address !== undefined) return { address, said: () => said };
    if (served.exitCode !== null) throw new Error(said);
    await setTimeout(20);
  }
}

const query = `tokenizer&tagger&parser&data=${encodeURIComponent(text)}`;
const resultOf = async (response: Response) => ((await response.json()) as { result: string }).result;
const withoutComments = (result: string) => result.replace(/^# generator.*\n(# udpipe_model.*\n)?/, '');

test('serve gives the same trees as parliament parse, and shuts down on SIGTERM with exit code 0', async () => {
  const input = sandbox.save('in.txt', text);
  const parsed = runCli(['parse', '--model', pipeline, input, '--quiet']).stdout;
  const { address, said } = await serve(
    '--model',
    `en=${pipeline}`,
    '--model',
    parser,
    '--vote',
    'en,greedy',
  );
  expect(said()).toMatch(/serves 3 models: en, greedy, vote\n/);
  for (const model of ['en', 'vote']) {
    const result = await resultOf(await fetch(`${address}/process?${query}&model=${model}`));
    expect(withoutComments(result)).toBe(withoutComments(parsed));
  }
  child!.kill('SIGTERM');
  expect(await once(child!, 'close')).toEqual([0, null]);
  await expect(fetch(address)).rejects.toThrow();
});

// Node keeps idle connections for 72 seconds.
test('serve finishes a running request on SIGTERM before it ends', { timeout: 60_000 }, async () => {
  const { address } = await serve('--model', pipeline, '--grace', '600');
  const long = new URLSearchParams({ tokenizer: '', tagger: '', parser: '', data: text.repeat(500) });
  const response = fetch(`${address}/process`, { method: 'POST', body: long });
  await setTimeout(100);
  child!.kill('SIGTERM');
  expect((await resultOf(await response)).match(/^# sent_id/gm)).toHaveLength(1000);
  expect(await once(child!, 'close')).toEqual([0, null]);
});

test('serve listens at a single address of localhost', async () => {
  const all = JSON.stringify(['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })));
  const lookup = `import dns from'node:dns';dns.lookup=(host,...more)=>more.pop()(null,...(more[0]?.all?[${all}]:[host.replace('localhost','127.0.0.1'),4]))`;
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(lookup)}`);
  const starting = serve('--model', parser, '--host', 'localhost');
  vi.unstubAllEnvs();
  const { address } = await starting;
  expect((await fetch(`${address}/health`)).status).toBe(200);
  await expect(fetch(address.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow();
});

test('serve reads its models again on SIGHUP, and keeps the old ones if that fails', async () => {
  const model = sandbox.path('changing.model');
  copyFileSync(parser, model);
  const { address, said } = await serve('--model', model);
  const abilities = async () => {
    const { models } = (await (await fetch(`${address}/models`)).json()) as {
      models: Record<string, string[]>;
    };
    return models.changing.length;
  };
  expect(await abilities()).toBe(1);
  copyFileSync(pipeline, model);
  child!.kill('SIGHUP');
  while ((await abilities()) !== 3) await setTimeout(20);
  sandbox.save('changing.model', 'no model');
  child!.kill('SIGHUP');
  while (!/models not read/.test(said())) await setTimeout(20);
  expect((await resultOf(await fetch(`${address}/process?${query}`))).match(/^# sent_id/gm)).toHaveLength(2);
});

test('serve reads its models again after the start if a SIGHUP came during the start', async () => {
  // Until the program begins, the signal would end the process.
  const ready = "process.on('SIGHUP',()=>0).stderr.write('ready')";
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${ready}`);
  const starting = serve('--model', pipeline);
  vi.unstubAllEnvs();
  child!.stderr!.once('data', () => {
    const hangUps = setInterval(() => child!.kill('SIGHUP'), 20);
    child!.stderr!.on('data', (said) => {
      if (/listening/.test(said)) clearInterval(hangUps);
    });
  });
  const { said } = await starting;
  while (!/models read again/.test(said())) await setTimeout(20);
});

test.each([
  [() => ['--model', 'nosuch.model'], /nosuch\.model: cannot be read: no such file/],
  [() => ['--model', pipeline, '--model', pipeline], /two models are called small, expected different names/],
  [() => ['--model', pipeline, '--vote', 'small'], /--vote small: expected the names of two models/],
  [
    () => ['--model', pipeline, '--vote', 'small,small'],
    /vote: small is named twice, expected different models/,
  ],
  [() => ['--model', pipeline, '--host', ''], /--host.* Expected an address\./],
  [() => ['--model', pipeline, '--allowed-host', 'a.org:80'], /--allowed-host a\.org:80: expected a name/],
  [() => ['--model', pipeline, '--cors', 'https://a.org/'], /--cors https:\/\/a\.org\/: expected an origin/],
  [() => ['--model', pipeline, '--cors', 'foo'], /--cors foo: expected an origin/],
  [
    () => ['--model', pipeline, '--vote', 'small,beam'],
    /vote: no model is called beam, expected some of small/,
  ],
  [() => ['--model', pipeline, '--port', '70000'], /--port.*from 0 to 65535/],
  [() => [], /required option '--model/],
])('serve refuses models and options that it cannot use (%#)', async (args, message) => {
  const { exitCode, stderr } = await runInProcess('serve', '--port', '0', ...args());
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(exitCode).toBe(2);
});

test('serve refuses an address of another machine, and a port that is in use', async () => {
  const elsewhere = runCli(['serve', '--model', parser, '--jobs', '1', '--host', '192.0.2.1']);
  expect(elsewhere.stderr).toContain('192.0.2.1, port 8001: no address of this machine');
  expect(elsewhere.status).toBe(2);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const { status, stderr } = runCli(['serve', '--model', pipeline, '--jobs', '1', '--port', String(port)]);
  expect(stderr).toContain(`127.0.0.1, port ${port}: in use already`);
  expect(status).toBe(2);
  server.close();
});
