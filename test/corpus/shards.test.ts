import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CorpusKind, corpusInputs } from '../../corpus/inputs.ts';
import { type Shard, shardsOf } from '../../corpus/shards.ts';
import { collect } from '../support/collect.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('shards');

async function shardsIn(paths: readonly string[], size: number, kind?: CorpusKind): Promise<Shard[]> {
  return collect(shardsOf(await corpusInputs(paths, { kind }), size));
}

const textsOf = (shards: readonly Shard[]) => shards.map(({ bytes }) => bytes.toString('utf8'));

/** Paragraphs of a few words, with white space of every kind between them. */
const texts = fc
  .array(
    fc.tuple(
      fc.array(fc.constantFrom('a', 'dog', 'barks.', 'é', '犬', '\n', ' \t'), { minLength: 1, maxLength: 9 }),
      fc.constantFrom('\n\n', '\n \n', '\r\n\r\n', '\n\n\n', '\n\n\u00a0', '\n\u3000\n  '),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((paragraphs) => paragraphs.map(([words, end]) => `${words.join('')}x${end}`).join(''));

test('shards make up the whole text, and end where paragraphs end', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 64, max: 200 }), async (text, size) => {
      const pieces = textsOf(await shardsIn([sandbox.save('a.txt', text)], size));
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThan(2 * size);
      for (const piece of pieces.slice(0, -1))
        expect(piece).toMatch(/\n\p{White_Space}*\n\p{White_Space}*$/u);
      for (const piece of pieces.slice(1)) expect(piece).toMatch(/^\P{White_Space}/u);
    }),
    { numRuns: 60 },
  );
});

test('a compressed file is cut into the same shards as the plain file', async () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `Paragraph ${i} ends.${i % 3 ? ' ' : '\n\n'}`).join(
    '',
  );
  const plain = await shardsIn([sandbox.save('b.txt', text)], 10_000);
  const zipped = await shardsIn([sandbox.save('b.txt.gz', gzipSync(text))], 10_000);
  expect(plain.length).toBeGreaterThan(50);
  expect(textsOf(zipped)).toEqual(textsOf(plain));
  expect(plain.map(({ number }) => number)).toEqual(plain.map((_, i) => i + 1));
  expect(plain.at(-1)?.share).toBe(1);
});

test('a long line of JSON and a long sentence of CoNLL-U stay whole', async () => {
  const line = (length: number) => `${JSON.stringify({ text: 'a b '.repeat(length) })}\n`;
  const lines = [line(1), line(50_000), line(1)];
  const json = await shardsIn([sandbox.save('long.jsonl', lines.join(''))], 1000);
  expect(textsOf(json)).toEqual([`${lines[0]}${lines[1]}`, lines[2]]);
  const sentence = `${'1\tdog\n'.repeat(50_000)}\n`;
  const conllu = await shardsIn([sandbox.save('long.conllu', sentence.repeat(2))], 1000);
  expect(textsOf(conllu)).toEqual([sentence, sentence]);
});

describe('the parts of shards', () => {
  test('may be several small files in one shard, but no blank files', async () => {
    const files = ['One.', ' \n', 'Two.\n', 'Three.'].map((text, i) => sandbox.save(`${i}.txt`, text));
    const shards = await shardsIn(files, 9);
    expect(shards.map(({ parts }) => parts)).toEqual([
      [
        { file: files[0], byte: 0, bytes: 4, isBeginning: true },
        { file: files[2], byte: 0, bytes: 5, isBeginning: true },
      ],
      [{ file: files[3], byte: 0, bytes: 6, isBeginning: true }],
    ]);
  });

  test('know where they begin in their file', async () => {
    const file = sandbox.save('c.txt', 'One word.\n\nTwo words.\n\nThree.');
    const [, second] = await shardsIn([file], 9);
    expect(second!.parts).toEqual([{ file, byte: 11, bytes: 12, isBeginning: false }]);
  });

  test('know which document of CoNLL-U they continue', async () => {
    const word = '1\tnewdoc\t_\t_\t_\t_\t_\t_\t_\tnewdoc=1\n\n';
    const begun = ['\ufeff# newdoc id = a b', '#', '# newdoc id = c\r', '# newdoc', '#newdoc id=d', '#'];
    const text = begun.map((comment) => `${comment}\n${word}`).join('');
    const shards = await shardsIn([sandbox.save('d.conllu', text), sandbox.save('e.conllu', word)], 30);
    const documents = shards.map(({ parts: [part] }) => part!.document);
    expect(documents).toEqual([undefined, 'a b', 'a b', 'c', undefined, 'd', undefined]);
  });

  test.each([
    ['lines', 'one\ntwo\n three\nfour', ['one\n', 'two\n ', 'three\n', 'four']],
    ['jsonl', '{ }\n{ }\n{"a": 1}', ['{ }\n', '{ }\n', '{"a": 1}']],
    ['tokens', 'a\nb\n\nc\nd\n\n', ['a\nb\n\n', 'c\nd\n\n']],
    ['text', 'one two\nthree, four, five', ['one two\n', 'three, ', 'four, five']],
  ] as const)('are cut between units of %s', async (kind, text, pieces) => {
    expect(textsOf(await shardsIn([sandbox.save('kind', text)], 4, kind))).toEqual(pieces);
  });
});

