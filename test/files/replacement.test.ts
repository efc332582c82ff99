import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Owner, ownerText, thisProcess } from '../../src/files/owner.ts';
import { Replacement, removeAbandoned } from '../../src/files/replacement.ts';
import { startModule } from '../support/module-process.ts';
import { failureOfOrdinaryUser } from '../support/ordinary-user.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('replacement');
const bytes = (text: string) => Buffer.from(text);

describe('a replacement', () => {
  test('is written beside the file, which stays unchanged until commit', () => {
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

  test('is not mixed with another replacement of the same file; the last commit wins', () => {
    const path = sandbox.path('model');
    const [one, other] = [new Replacement(path), new Replacement(path)];
    one.write(bytes('one'));
    other.write(bytes('other'));
    other.commit();
    one.commit();
    expect(sandbox.read('model')).toBe('one');
  });

  test('never touches an unrelated file, even one that ends in .partial', () => {
    sandbox.save('trees.partial', 'a treebank');
    const file = new Replacement(sandbox.path('trees'));
    file.write(bytes('a model'));
    file.commit();
    expect(sandbox.read('trees.partial')).toBe('a treebank');
  });

  test('with too long a name is refused before anything is written', () => {
    const before = sandbox.list();
    expect(() => new Replacement(sandbox.path('n'.repeat(256)))).toThrow(/ENAMETOOLONG/);
    expect(sandbox.list()).toEqual(before);
  });

  test('has the permissions of the file it replaces from its first byte on', () => {
    const path = sandbox.save('private', 'old');
    chmodSync(path, 0o600);
    const before = sandbox.list();
    const file = new Replacement(path);
    const [partial] = sandbox.list().filter((name) => !before.includes(name));
    expect(statSync(sandbox.path(partial)).mode & 0o777).toBe(0o600);
    file.commit();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('of a write-protected file is refused', () => {
    chmodSync(sandbox.save('closed', 'old'), 0o444);
    const replaced = "new module.Replacement('closed')";
    expect(failureOfOrdinaryUser(sandbox.folder, 'src/files/replacement.js', replaced)).toMatch(/EACCES/);
    expect(sandbox.read('closed')).toBe('old');
  });
});

describe('an unfinished file of a killed process', () => {
  const leave = (owner: Owner) => {
    const name = `.parliament-0123456789ab-${ownerText(owner)}.partial`;
    sandbox.save(join('other', name), 'the beginning');
    return name;
  };

  test('is removed by the next process that writes into the folder', async () => {
    const script = `
      new module.Replacement('${sandbox.path('out')}').write(Buffer.from('the beginning'));
      console.log('here');
      setInterval(() => {}, 1000);`;
    const child = startModule('src/files/replacement.js', script);
    await once(child.stdout!, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const abandoned = (name: string) => name.includes(`-${child.pid}-`);
    expect(sandbox.list().filter(abandoned)).toHaveLength(1);
    const next = `const file = new module.Replacement('${sandbox.path('out')}'); file.commit();`;
    await once(startModule('src/files/replacement.js', next), 'close');
    expect(sandbox.list().filter(abandoned)).toEqual([]);
  });

  test('is removed, but not the files of a living process, another container or another machine', () => {
    mkdirSync(sandbox.path('other'));
    const living = leave(thisProcess());
    const elsewhere = leave({ ...thisProcess(), host: 'another-machine' });
    const inContainer = leave({ ...thisProcess(), namespace: '00000000', pid: 2 ** 22 + 1 });
    const rebooted = leave({ ...thisProcess(), boot: '00000000' });
    const dead = leave({ ...thisProcess(), pid: 2 ** 22 + 1 });
    removeAbandoned(sandbox.path('other'));
    const left = readdirSync(sandbox.path('other'));
    expect(left).toEqual(expect.arrayContaining([living, elsewhere, inContainer]));
    expect(left).not.toContain(dead);
    expect(left).not.toContain(rebooted);
  });
});
