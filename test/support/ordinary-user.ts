import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../src/platform/package.ts';

const NOBODY = 65534;

/**
 * What an expression says when it fails, for a user whom permissions bind: they do not bind root, who is nobody
 * in this process of its own, and gives nobody the folder. The expression uses what a compiled module exports.
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
