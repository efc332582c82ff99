import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../src/platform/package.ts';

const NOBODY = 65534;

/**
 * The message of the error that an expression throws in a separate process, for a user bound by file permissions.
 * They do not bind root, so root gives the folder to the user nobody and becomes nobody in that process. The
 * expression uses the exports of a compiled module as `module`.
 */
export function failureOfOrdinaryUser(folder: string, module: string, expression: string): string {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const url = pathToFileURL(join(packageFolder, 'dist', module)).href;
  const script = `
    const module = await import('${url}');
    ${isRoot ? `process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY});` : ''}
    try { await ${expression}; } catch (error) { console.log(error.message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout;
}
