import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Store } from '../../src/files/store.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('store');
const store = await Store.open(sandbox.path('folder/within'));

test('a store gives back the bytes saved under a name, and nothing under other names', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 256);
  store.write('bytes', bytes);
  store.write('empty', new Uint8Array());
  expect(store.read('bytes')).toEqual(Buffer.from(bytes));
  expect(store.read('empty')).toEqual(Buffer.alloc(0));
  expect(store.read('other')).toBeUndefined();
});

test('a stored file that is damaged, truncated or copied to another name counts as missing', () => {
  store.write('one', Buffer.from('some text'));
  copyFileSync(store.file('one'), store.file('foreign'));
  expect(store.read('foreign')).toBeUndefined();
  const whole = readFileSync(store.file('one'));
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] ^= 1;
    writeFileSync(store.file('one'), damaged);
    expect(store.read('one')).toBeUndefined();
    writeFileSync(store.file('one'), whole.subarray(0, at));
    expect(store.read('one')).toBeUndefined();
  }
  store.write('one', Buffer.from('some other text'));
  expect(store.read('one')?.toString()).toBe('some other text');
});
