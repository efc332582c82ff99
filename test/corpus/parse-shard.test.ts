import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import type { Tokenizer } from '../../annotators/annotator.ts';
import { trainAnnotator } from '../../annotators/train-annotator.ts';
import { type CorpusKind, corpusInputs } from '../../corpus/inputs.ts';
import { parseShard } from '../../corpus/parse-shard.ts';
import type { ParsingOptions } from '../../corpus/queue/protocol.ts';
import { shardsOf } from '../../corpus/shards.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import { collect } from '../support/collect.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('parse-shard');

/** Attaches all tokens to the root. */
const parse = ({ length }: Sentence) => ({
  heads: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? -1 : 0)),
  labels: new Array<string>(length + 1).fill('root'),
  notices: [],
});
const parser = { reads: [], filled: {}, parse, parseAll: (all: readonly Sentence[]) => all.map(parse) };

const treebank = inMemory(readSentences(sampleText('train')).slice(0, 50), 'train.conllu');
const { annotator } = await trainAnnotator('tokenizer', treebank, { options: { epochs: 1, bits: 12 } });
const tokenizer = annotator as Tokenizer;

const options: ParsingOptions = {
  ...{ to: 'conllu', isCompressed: false, field: 'text', keep: [] },
  ...{ confidence: false, skipInvalid: false, allowMissing: false },
};

/** The output of each shard. */
async function parsed(
  files: readonly string[],
  size: number,
  more: Partial<ParsingOptions>,
  kind?: CorpusKind,
) {
  const shards = await collect(shardsOf(await corpusInputs(files, { kind }), size));
  const model = { tokenizer, parser };
  const all = await Promise.all(shards.map((shard) => parseShard(model, shard, { ...options, ...more })));
  return all.map((one) => ('problem' in one ? expect.fail(one.problem) : Buffer.from(one.bytes)));
}

test('CoNLL-U documents have the same names in Parquet, wherever the files are cut', async () => {
  const word = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n';
  const begun = ['', '# newdoc id = x', '', '', '# newdoc', ''];
  const text = `${begun.map((comment) => `${comment}\n${word}`).join('')}# newdoc id = empty\n`;
  const files = ['a', 'b'].map((name) => sandbox.save(`${name}.conllu`, text));
  const names = files.flatMap((file) => [file, 'x', 'x', 'x', file, file]);
  for (const size of [25, 60, 120, 10_000]) {
    const tables = await parsed(files, size, { to: 'parquet' });
    const rows = await Promise.all(
      tables.map((file) => parquetReadObjects({ file: Uint8Array.from(file).buffer })),
    );
    expect(rows.flat().map(({ document }) => document)).toEqual(names);
    expect(new Set(rows.flat().map(({ sentence }) => sentence)).size).toBe(names.length);
  }
});

