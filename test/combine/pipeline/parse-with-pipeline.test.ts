import { Readable } from 'node:stream';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { ColumnAnnotator } from '../../../annotators/annotator.ts';
import { tokenizeFile } from '../../../annotators/tokenize-file.ts';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import { parseWithPipeline, sentencesOf } from '../../../combine/pipeline/parse-with-pipeline.ts';
import { Pipeline } from '../../../combine/pipeline/pipeline.ts';
import { partOf } from '../../../combine/pipeline/pipeline-part.ts';
import { savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { type ParserImplementation, withParseAll } from '../../../parsers/parser.ts';
import { parseSource } from '../../../parsers/run/parse-file.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { TextFile, TextStart } from '../../../src/files/text-file.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
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

/** The parse of a text that arrives in chunks. */
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

test('an output that would replace its input file is refused', async () => {
  const input = sandbox.save('same.txt', 'Dogs bark.\n');
  const refusal = new UsageError(`the output ${input} would replace the input ${input}`);
  await expect(parseWithPipeline(path, input, input)).rejects.toEqual(refusal);
  await expect(tokenizeFile(pipeline.tokenizer!, input, input)).rejects.toEqual(refusal);
  expect(sandbox.read('same.txt')).toBe('Dogs bark.\n');
});

test.each([
  ['a number and a tab', '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n', 'conllu', false],
  ['JSON Lines', '{"id":"1","tokens":[]}\n', 'json', false],
  ['brackets', '\n( (S (NP (NNS Dogs)) (VP (VBP bark))))\n', 'brackets', false],
  ['brackets with TOP', '(TOP (S (NP (NNS Dogs)) (VP (VBP bark))))\n', 'brackets', false],
  ['a sentence', 'Dogs bark.\n', 'conllu', true],
  ['a sentence in parentheses', '(Dogs bark (loudly).)\n', 'conllu', true],
])('a pipeline recognises the format of a file that begins with %s', async (_, content, format, isText) => {
  const start = new TextStart(new TextFile(sandbox.save('first-line.txt', content), 'utf-8'));
  const source = await sentencesOf(start, pipeline.tokenizer, {});
  expect([source.format, source.isText ?? false]).toEqual([format, isText]);
});

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

test('the trees do not depend on how the stream is cut into chunks, and contain the whole text', async () => {
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
    { numRuns: 15 },
  );
});

test('a text longer than a batch is parsed as if it were given at once', async () => {
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

test('a sentence that a later step refuses is passed on without a tree, counted and reported', async () => {
  const { tokenizer, parser } = await smallModels();
  const careless: ColumnAnnotator = {
    ...{ task: 'tagger', reads: [], writes: ['upos'], save: () => undefined },
    annotate: ({ forms }) => ({ upos: forms.map((form) => (form === 'why' ? '' : 'X')) }),
  };
  const strict = withParseAll<ParserImplementation>({
    ...{ paradigm: 'strict', reads: [], save: () => undefined },
    parse(sentence) {
      if (sentence.upos.includes('', 1)) throw new InputError('column UPOS is empty');
      return parser.parser.parse(sentence);
    },
  });
  const steps = new Pipeline([
    partOf(tokenizer),
    { name: 'careless', model: careless, write: () => undefined },
    { name: 'strict', model: strict, write: () => undefined },
  ]);
  const threaded = { load: async () => steps.sentenceParser(), worker: { file: new URL('file:'), data: {} } };
  const parse = async (text: string) => {
    const start = new TextStart(new TextFile(sandbox.save('careless.txt', text)));
    const source = await sentencesOf(start, steps.tokenizer, { input: 'lines' });
    const warnings: string[] = [];
    const onWarning = (warning: string) => void warnings.push(warning);
    const figures = await parseSource(threaded, source, sandbox.path('careless.conllu'), { onWarning });
    return { figures, warnings };
  };
  const { figures, warnings } = await parse('The dogs bark.\n\nNobody knows why.\n\nCats sleep.\n');
  expect(figures).toMatchObject({ sentences: 3, failed: 1 });
  expect(warnings[0]).toBe(
    `${sandbox.path('careless.txt')}: 1 of 3 sentences passed on without a tree; the first: ` +
      `${sandbox.path('careless.txt')}, tokenized:10: column UPOS is empty`,
  );
  const [first, second, third] = readSentences(sandbox.read('careless.conllu'));
  expect(second.forms.slice(1)).toEqual(['Nobody', 'knows', 'why', '.']);
  expect([...second.heads]).toEqual([-1, -1, -1, -1, -1]);
  for (const { heads } of [first, third]) expect(heads.slice(1)).not.toContain(-1);
  await expect(parse('Nobody knows why.')).rejects.toThrow('column UPOS is empty');
});
