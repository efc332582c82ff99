import { paradigmFile } from '../../parsers/registry.ts';
import { InputError } from '../../src/errors.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import type { Job, Program } from './job.ts';

/** What determines the code that a job runs: its kind, paradigm and guides. */
export type Work =
  | { readonly kind: 'vote' | 'tagging' | 'file' }
  | {
      readonly kind: 'parser';
      readonly paradigm: string;
      readonly stacking?: { readonly guides: readonly { readonly parser: string }[] } | undefined;
    };

/** Modules whose dynamic imports depend on the job: the digest skips them, and `entries` lists what each job imports. */
export const choosers: ReadonlySet<string> = new Set(
  ['experiment/cells/run-job', 'parsers/registry', 'annotators/registry'].map(moduleFile),
);

const programs = new Map<string, Program>();

/**
 * The program that runs a job: the package's version, and the SHA-256 of all code that the job can reach, with the
 * versions of the packages it uses. A change to another paradigm leaves the digest, and so cached results, as they are.
 *
 * @throws UsageError for an unknown paradigm
 */
export function programOf(work: Work): Program {
  const key = JSON.stringify([work.kind, ...(work.kind === 'parser' ? paradigmsIn(work) : [])]);
  const program = programs.get(key) ?? programFrom(entries(work), choosers);
  programs.set(key, program);
  return program;
}

/** Throws `InputError` if the job was planned by another version of the program. */
export function checkProgram(job: Job): void {
  const program = programOf(job);
  if (job.program.code === program.code && job.program.version === program.version) return;
  const [planned, here] = [job.program, program].map(
    ({ version, code }) => `${version}, ${code.slice(0, 8)}`,
  );
  const problem = `planned by another version of the program (${planned}) than this one (${here})`;
  throw new InputError(`${problem}: start the experiment again`);
}

/** The modules from which a job's code is reached: of its kind, and of its paradigms or annotators. */
export function entries(work: Work): string[] {
  const common = ['experiment/cells/cell-process', 'experiment/cells/run-job'];
  if (work.kind === 'file') return common.map(moduleFile);
  const all = [...common, `experiment/cells/${work.kind}-job`];
  if (work.kind === 'tagging') all.push('annotators/tagger/task', 'annotators/lemmatizer/task');
  if (work.kind !== 'parser') return all.map(moduleFile);
  if (work.stacking !== undefined) all.push('combine/stack/train-stacked');
  return [...all.map(moduleFile), ...paradigmsIn(work).map(paradigmFile)];
}

function paradigmsIn({ paradigm, stacking }: Extract<Work, { kind: 'parser' }>): string[] {
  return [paradigm, ...(stacking?.guides ?? []).map(({ parser }) => parser)];
}
