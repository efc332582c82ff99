import { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import { parseWithPipeline } from '../../../combine/pipeline/parse-with-pipeline.ts';
import type { Pipeline } from '../../../combine/pipeline/pipeline.ts';
import { savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { readSentences } from '../../../src/treebank/reading/read-batch.ts';
import { textOf } from '../../../src/treebank/surface.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { smallModels } from '../../support/small-pipeline.ts';

const sandbox = new Sandbox('tokenized-text');
const path = sandbox.path('english.model');
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await makePipeline(Object.values(await smallModels()));
  savePipeline(path, pipeline);
});

/** What a text that comes in chunks is parsed to. */
async function parsed(chunks: readonly string[]): Promise<string> {
  const stdin = vi.spyOn(process, 'stdin', 'get');
  stdin.mockReturnValue(Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as typeof process.stdin);
  try {
    await parseWithPipeline(readModelFile(path), '-', sandbox.path('out.conllu'), { input: 'text' });
    return sandbox.read('out.conllu');
  } finally {
    stdin.mockRestore();
  }
}

const pieces = fc.constantFrom(
  ...[
    'Dogs',
    ' bark',
    '.',
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '\u00a0',
    '\u2029',
    '…',
    '"',
    '(',
    '_',
    '#',
    '1\t',
    '|',
  ],
  ...['👩‍👩‍👧', 'e\u0301', '我们学习', 'שלום', '\u200b', '\ufeff', '\u0007', '\\s', 'x'.repeat(70)],
);

test('the trees do not depend on how the stream is cut, and the text can be had back from them', async () => {
  const chunked = fc.array(fc.array(pieces, { maxLength: 8 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chunked, async (chunks) => {
      const text = `Dogs${chunks.flat().join('')}`;
      const cut = ['Dogs', ...chunks.map((chunk) => chunk.join(''))].filter((chunk) => chunk !== '');
      const whole = await parsed([text]);
      expect(await parsed(cut)).toBe(whole);
      expect(
        pipeline
          .parse(text)
          .map((one) => formatSentence(one, 'conllu'))
          .join(''),
      ).toBe(whole);
      expect(readSentences(whole, { expect: 'trees' }).map(textOf).join('')).toBe(text);
    }),
    { numRuns: 25 },
  );
});

test('a text longer than a batch is parsed as one that is given whole', async () => {
  const text = 'The dogs bark all night. Nobody knows why.\n\n'.repeat(300);
  const cut = text.match(/.{1,777}/gs)!;
  expect(await parsed(cut)).toBe(
    pipeline
      .parse(text)
      .map((one) => formatSentence(one, 'conllu'))
      .join(''),
  );
});

test('CoNLL-U made of text is UTF-8, whatever the encoding of the text', async () => {
  const text = Buffer.from('Caf\u00e9s close.', 'latin1');
  await parseWithPipeline(readModelFile(path), sandbox.save('text.txt', text), sandbox.path('text.conllu'), {
    encoding: 'windows-1252',
  });
  expect(sandbox.read('text.conllu')).toContain('\tCafés\t');
});
