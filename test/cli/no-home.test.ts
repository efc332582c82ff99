import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { needs } from '../support/needs.ts';
import { cliPath } from '../support/run-cli.ts';
import { samplePath } from '../support/sample.ts';

/** The number of a user without an account on the system, as in a container: it has no name and no home folder. */
const nobodyKnown = 12_345;
const { PATH = '' } = process.env;

function runHomeless(args: readonly string[], env = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...args], {
    ...{ uid: nobodyKnown, gid: nobodyKnown, cwd: '/', encoding: 'utf8' },
    env: { PATH, ...env },
  });
  return { status, stdout, stderr };
}

needs('root', process.getuid?.() === 0).describe('a user with neither a home folder nor a name', () => {
  const { test } = needs('root', process.getuid?.() === 0);

  test('can run the commands that need no home folder', () => {
    const commands = [
      '--version',
      '--help',
      `stats ${samplePath('dev')}`,
      'data list',
      'data list --json',
      'data path sample',
      'experiment --list',
    ];
    for (const command of commands) {
      const { status, stderr } = runHomeless(command.split(' '));
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
    }
  });

  test('gets a one-line error from commands that need a folder for treebanks', () => {
    const stderr = 'parliament: error: no home folder for treebanks: set PARLIAMENT_HOME to a folder\n';
    expect(runHomeless(['data', 'get', 'ud-english-ewt'])).toEqual({ status: 2, stdout: '', stderr });
    expect(runHomeless(['data', 'path', 'ud-english-ewt'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^parliament: error: [^\n]*\n$/),
    });
  });

  test('can set the home folder with PARLIAMENT_HOME', () => {
    const { status, stdout } = runHomeless(['data', 'list', '--json'], { PARLIAMENT_HOME: '/nowhere' });
    expect(status).toBe(0);
    expect(stdout).toContain('/nowhere/treebanks/ud-english-ewt/');
  });
});
