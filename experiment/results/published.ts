import { createHash } from 'node:crypto';
import { InputError } from '../../src/errors.ts';
import type { Experiment } from '../definition/experiment.ts';
import type { Plan } from '../definition/plan.ts';

/** Digests that tell whether a published table is up to date. */
export interface PublishedMarks {
  readonly definition: string;
  /** Digest of the cells: see `cellsDigest`. `earlier`: figures older than these marks; `none`: no figures yet. */
  readonly cells: string;
}

const DIGITS = 12;

/** Digest of everything in an experiment file that figures depend on; titles and descriptions do not count. */
export function definitionDigest(experiment: Experiment): string {
  const { report, defaults, rows, columns, sweep, baseline, averages, by, final } = experiment;
  const bare = (entries: Experiment['rows']) => entries?.map(({ reported: _, ...entry }) => entry);
  const { reported: _, ...values } = sweep ?? {};
  return digest([report, defaults, bare(rows), bare(columns), values, baseline, averages, by, final]);
}

/** Digest of a table's jobs: treebanks, options, and code. */
export function cellsDigest({ jobs }: Plan): string {
  return digest([...jobs.keys()].sort());
}

function digest(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, DIGITS);
}

const beginning = /^<!-- table ([\w-]+): definition (\w+), cells (\w+) -->$/gm;
const beginOf = (name: string, { definition, cells }: PublishedMarks) =>
  `<!-- table ${name}: definition ${definition}, cells ${cells} -->`;
const endOf = (name: string) => `<!-- end of ${name} -->`;

export function publishedTables(page: string): [name: string, marks: PublishedMarks][] {
  return [...page.matchAll(beginning)].map(([, name, definition, cells]) => [name, { definition, cells }]);
}

/** Replaces a table on a page; throws `InputError` if the page has no marks for it. */
export function withPublished(page: string, name: string, marks: PublishedMarks, text: string): string {
  const begin = [...page.matchAll(beginning)].find((match) => match[1] === name);
  const end = page.indexOf(`${endOf(name)}\n`);
  if (begin === undefined || end < begin.index) {
    throw new InputError(
      `no place for the table ${name}: expected ${beginOf(name, marks)} and ${endOf(name)}`,
    );
  }
  return `${page.slice(0, begin.index)}${beginOf(name, marks)}\n\n${text.trim()}\n\n${page.slice(end)}`;
}
