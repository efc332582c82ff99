import { createHash } from 'node:crypto';
import { extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paradigmModules } from '../../../parsers/registry.ts';
import { InputError } from '../../../src/errors.ts';
import { packageVersion } from '../../../src/files/package-version.ts';
import type { Job, Program } from '../job.ts';
import { moduleAt } from './imports.ts';
import { installedVersions } from './packages.ts';

/** What decides which code a job runs. */
export type Work = { readonly kind: 'vote' } | { readonly kind: 'parser'; readonly paradigm: string };

const root = resolve(import.meta.dirname, '..', '..', '..');
const own = (path: string) => join(root, `${path}${extname(import.meta.filename)}`);

/** They load what a job names, and no more: what that is, `entries` says. */
const choosers = new Set(['experiment/jobs/run-job', 'parsers/registry'].map(own));

const programs = new Map<string, Program>();

/**
 * The program that does a job: the package's version, and the SHA-256 of all the code that the job can reach, with
 * the versions of other packages. Code of other paradigms is none of it, so that a change there leaves this job's
 * results what they are.
 *
 * @throws UsageError for an unknown paradigm
 */
export function programOf(work: Work): Program {
  const key = work.kind === 'vote' ? '' : work.paradigm;
  const program = programs.get(key) ?? { version: packageVersion(), code: codeDigest(entries(work)) };
  programs.set(key, program);
  return program;
}

/** @throws InputError where a job was planned by another program than this one */
export function checkProgram(job: Job): void {
  const program = programOf(job);
  if (job.program.code === program.code && job.program.version === program.version) return;
  const [planned, here] = [job.program, program].map(
    ({ version, code }) => `${version}, ${code.slice(0, 8)}`,
  );
  throw new InputError(
    `planned by another program (${planned}) than is here now (${here}): begin the experiment again`,
  );
}

/** The modules that a job’s process begins with: those of its kind, and its paradigm’s. */
export function entries(work: Work): string[] {
  const process = own('experiment/jobs/cell-process');
  if (work.kind === 'vote') return [process, own('experiment/jobs/vote-job')];
  const paradigm = paradigmModules(work.paradigm).map((url) => fileURLToPath(url));
  return [process, own('experiment/jobs/parser-job'), ...paradigm];
}

/** Every module that is reached from some, those of threads included. */
export function reachableFrom(modules: readonly string[]): string[] {
  const reached = new Set<string>();
  const wait = [...modules];
  for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const { files, later } = moduleAt(next);
    wait.push(...files, ...(choosers.has(next) ? [] : later));
  }
  return [...reached].sort();
}

function codeDigest(modules: readonly string[]): string {
  const hash = createHash('sha256');
  const reached = reachableFrom(modules);
  for (const file of reached) {
    hash.update(`${relative(root, file).replaceAll(sep, '/')}\0`).update(moduleAt(file).text);
  }
  const packages = new Set(reached.flatMap((file) => moduleAt(file).packages));
  return hash.update(installedVersions([...packages], root).join('\0')).digest('hex');
}
