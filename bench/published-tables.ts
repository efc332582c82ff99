import { figureNames, figures } from '../experiment/cells/figures.ts';
import type { Experiment } from '../experiment/definition/experiment.ts';
import type { Plan } from '../experiment/definition/plan.ts';
import { withoutPaths } from '../experiment/jobs/job.ts';
import { jsonDigest } from '../src/digest.ts';
import { InputError } from '../src/errors.ts';

/**
 * Digests that tell whether a table of docs/results.md is up to date, in the comment before the table.
 */
export interface PublishedMarks {
  readonly definition: string;
  /** Digest of treebanks and options (see `cellsDigest`); `none`: no figures yet. */
  readonly cells: string;
  /** Digest of the code that the cells run; `earlier`: unknown, the figures are older than these marks. */
  readonly code: string;
}

const DIGITS = 12;

/** Digest of everything in an experiment file that its table depends on, without titles and descriptions. */
export function definitionDigest(experiment: Experiment): string {
  const { report, defaults, rows, columns, sweep, baseline, averages, by, final } = experiment;
  const bare = (entries: Experiment['rows']) => entries?.map(({ reported: _, ...entry }) => entry);
  const { reported: _, ...values } = sweep ?? {};
  return digest([report, defaults, bare(rows), bare(columns), values, baseline, averages, by, final]);
}

/** Digest of a table's jobs: treebanks and options, not the code. */
export function cellsDigest({ jobs }: Plan): string {
  const known = new Map<string, string>();
  const codeless = (name: string): string => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const withoutCode = (key: string, value: unknown) =>
      key === 'program' ? undefined : withoutPaths(key, value);
    const text = JSON.stringify(jobs.get(name), withoutCode);
    const own = digest(text.replace(/[0-9a-f]{64}/g, (hash) => (jobs.has(hash) ? codeless(hash) : hash)));
    known.set(name, own);
    return own;
  };
  return digest([...jobs.keys()].map(codeless).sort());
}

/** Digest of the code that a table's jobs can reach, and of the package's version. */
export function codeDigest({ jobs }: Plan): string {
  const programs = [...jobs.values()].flatMap((job) =>
    'tags' in job && job.tags !== undefined ? [job.program, job.tags.program] : [job.program],
  );
  return digest([...new Set(programs.map(({ version, code }) => `${version} ${code}`))].sort());
}

const digest = (data: unknown): string => jsonDigest(data).slice(0, DIGITS);

const beginning = /^<!-- table ([\w-]+): definition (\w+), cells (\w+), code (\w+) -->$/gm;
const beginOf = (name: string, { definition, cells, code }: PublishedMarks) =>
  `<!-- table ${name}: definition ${definition}, cells ${cells}, code ${code} -->`;
const endOf = (name: string) => `<!-- end of ${name} -->`;

export function publishedTables(page: string): [name: string, marks: PublishedMarks][] {
  const found = [...page.matchAll(beginning)];
  return found.map(([, name, definition, cells, code]) => [name, { definition, cells, code }]);
}

export function publishedText(page: string, name: string): string {
  const begin = [...page.matchAll(beginning)].find((match) => match[1] === name)!;
  return page.slice(begin.index + begin[0].length, page.indexOf(endOf(name))).trim();
}

const measured = figureNames
  .filter((name) => figures[name].kind === 'measured')
  .map((name) => figures[name].title);

/** The figures of a table in Markdown, row by row, without measurements, which vary between runs. */
export function lastingFigures(text: string): string[] {
  const rows: string[] = [];
  let isMeasured = false;
  let kept: readonly number[] | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('#### ')) isMeasured = measured.some((title) => line.includes(title));
    if (!line.startsWith('|')) kept = undefined;
    else if (!isMeasured) {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/(?<=\d),(?=\d{3})/g, ''));
      // The header is not compared: its wording may have changed.
      if (kept === undefined)
        kept = [...cells.keys()].filter((i) => !measured.some((title) => cells[i].endsWith(title)));
      else rows.push(kept.map((i) => cells[i]).join(' | '));
    }
  }
  return rows.filter((row) => !/^[-: |]+$/.test(row));
}

/** Replaces a table on a page; throws `InputError` if the page has no marks for it. */
export function withPublished(page: string, name: string, marks: PublishedMarks, text: string): string {
  const begin = [...page.matchAll(beginning)].find((match) => match[1] === name);
  const end = page.indexOf(`${endOf(name)}\n`);
  const expected = `${beginOf(name, marks)} and ${endOf(name)}`;
  if (begin === undefined || end < begin.index)
    throw new InputError(`no place for the table ${name}: expected ${expected}`);
  return `${page.slice(0, begin.index)}${beginOf(name, marks)}\n\n${text.trim()}\n\n${page.slice(end)}`;
}
