import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textBatches } from '../../../src/treebank/reading/batches.ts';
import type { TreebankFormat } from '../../../src/treebank/reading/format.ts';
import { readBatch } from '../../../src/treebank/reading/treebank-file.ts';
import type { TextBatch } from '../../../src/treebank/sentence.ts';

async function* pieces(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths[i % lengths.length] ?? text.length;
    yield text.slice(at, at + length);
    at += length;
  }
}

async function batchesOf(text: string, format: TreebankFormat, size = 1, lengths: readonly number[] = []) {
  const batches: TextBatch[] = [];
  for await (const batch of textBatches(pieces(text, lengths), 'file', format, size)) batches.push(batch);
  return batches;
}

const sourcesOf = (batches: readonly TextBatch[], format: TreebankFormat) =>
  batches.flatMap((batch) =>
    Array.from(readBatch(batch, { format, expect: 'trees' }), ({ source }) => ({
      line: source!.line,
      text: source!.text,
      lines: Array.from(source!.lines),
    })),
  );

const token = '1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n';

describe('the batches of whole sentences from textBatches', () => {
  test('comments before the tokens and blank lines after them belong to a sentence', async () => {
    const text = `\n# one\n${token}\n\n\n# two\n${token}\n`;
    expect(await batchesOf(text, 'conllu', 45)).toEqual([
      { file: 'file', line: 1, text: `\n# one\n${token}\n\n\n` },
      { file: 'file', line: 7, text: `# two\n${token}\n` },
    ]);
  });

  test('comments without tokens belong to the sentence after them, the last ones to the last sentence', async () => {
    const text = `# newdoc\n\n${token}\n# between\n\n\n${token}\n# end\n\n`;
    expect((await batchesOf(text, 'conllu')).map((batch) => batch.text)).toEqual([
      `# newdoc\n\n${token}\n`,
      `# between\n\n\n${token}\n# end\n\n`,
    ]);
  });

  test('a number sign begins a comment in CoNLL-U only', async () => {
    expect(await batchesOf('#\t#\t0\n\n#\t#\t0\n', 'three-column')).toHaveLength(2);
    expect(await batchesOf('# nothing\n\n# else\n', 'conllu')).toEqual([]);
  });

  test('a batch has about the requested number of characters, and at least one sentence', async () => {
    const text = `${token}\n`.repeat(100);
    const [first] = await batchesOf(text, 'conllu', 10 * (token.length + 1) + 5);
    expect(first!.text).toBe(`${token}\n`.repeat(10));
  });

  test('bracketed trees stay whole, with the text between them', async () => {
    const text = '\n( (S (X a)) )\n( (S\n (X b)) )\n\n';
    expect(await batchesOf(text, 'brackets')).toEqual([
      { file: 'file', line: 1, text: '\n( (S (X a)) )\n' },
      { file: 'file', line: 3, text: '( (S\n (X b)) )\n\n' },
    ]);
  });

  test('in JSON Lines every line is a sentence, with the blank lines after it', async () => {
    const line = '{"tokens":[{"form":"a","head":0}]}\n';
    const text = `\ufeff\n${line}\n\r\n${line}${line}\n`;
    for (let size = 1; size < text.length; size += 7) {
      const batches = await batchesOf(text, 'json', size, [size]);
      expect(batches.map((batch) => batch.text).join('')).toBe(text);
      expect(sourcesOf(batches, 'json')).toEqual([
        { line: 1, text: `\ufeff\n${line}\n\r\n`, lines: [1, 2] },
        { line: 5, text: line, lines: [5, 5] },
        { line: 6, text: `${line}\n`, lines: [6, 6] },
      ]);
    }
    expect(await batchesOf('\n\n', 'json')).toEqual([]);
  });

  test('a sentence longer than the limit is refused before it fills the memory', async () => {
    const endless = (async function* () {
      yield `${token}\n`;
      for (;;) yield 'x'.repeat(1 << 24);
    })();
    const read = async () => {
      for await (const _ of textBatches(endless, 'endless', 'conllu'));
    };
    await expect(read()).rejects.toThrow(
      /^endless:\d+: a sentence longer than 16777216 characters, expected blank lines between sentences$/,
    );
  });
});

/** Lines of a CoNLL-U file, in any order that a file may have. */
const texts = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    lines: fc.array(
      fc.constantFrom('\n', '\n', '\r\n', token, token, token.replace('\n', '\r\n'), '# c\n', '# d\r\n'),
      {
        maxLength: 30,
      },
    ),
    hasEnd: fc.boolean(),
  })
  .map(({ mark, lines, hasEnd }) => {
    // Two tokens of a sentence would need different ids, so that each sentence keeps only one.
    const text = lines.join('').replace(/(1\ta[^\n]*\n)(1\ta[^\n]*\n)+/g, '$1');
    return mark + (hasEnd ? text : text.replace(/\r?\n$/, ''));
  })
  .filter((text) => !/(1\ta.*\r?\n)(# .\r?\n)+1/.test(text));

describe('a text that arrives in any pieces and is cut into batches of any size', () => {
  test('comes back when the batches are joined, with the same sentences and line numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1 }),
        async (text, size, lengths) => {
          const whole = await batchesOf(text, 'conllu', text.length + 1);
          const cut = await batchesOf(text, 'conllu', size, lengths);
          const hasTokens = text.includes('1\t');
          expect(cut.map((batch) => batch.text).join('')).toBe(hasTokens ? text : '');
          expect(sourcesOf(cut, 'conllu')).toEqual(sourcesOf(whole, 'conllu'));
          expect(
            sourcesOf(cut, 'conllu')
              .map((source) => source.text)
              .join(''),
          ).toBe(hasTokens ? text : '');
          for (const { text: block, line, lines } of sourcesOf(cut, 'conllu')) {
            expect(block.split('\n')[lines[1]! - line]).toContain('1\ta');
            expect(text.split('\n')[lines[1]! - 1]).toContain('1\ta');
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
