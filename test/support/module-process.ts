import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../src/platform/package.ts';

/** Starts a process with a script that uses the exports of a compiled module as `module`. */
export function startModule(module: string, script: string): ChildProcess {
  const url = pathToFileURL(join(packageFolder, 'dist', module)).href;
  const code = `const module = await import('${url}');\n${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
