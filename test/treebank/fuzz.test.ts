import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import {
  openTreebank,
  readSentences,
  type TreebankOptions,
} from '../../src/treebank/reading/treebank-file.ts';
import { brokenBytes, changedLines, lineChange, smallTreebank, withBroken } from '../support/damage.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const real = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');

const options: fc.Arbitrary<TreebankOptions> = fc.record({
  expect: fc.constantFrom('trees', 'heads', 'tokens'),
  format: fc.constantFrom(undefined, undefined, 'conllu', 'conllx', 'three-column', 'json', 'brackets'),
  skipInvalid: fc.boolean(),
  singleRoot: fc.boolean(),
});

/** Reads and writes a file; true if it is read to its end, false if it is properly refused. */
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

describe('reading a damaged file', () => {
  test('gives sentences or a one-line error with the place: a small file', () =>
    expectToSurviveChanges(smallTreebank, 400));

  test('gives sentences or a one-line error with the place: a small file of JSON', () => {
    const lines = readSentences(smallTreebank.join('\n')).map((each) =>
      formatSentence(each, 'json').trimEnd(),
    );
    return expectToSurviveChanges(lines, 200);
  });

  needsShared.test(
    'gives sentences or a one-line error with the place: the beginning of UD English EWT dev',
    () => expectToSurviveChanges(readFileSync(real, 'utf8').split('\n').slice(0, 400), 150),
  );

  async function expectToSurviveChanges(lines: readonly string[], numRuns: number): Promise<void> {
    const outcomes = new Set<boolean>();
    const changes = fc.array(lineChange, { minLength: 0, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(changes, brokenBytes, fc.boolean(), options, async (some, broken, isCrlf, reading) => {
        const whole = Buffer.from(changedLines(lines, some).join(isCrlf ? '\r\n' : '\n'));
        const bytes = withBroken(whole, broken);
        outcomes.add(await survives(bytes, reading));
      }),
      { numRuns },
    );
    expect(outcomes).toEqual(new Set([true, false]));
  }

  needsShared.test(
    'gives sentences or a one-line error with the place: any slice of UD English EWT dev',
    async () => {
      const bytes = readFileSync(real);
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length), fc.nat(20_000), options, async (start, length, reading) => {
          await survives(bytes.subarray(start, start + length), reading);
        }),
        { numRuns: 200 },
      );
    },
  );

  test('gives sentences or a one-line error with the place: random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), options, async (bytes, reading) => {
        await survives(Buffer.from(bytes), reading);
      }),
      { numRuns: 300 },
    );
  });
});
