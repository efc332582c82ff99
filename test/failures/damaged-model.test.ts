/** A trained model that was cut or altered on its way is refused, wherever the damage is. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('damaged-model');
const whole = sandbox.path('whole.model');
const output = sandbox.path('out.conllu');
let bytes: Buffer;
beforeAll(async () => {
  await trainOnSample(whole, '--bits', '12');
  bytes = readFileSync(whole);
});

/** Expects that `parse` refuses this model in one line, and writes nothing. */
async function refused(model: Uint8Array): Promise<void> {
  const path = sandbox.save('damaged.model', model);
  const args = ['parse', '--model', path, samplePath('dev'), '-o', output];
  const { exitCode, stdout, stderr } = await runInProcess(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(
    /^parliament: error: [^\n]*damaged\.model: (damaged|truncated|not a|format version)[^\n]*\n$/,
  );
  expect(existsSync(output)).toBe(false);
}

describe('a trained model', () => {
  test('with any byte altered is refused by parse, in one line', async () => {
    const place = fc.oneof(fc.nat(bytes.length - 1), fc.nat(1023), fc.nat(63));
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const altered = Buffer.from(bytes);
        altered[at]! ^= mask;
        await refused(altered);
      }),
      { numRuns: 200 },
    );
  });

  test('that is truncated anywhere, or followed by other bytes, is refused by parse, in one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => refused(bytes.subarray(0, length))),
      { numRuns: 100 },
    );
    await refused(Buffer.concat([bytes, Buffer.from('\n')]));
    await refused(Buffer.concat([bytes, bytes]));
  });

  test('that is undamaged is a single file, which still parses after it was moved', async () => {
    const moved = sandbox.save('moved', bytes);
    expect(await runHere(['parse', '--model', moved, samplePath('dev'), '--quiet'])).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});