test('damaged data affect only their own shard', async () => {
  const whole = gzipSync('A whole text.');
  const damaged = sandbox.save('damaged.gz', whole.subarray(0, -9));
  const shards = await shardsIn(
    [sandbox.save('x.txt', 'Fine. '.repeat(5)), damaged, sandbox.save('y.txt', 'Fine.')],
    20,
  );
  expect(shards.map(({ problem }) => problem)).toEqual([
    undefined,
    expect.stringMatching(/^damaged gzip data/),
    undefined,
  ]);
});

describe('the files of a corpus', () => {
  const folder = (name: string, files: Readonly<Record<string, string>> = {}) => {
    mkdirSync(sandbox.path(name));
    for (const [path, text] of Object.entries(files)) sandbox.save(`${name}/${path}`, text);
    return sandbox.path(name);
  };

  test('include hidden files only if these are named', async () => {
    const all = folder('visible', { 'a.txt': 'One.', '.DS_Store': '\xff' });
    mkdirSync(`${all}/.git`);
    const head = sandbox.save('visible/.git/HEAD', 'ref');
    const paths = async (...given: string[]) => (await corpusInputs(given)).files.map(({ path }) => path);
    expect(await paths(all)).toEqual([`${all}/a.txt`]);
    expect(await paths(`${all}/.DS_Store`, `${all}/.git`)).toEqual([`${all}/.DS_Store`, head]);
  });

  test('are required: a folder without files to read is refused', async () => {
    const missing = (name: string, include?: string[]) => corpusInputs([sandbox.path(name)], { include });
    folder('empty');
    await expect(missing('empty')).rejects.toThrow(/: a folder without files$/);
    folder('hidden', { '.a': 'One.' });
    await expect(missing('hidden')).rejects.toThrow(/: a folder of hidden files alone$/);
    folder('others', { 'a.md': 'One.' });
    await expect(missing('others', ['*.txt'])).rejects.toThrow(/: none of its 1 files matches the patterns$/);
  });

  test('get their kind from the extension of their names, also in capitals', async () => {
    const names = ['a.CoNLLU', 'b.CONLLU.GZ', 'c.JSONL', 'd.NDJson', 'e.TXT'];
    const { files } = await corpusInputs(names.map((name) => sandbox.save(name, 'One.')));
    expect(files.map(({ path, kind }) => [basename(path), kind])).toEqual([
      ['a.CoNLLU', 'conllu'],
      ['b.CONLLU.GZ', 'conllu'],
      ['c.JSONL', 'jsonl'],
      ['d.NDJson', 'jsonl'],
      ['e.TXT', 'text'],
    ]);
  });

  test('need an explicit kind if they look like CoNLL-U without being named so', async () => {
    const sentences = '\n# sent_id = 1\r\n1-2\tcan\u2019t\t_\n';
    const refused = /: its first lines look like CoNLL-U: expected input conllu or input text$/;
    for (const content of [sentences, `\ufeff${sentences}`, gzipSync(sentences)]) {
      const path = sandbox.save('sentences.conllup', content);
      await expect(corpusInputs([path])).rejects.toThrow(refused);
      for (const kind of ['conllu', 'text'] as const)
        expect((await corpusInputs([path], { kind })).files).toEqual([{ path, kind }]);
    }
    for (const text of ['# Heading\n\n1 dog\tbarks.', '\xff', '']) {
      const path = sandbox.save('text.conllup', text);
      expect((await corpusInputs([path])).files).toEqual([{ path, kind: 'text' }]);
    }
  });

  test('may be pipes, whose size is not known', async () => {
    const path = sandbox.path('pipe');
    execFileSync('mkfifo', [path]);
    expect(await corpusInputs([path])).toMatchObject({ files: [{ path, kind: 'text' }], bytes: undefined });
  });

  test('need an explicit kind if they are pipes that look like CoNLL-U', async () => {
    const path = sandbox.path('pipe');
    const through = async (text: string, kind?: CorpusKind) => {
      spawn('sh', ['-c', 'printf %s "$0" > "$1"', text, path]);
      return textsOf(await shardsIn([path], 64, kind));
    };
    const sentences = '\n# sent_id = 1\n1\tDogs\t_\n2\tbark\t_\n\n';
    await expect(through(sentences)).rejects.toThrow(
      /pipe: its first lines look like CoNLL-U: expected input/,
    );
    expect(await through(sentences, 'text')).toEqual([sentences]);
    expect(await through('Dogs bark.\n\n1\t2\n')).toEqual(['Dogs bark.\n\n1\t2\n']);
  });
});
