import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { openTreebank, type TreebankOptions } from '../../src/treebank/treebank-file.ts';
import { formatSentence } from '../../src/treebank/write.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const small = [
  '# sent_id = 1',
  '1-2	Dámelo	_	_	_	_	_	_	_	_',
  '1	Da	dar	VERB	V	Mood=Imp	0	root	0:root	_',
  '2	melo	él	PRON	P	_	1	obj	1:obj	_',
  '2.1	ya	ya	ADV	R	_	_	_	1:advmod	_',
  '',
  '# sent_id = 2',
  '1	Trả lời	_	VERB	V	_	3	nsubj	_	_',
  '2	và	_	CCONJ	C	_	1	cc	_	_',
  '3	hỏi	_	VERB	V	_	0	root	_	SpaceAfter=No',
  '',
  '',
];

const real = new URL('../../../shared/treebanks/ud-english-ewt/en_ewt-ud-dev.conllu', import.meta.url);
const present = existsSync(real);
const realLines = present ? readFileSync(real, 'utf8').split('\n').slice(0, 400) : [];

/** One change to a file's lines: what it does, at which line and column, and a number that it may use. */
const change = fc.record({
  what: fc.constantFrom(...(['cut', 'drop', 'repeat', 'swap', 'cell', 'blank', 'space', 'giant'] as const)),
  line: fc.nat(),
  column: fc.nat(9),
  value: fc.constantFrom(
    '',
    '_',
    '0',
    '1',
    '-1',
    '7',
    '3-4',
    '1.1',
    '9'.repeat(30),
    'x',
    '\ufeff',
    ' ',
    '\r',
    '\0',
    '(',
    '#',
  ),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(lines: readonly string[], changes: readonly Change[]): string[] {
  const result = [...lines];
  for (const { what, line, column, value } of changes) {
    const at = line % result.length;
    const cells = result[at]!.split('\t');
    const withCell = (cell: string) => cells.map((old, i) => (i === column ? cell : old)).join('\t');
    if (what === 'cut') result.splice(at, 1, result[at]!.slice(0, column));
    else if (what === 'drop') result.splice(at, 1, cells.filter((_, i) => i !== column).join('\t'));
    else if (what === 'repeat') result.splice(at, 0, result[at]!);
    else if (what === 'swap') result.splice(at, 2, ...result.slice(at, at + 2).reverse());
    else if (what === 'cell') result.splice(at, 1, withCell(value));
    else if (what === 'blank') result.splice(at, 1, '');
    else if (what === 'space') result.splice(at, 1, result[at]!.replaceAll('\t', ' '));
    else result.splice(at, 1, withCell('x'.repeat(1 << 20)));
  }
  return result;
}

const options: fc.Arbitrary<TreebankOptions> = fc.record({
  expect: fc.constantFrom('trees', 'heads', 'tokens'),
  format: fc.constantFrom(undefined, undefined, 'conllu', 'conllx', 'three-column', 'brackets'),
  skipInvalid: fc.boolean(),
  singleRoot: fc.boolean(),
});

/** Reads and writes a file; true where it is read to its end, false where it is refused as it should be. */
async function survives(bytes: Buffer, reading: TreebankOptions): Promise<boolean> {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  let text = '';
  try {
    const treebank = await openTreebank(path, reading);
    for await (const sentence of treebank) {
      const { format } = treebank;
      text += format === 'brackets' ? sentence.source!.text : formatSentence(sentence, format);
    }
    if (treebank.skipped === 0) expect(text).toBe(bytes.toString('utf8'));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    const { message, place } = error as InputError;
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(500);
    if (!/: no (valid )?sentences/.test(message)) {
      expect(place.line).toBeGreaterThanOrEqual(1);
      expect(place.line).toBeLessThanOrEqual(bytes.toString('latin1').split('\n').length);
    }
    return false;
  }
}

/** Puts bytes that are no UTF-8 at a place of the text. */
const damage = fc.option(
  fc.record({ at: fc.nat(), bytes: fc.constantFrom('c3', 'ff', 'eda080', '00', 'e282') }),
  {
    nil: undefined,
  },
);

describe('a damaged file gives sentences, or one line with the place; never anything else', () => {
  const sources: [string, readonly string[], number][] = [['a small file', small, 400]];
  if (present) sources.push(['the beginning of UD English EWT dev', realLines, 150]);

  test.each(sources)('%s', async (_, lines, numRuns) => {
    const outcomes = new Set<boolean>();
    const changes = fc.array(change, { minLength: 0, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, damage, fc.boolean(), options, async (some, broken, isCrlf, reading) => {
        const whole = Buffer.from(changed(lines, some).join(isCrlf ? '\r\n' : '\n'));
        const at = broken === undefined ? whole.length : broken.at % (whole.length + 1);
        const bytes = Buffer.concat([
          whole.subarray(0, at),
          Buffer.from(broken?.bytes ?? '', 'hex'),
          whole.subarray(at),
        ]);
        outcomes.add(await survives(bytes, reading));
      }),
      { numRuns },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  });

  test.skipIf(!present)('any slice of UD English EWT dev (needs ../shared/treebanks)', async () => {
    const bytes = readFileSync(real);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.nat(20_000), options, async (start, length, reading) => {
        await survives(bytes.subarray(start, start + length), reading);
      }),
      { numRuns: 200 },
    );
  });

  test('bytes at random', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), options, async (bytes, reading) => {
        await survives(Buffer.from(bytes), reading);
      }),
      { numRuns: 300 },
    );
  });
});
