import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync, symlinkSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { claim, claimantOf, lockOf } from '../../src/files/lock.ts';
import { type Owner, ownerText, thisProcess } from '../../src/files/owner.ts';
import { startModule } from '../support/module-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('lock');
const lockModule = 'src/files/lock.js';

/** Starts a process that claims a path and keeps running. */
async function startClaimant(path: string) {
  const child = startModule(
    lockModule,
    `console.log(module.claim('${path}') !== undefined); setInterval(() => {}, 1000);`,
  );
  await once(child.stdout!, 'data');
  return child;
}

/** Writes the lock file of another owner; returns the path that it locks. */
function leaveLock(name: string, owner: Partial<Owner>): string {
  sandbox.save(`${name}.lock`, ownerText({ ...thisProcess(), ...owner }));
  return sandbox.path(name);
}

describe('a claim', () => {
  test('is refused while another process holds it, and names that process', async () => {
    const path = sandbox.path('held');
    const child = await startClaimant(path);
    expect(claim(path)).toBeUndefined();
    expect(claimantOf(path)).toMatchObject({ pid: child.pid, host: hostname() });
    child.kill();
    await once(child, 'close');
  });

  test('is refused to the process that holds it already, and granted again after its release', () => {
    const path = sandbox.path('own');
    const first = claim(path);
    expect(claim(path)).toBeUndefined();
    first?.release();
    expect(claimantOf(path)).toBeUndefined();
    const second = claim(path);
    expect(second).toBeDefined();
    first?.release();
    second?.release();
    expect(sandbox.list()).not.toContain('own.lock');
  });

  test('ends with its owner: after kill -9 the next process takes it over', async () => {
    const path = sandbox.path('killed');
    const child = await startClaimant(path);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(sandbox.list()).toContain('killed.lock');
    expect(claim(path)).toBeDefined();
    expect(claimantOf(path)?.pid).toBe(process.pid);
  });

  test('is released when its process ends without releasing it', async () => {
    const path = sandbox.path('ended');
    await once(startModule(lockModule, `module.claim('${path}');`), 'close');
    expect(sandbox.list()).not.toContain('ended.lock');
  });

  test('that another process took over while its owner was frozen stays with that process', async () => {
    const other = ownerText({ ...thisProcess(), host: 'another-machine' });
    const script = `
      import { utimesSync, writeFileSync } from 'node:fs';
      let touch;
      globalThis.setInterval = (callback) => {
        touch = callback;
        return { unref() {} };
      };
      const [released] = ['released', 'exited'].map((name) => {
        const path = '${sandbox.folder}/' + name;
        const claim = module.claim(path);
        writeFileSync(path + '.lock', '${other}');
        utimesSync(path + '.lock', 1000, 1000);
        return claim;
      });
      touch();
      released.release();`;
    await once(startModule(lockModule, script), 'close');
    for (const name of ['released.lock', 'exited.lock']) {
      expect(sandbox.read(name)).toBe(other);
      expect(statSync(sandbox.path(name)).mtimeMs).toBe(1_000_000);
    }
  });

  test.runIf(process.platform === 'linux')(
    'is not held by another process that has got the number of its owner',
    () => {
      expect(claim(leaveLock('reused', { start: '1' }))).toBeDefined();
    },
  );

  test('does not outlast a restart of the machine', () => {
    expect(claim(leaveLock('rebooted', { boot: '00000000' }))).toBeDefined();
  });

  test.each([
    ['machine', { host: 'another-machine' }],
    ['container', { namespace: '00000000' }],
  ])('of another %s holds as long as its lock file is kept up to date', (name, owner) => {
    const path = leaveLock(name, owner);
    expect(claim(path)).toBeUndefined();
    expect(claimantOf(path)).toMatchObject(owner);
    const before = new Date(Date.now() - 3_600_000);
    utimesSync(lockOf(path), before, before);
    expect(claim(path)).toBeDefined();
  });

  test('never removes a file that is not a lock', () => {
    sandbox.save('package.lock', 'versions of somebody');
    expect(claim(sandbox.path('package'))).toBeUndefined();
    expect(claimantOf(sandbox.path('package'))).toBeUndefined();
    expect(sandbox.read('package.lock')).toBe('versions of somebody');
    symlinkSync('nowhere', sandbox.path('link.lock'));
    expect(claim(sandbox.path('link'))).toBeUndefined();
  });

  test('holds before its owner has written its name, but not for ever', () => {
    const path = sandbox.path('empty');
    sandbox.save('empty.lock', '');
    expect(claim(path)).toBeUndefined();
    const before = new Date(Date.now() - 60_000);
    utimesSync(lockOf(path), before, before);
    expect(claim(path)).toBeDefined();
  });

  test('is refused in one line if no lock can be written', () => {
    expect(() => claim(sandbox.path('nowhere/model'))).toThrow(
      `${sandbox.path('nowhere/model.lock')}: cannot be written: no such file or folder`,
    );
  });
});

test('exactly one of many processes takes over the lock of a dead process', async () => {
  const paths = Array.from({ length: 40 }, (_, i) =>
    leaveLock(`race-${i}`, { pid: 2 ** 22 + 1, start: '1' }),
  );
  const script = `
    console.log('here');
    process.stdin.once('data', (start) => {
      const got = ${JSON.stringify(paths)}.map((path, i) => {
        while (Date.now() < Number(start) + 5 * i);
        return module.claim(path) !== undefined;
      });
      console.log(JSON.stringify(got));
    });`;
  const children = Array.from({ length: 4 }, () => startModule(lockModule, script));
  const printed = (child: ChildProcess) => once(child.stdout!, 'data');
  await Promise.all(children.map(printed));
  const ends = children.map(printed);
  for (const { stdin } of children) stdin!.write(String(Date.now() + 50));
  const got = (await Promise.all(ends)).map(([text]) => JSON.parse(String(text)) as boolean[]);
  expect(paths.map((_, i) => got.filter((one) => one[i]).length)).toEqual(paths.map(() => 1));
  for (const { stdin } of children) stdin!.end();
});
