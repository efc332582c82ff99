import { chmodSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Replacement } from '../../src/files/replacement.ts';
import { failureOfOrdinaryUser } from '../support/ordinary-user.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('replacement');
const bytes = (text: string) => Buffer.from(text);

describe('a replacement', () => {
  test('is written beside the file, which stays as it was until all is there', () => {
    const path = sandbox.save('file', 'old');
    const file = new Replacement(path);
    file.write(bytes('ne'));
    file.write(bytes('w'));
    expect(sandbox.read('file')).toBe('old');
    expect(sandbox.list()).toHaveLength(2);
    file.commit();
    expect(sandbox.read('file')).toBe('new');
    file.discard();
    expect(sandbox.list()).toEqual(['file']);
  });

  test('under a fixed name takes the place of what a killed process has left', () => {
    sandbox.save('model.partial', 'much more than the new one');
    const file = new Replacement(sandbox.path('model'), (target) => `${target}.partial`);
    file.write(bytes('whole'));
    file.commit();
    expect(sandbox.read('model')).toBe('whole');
    expect(sandbox.list()).not.toContain('model.partial');
  });

  test('has the permissions of the file it replaces from its first byte on', () => {
    const path = sandbox.save('private', 'old');
    chmodSync(path, 0o600);
    const file = new Replacement(path, (target) => `${target}.partial`);
    expect(statSync(`${path}.partial`).mode & 0o777).toBe(0o600);
    file.commit();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('of a file that may not be written is refused', () => {
    chmodSync(sandbox.save('closed', 'old'), 0o444);
    const replaced = "new module.Replacement('closed')";
    expect(failureOfOrdinaryUser(sandbox.folder, 'src/files/replacement.js', replaced)).toMatch(/EACCES/);
    expect(sandbox.read('closed')).toBe('old');
  });
});
