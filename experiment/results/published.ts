import { createHash } from 'node:crypto';
import { InputError } from '../../src/errors.ts';
import type { Experiment } from '../definition/experiment.ts';
import type { Plan } from '../definition/plan.ts';

/** What a published table was made of. */
export interface PublishedMarks {
  /** Of what its file asks for: see `definitionDigest`. */
  readonly definition: string;
  /** Of its cells: see `cellsDigest`. `earlier` where figures are older than these marks, `none` where there are none. */
  readonly cells: string;
}

const DIGITS = 12;

/** Of all that figures depend on in an experiment's file; what it is called, and says, is not among that. */
export function definitionDigest(experiment: Experiment): string {
  const { report, defaults, rows, columns, sweep, baseline, averages, by, final } = experiment;
  const bare = (entries: Experiment['rows']) => entries?.map(({ reported: _, ...entry }) => entry);
  const { reported: _, ...values } = sweep ?? {};
  return digest([report, defaults, bare(rows), bare(columns), values, baseline, averages, by, final]);
}

/** Of the jobs of a table: of treebanks, options, and the code that they run. */
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

/** The tables that a page has between their marks, in its order. */
export function publishedTables(page: string): [name: string, marks: PublishedMarks][] {
  return [...page.matchAll(beginning)].map(([, name, definition, cells]) => [name, { definition, cells }]);
}

/** The page with another text for a table; throws `InputError` where it has no place for it. */
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
