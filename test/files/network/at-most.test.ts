import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { atMost } from '../../../src/files/network/download.ts';

test('bytes are passed on up to a limit; a sender that exceeds it is stopped at once', async () => {
  let sent = 0;
  const endless = async function* () {
    for (;;) {
      sent++;
      yield Buffer.from('abc');
    }
  };
  await expect(buffer(atMost(7, endless()))).rejects.toThrow('more than the 7 bytes expected');
  expect(sent).toBe(3);
  expect(String(await buffer(atMost(6, Readable.from([Buffer.from('abc'), Buffer.from('def')]))))).toBe(
    'abcdef',
  );
});