test('document and paragraph marks of skipped sentences are kept, wherever the files are cut', async () => {
  const [word, bad] = ['1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n', '1\tDogs\n\n'];
  const documents = `# newdoc id = x\n${bad}# newpar id = p\n${bad}${word}${word}# newdoc id = y\n# newpar\n${bad}`;
  const files = [bad + bad, documents, documents, documents + word].map((text, i) =>
    sandbox.save(`marks-${i}.conllu`, text.replaceAll('\n', i === 1 ? '\r\n' : '\n')),
  );
  const whole = await parsed(files.slice(1), 10_000, { skipInvalid: true });
  expect(whole.toString().match(/^# new.*/gm)).toHaveLength(8);
  for (const size of [5, 25, 60]) {
    for (const to of ['conllu', 'jsonl'] as const) {
      const [all, pieces] = [10_000, size].map((one) => parsed(files, one, { skipInvalid: true, to }));
      expect(Buffer.concat(await pieces!).toString()).toBe(Buffer.concat(await all!).toString());
    }
  }
});

test('sentences of different files stay apart, however the files begin and end', async () => {
  const word = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_';
  const files = [word, `\ufeff# newdoc id = x\n${word}\n`].map((text, i) =>
    sandbox.save(`ends-${i}.conllu`, text),
  );
  for (const size of [30, 10_000]) {
    const all = Buffer.concat(await parsed(files, size, {})).toString();
    expect(readSentences(all).map(({ length }) => length)).toEqual([1, 1]);
    expect(all).not.toContain('\ufeff');
  }
});

test('a message on missing columns names the file and the byte where the shard begins', async () => {
  const word = '1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n';
  const file = sandbox.save('missing.conllu', word.repeat(2));
  const shards = await collect(shardsOf(await corpusInputs([file]), 20));
  const reading = { ...parser, reads: ['upos'] as const };
  const problems = await Promise.all(
    shards.map((shard) => parseShard({ tokenizer, parser: reading }, shard, options)),
  );
  expect(problems).toMatchObject(
    [0, word.length].map((byte) => ({
      problem: expect.stringContaining(`${file}, byte ${byte}: no UPOS`),
    })),
  );
});

test.each([
  ['text', 'One dog barks.\nTwo dogs bark.\nNobody knows why.\n\nThe end.'],
  ['lines', 'One dog barks.\nTwo dogs bark.\n\nNobody knows why.\nThe end.'],
  ['tokens', 'One\ndog\nbarks\n\nTwo\ndogs\nbark\n\nThe\nend\n'],
] as const)('paragraphs of %s begin at the same words, wherever the file is cut', async (kind, text) => {
  const file = sandbox.save(`paragraphs-${kind}`, text);
  const outputs = await Promise.all([8, 20, 1000].map((size) => parsed([file], size, {}, kind)));
  expect(outputs[0]!.length).toBeGreaterThan(2);
  const begun = outputs.map((shards) =>
    Buffer.concat(shards)
      .toString()
      .match(/(?<=^# newpar\n# sent_id = .*\n# text = )\S+/gm),
  );
  const expected = { text: ['One', 'The'], lines: ['One', 'Nobody'], tokens: ['One'] }[kind];
  expect(begun).toEqual([expected, expected, expected]);
});

test.each([
  ['{"text": "Dogs bark \\u0000 loudly."}', 'NUL character: expected text'],
  ['{"text": "Dogs \\ud800 bark."}', 'half of a surrogate pair: expected Unicode text'],
  ['{"text": "Dogs bark.", "id": "a\\u0000"}', 'NUL character: expected text'],
  ['{"text": "Dogs bark.", "id": {"a": 1}}', 'an id that is {"a":1}, expected text or a number'],
  [
    '{"text": "Dogs bark.", "id": 1234567890123456789}',
    'a numeric id with a fraction or beyond 2^53 is not exact: write it as text',
  ],
  [
    '{"text": "Dogs bark.", "id": 1.10}',
    'a numeric id with a fraction or beyond 2^53 is not exact: write it as text',
  ],
])('a JSON line is refused if no command could read its output again: %s', async (line, problem) => {
  const good = '{"text": "Dogs bark.", "id": 7}\n';
  const file = sandbox.save('records.jsonl', `${good}${line}\n`);
  const [shard] = await collect(shardsOf(await corpusInputs([file]), 10_000));
  expect(await parseShard({ tokenizer, parser }, shard, options)).toEqual({
    problem,
    file,
    byte: good.length,
  });
});

test('documents of JSON Lines whose id is empty are named by file and byte', async () => {
  const lines = ['', ' \t', null, 0].map((id) => `${JSON.stringify({ text: 'Dogs bark.', id })}\n`);
  const file = sandbox.save('empty-ids.jsonl', lines.join(''));
  const starts = lines.map((_, i) => lines.slice(0, i).join('').length);
  const names = [...starts.slice(0, 3).map((byte) => `${file}@${byte}`), '0'];
  const [written] = await parsed([file], 10_000, {});
  expect(String(written).match(/(?<=^# newdoc id = ).*$/gm)).toEqual(names);
  const [table] = await parsed([file], 10_000, { to: 'parquet' });
  const rows = await parquetReadObjects({ file: Uint8Array.from(table!).buffer });
  expect([...new Set(rows.map(({ document }) => document))]).toEqual(names);
});

test('CoNLL-U whose lines end with CR alone is refused', async () => {
  const text = sampleText('dev').replaceAll('\n', '\r');
  const file = sandbox.save('returns.conllu', text);
  const [shard] = await collect(shardsOf(await corpusInputs([file]), 10_000));
  expect(await parseShard({ tokenizer, parser }, shard!, options)).toEqual({
    problem: 'no sentences: lines end with CR, expected LF or CRLF',
    ...{ file, byte: 0 },
  });
});

test.each([
  ['txt', 'Cats sleep.\n\nA day.\n', undefined],
  ['tokens', 'Cats\nsleep\n', 'tokens'],
  ['conllu', '1\tCats\t_\t_\t_\t_\t_\t_\t_\t_\n\n', undefined],
] as const)('a file that begins with blank lines is a document of its own: %s', async (name, text, kind) => {
  const files = [text.repeat(10), `${'\n'.repeat(9)}${text}`].map((content, i) =>
    sandbox.save(`blank-${i}.${name}`, content),
  );
  for (const size of [text.length * 10 + 2, 10_000]) {
    const all = Buffer.concat(await parsed(files, size, { skipInvalid: true }, kind)).toString();
    expect(all.match(/(?<=^# newdoc id = ).*$/gm)).toEqual(files);
    if (kind === 'tokens') expect(all.match(/^# newpar$/gm)).toHaveLength(2);
  }
});
