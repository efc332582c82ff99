import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../src/platform/package.ts';

/** A process that uses what a compiled module exports, as `module`, in a script of its own. */
export function startModule(module: string, script: string): ChildProcess {
  const url = pathToFileURL(join(packageFolder, 'dist', module)).href;
  const code = `const module = await import('${url}');\n${script}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
