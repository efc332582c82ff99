import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { calls } from '../../web/calls.ts';
import { fetchModel } from '../../web/models.ts';

afterEach(() => vi.unstubAllGlobals());

test('a digest may be in capital letters; a model with another is refused', async () => {
  const model = Uint8Array.of(1, 2, 3);
  vi.stubGlobal('fetch', async () => new Response(model));
  const digest = createHash('sha256').update(model).digest('hex');
  const fetched = (expected: string) => fetchModel('http://localhost/some.model', expected, () => undefined);
  for (const same of [digest, digest.toUpperCase()])
    expect(new Uint8Array((await fetched(same)).bytes)).toEqual(model);
  const other = digest.replace(/^./, (first) => (first === '0' ? '1' : '0'));
  await expect(fetched(other)).rejects.toThrow(`SHA-256 ${digest}, expected ${other}`);
});

test('bytes with another digest are refused', async () => {
  const { buffer } = Uint8Array.of(1, 2, 3);
  await expect(calls.load(buffer, 'model', 'abc', {} as never)).rejects.toThrow(/SHA-256 .*, expected abc$/);
});
