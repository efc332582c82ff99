import { paradigmFile } from '../../parsers/registry.ts';
import { InputError } from '../../src/errors.ts';
import { moduleFile, programFrom } from '../../src/program/code.ts';
import type { Job, Program } from './job.ts';

/** What decides which code a job runs. */
export type Work =
  | { readonly kind: 'vote' }
  | { readonly kind: 'tagging' }
  | { readonly kind: 'file' }
  | {
      readonly kind: 'parser';
      readonly paradigm: string;
      readonly stacking?: { readonly guides: readonly { readonly parser: string }[] } | undefined;
    };

/** They load what a job names, and no more: what that is, `entries` says. */
export const choosers: ReadonlySet<string> = new Set(
  ['experiment/jobs/run-job', 'parsers/registry', 'annotators/registry'].map(moduleFile),
);

const programs = new Map<string, Program>();

/**
 * The program that does a job: the package's version, and the SHA-256 of all the code that the job can reach, with
 * the versions of other packages. Code of other paradigms is none of it, so that a change there leaves this job's
 * results what they are.
 *
 * @throws UsageError for an unknown paradigm
 */
export function programOf(work: Work): Program {
  const key = JSON.stringify([work.kind, ...(work.kind === 'parser' ? paradigmsIn(work) : [])]);
  const program = programs.get(key) ?? programFrom(entries(work), choosers);
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

/** The modules that a job’s process begins with: those of its kind, and its paradigm’s or its annotators’. */
export function entries(work: Work): string[] {
  const process = moduleFile('experiment/jobs/cell-process');
  if (work.kind === 'vote') return [process, moduleFile('experiment/jobs/vote-job')];
  if (work.kind === 'file') return [process, moduleFile('experiment/jobs/file-job')];
  if (work.kind === 'tagging') {
    const annotators = ['tagger', 'lemmatizer'].map((task) => moduleFile(`annotators/${task}/task`));
    return [process, moduleFile('experiment/jobs/tagging-job'), ...annotators];
  }
  const job = work.stacking === undefined ? 'parser-job' : 'guided-job';
  return [process, moduleFile(`experiment/jobs/${job}`), ...paradigmsIn(work).map(paradigmFile)];
}

/** A parser's own, and those of its guides. */
function paradigmsIn({ paradigm, stacking }: Extract<Work, { kind: 'parser' }>): string[] {
  return [paradigm, ...(stacking?.guides ?? []).map(({ parser }) => parser)];
}
