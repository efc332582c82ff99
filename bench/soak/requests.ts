import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Random } from '../../src/learn/random.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { readSentences } from '../../src/treebank/reading/read-batch.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface.ts';

type Outcome = string | undefined;

export interface RequestSources {
  readonly address: string;
  readonly random: Random;
  readonly short: readonly KnownText[];
  readonly long: readonly KnownText[];
}

interface Request {
  /** In percent of all requests. */
  readonly share: number;
  make(sources: RequestSources): Promise<Outcome>;
}

export const requests: Readonly<Record<string, Request>> = {
  short: { share: 60, make: (sources) => processed(sources, one(sources, sources.short)) },
  json: { share: 10, make: parsedAsJson },
  explained: { share: 5, make: explained },
  long: { share: 5, make: (sources) => processed(sources, one(sources, sources.long)) },
  malformed: { share: 15, make: malformed },
  aborted: { share: 5, make: aborted },
};

const all = { tokenizer: '', tagger: '', parser: '' };

function one<T>({ random }: RequestSources, from: readonly T[]): T {
  return from[random.below(from.length)];
}

/** A request as UDPipe's clients make them, in one of three ways. */
async function processed(sources: RequestSources, { text, conllu }: KnownText): Promise<Outcome> {
  const { address, random } = sources;
  const asked = new URLSearchParams({ ...all, data: text });
  const form = new FormData();
  for (const [name, value] of asked) form.set(name, value);
  const way = random.below(text.length < 2000 ? 3 : 2);
  const asking =
    way === 2
      ? fetch(`${address}/process?${asked}`)
      : fetch(`${address}/process`, { method: 'POST', body: way === 0 ? asked : form });
  return checked<{ result: string }>(asking, ({ result }) => {
    // The first two lines name the program and model.
    const own = result.split('\n').slice(2).join('\n');
    return own === conllu ? undefined : `not what parse writes: ${own.slice(0, 300)}`;
  });
}

async function parsedAsJson(sources: RequestSources): Promise<Outcome> {
  const { text, sentences } = one(sources, sources.short);
  const wanted = sentences.map(({ heads }) => [...heads.subarray(1)]);
  type Answer = { sentences: { tokens: { head: number }[] }[] };
  return checked<Answer>(post(sources, '/v1/parse', { text }), ({ sentences: found }) =>
    sameHeads(
      found.map(({ tokens }) => tokens.map(({ head }) => head)),
      wanted,
    ),
  );
}

async function explained(sources: RequestSources): Promise<Outcome> {
  const { text, sentences } = one(sources, sources.short);
  const sentence = 1 + sources.random.below(sentences.length);
  const wanted = [[...sentences[sentence - 1].heads.subarray(1)]];
  type Answer = { explanation: { tree: { heads: number[] } } };
  return checked<Answer>(post(sources, '/v1/explain', { text, sentence }), ({ explanation }) =>
    sameHeads([explanation.tree.heads.slice(1)], wanted),
  );
}

async function checked<Answer>(
  asking: Promise<Response>,
  check: (answer: Answer) => Outcome,
): Promise<Outcome> {
  const response = await asking;
  const answer = await response.text();
  return response.status === 200 ? check(JSON.parse(answer)) : said(response, answer);
}

function sameHeads(found: readonly (readonly number[])[], wanted: typeof found): Outcome {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) return `other heads: ${JSON.stringify(found)}`;
}

const json = { 'content-type': 'application/json' };

function post({ address }: RequestSources, path: string, body: object): Promise<Response> {
  return fetch(address + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
}

async function malformed(sources: RequestSources): Promise<Outcome> {
  const cut = 'multipart/form-data; boundary=cut';
  const bad: readonly (readonly [string, RequestInit?])[] = [
    ['/process?data=%ff&tokenizer'],
    ['/process?tokenizer&parser'],
    ['/process?data=x&tokenizer&model=nosuch'],
    ['/process', { method: 'POST', headers: { 'content-type': cut }, body: '--cut\r\nContent-Dis' }],
    ['/v1/parse', { method: 'POST', headers: json, body: '{"text":' }],
    ['/v1/explain', { method: 'POST', headers: json, body: '{"text":"Dogs bark.","sentence":1000}' }],
    ['/v1/parse', { method: 'POST', headers: json, body: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }],
    ['/weblicht/parse', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '1\tDogs\n' }],
    ['/nosuch'],
  ];
  const [path, init] = one(sources, bad);
  const response = await fetch(sources.address + path, init);
  const answer = await response.text();
  const isRefused = response.status >= 400 && response.status < 500 && /^[^\n]+\n?$/.test(answer);
  return isRefused ? undefined : said(response, answer);
}

async function aborted(sources: RequestSources): Promise<Outcome> {
  const controller = new AbortController();
  const { text } = one(sources, sources.long);
  const asking = fetch(`${sources.address}/process`, {
    method: 'POST',
    body: new URLSearchParams({ ...all, data: text }),
    signal: controller.signal,
  });
  const reading = asking.then((response) => response.text()).catch(() => undefined);
  await setTimeout(sources.random.below(300));
  controller.abort();
  await reading;
  return undefined;
}

function said({ status }: Response, answer: string): string {
  return `${status}: ${answer.slice(0, 300)}`;
}

export interface KnownText {
  readonly text: string;
  readonly conllu: string;
  readonly sentences: readonly Sentence[];
}

const SHORT_TEXTS = 24;
const LONG_TEXTS = 4;
const LONG = 1 << 16;

/** Short texts of one to three sentences of a treebank, and long ones of 64 kB, with their parses. */
export async function knownTexts(
  treebank: string,
  model: string,
  folder: string,
  random: Random,
): Promise<{ readonly short: readonly KnownText[]; readonly long: readonly KnownText[] }> {
  const pieces = readSentences(readFileSync(treebank, 'utf8')).map(textOf);
  const some = () => pieces[random.below(pieces.length)];
  const short = Array.from({ length: SHORT_TEXTS }, (_, i) => Array.from({ length: 1 + (i % 3) }, some));
  const long = Array.from({ length: LONG_TEXTS }, () => {
    let text = '';
    while (Buffer.byteLength(text) < LONG) text += some();
    return text;
  });
  const known: KnownText[] = [];
  for (const text of [...short.map((own) => own.join('')), ...long]) {
    known.push(await parsed(text, model, join(folder, 'text.txt')));
  }
  return { short: known.slice(0, SHORT_TEXTS), long: known.slice(SHORT_TEXTS) };
}

async function parsed(text: string, model: string, file: string): Promise<KnownText> {
  writeFileSync(file, text);
  const command = join(packageFolder, 'dist', 'cli', 'main.js');
  const words = [command, 'parse', '--model', model, file, '--quiet', '--jobs', '1'];
  const { stdout: conllu } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 28 });
  return { text, conllu, sentences: readSentences(conllu) };
}
