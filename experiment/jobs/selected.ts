import type { Job, Selection } from './job.ts';

/** How many sentences a selection has, before those are left out that are too long. */
export function countOf({ from, to, followedBy }: Selection): number {
  return to - from + (followedBy === undefined ? 0 : countOf(followedBy));
}

/** The sentences of one selection, and after them those of another; each of one file. */
export function followed(first: Selection, second: Selection): Selection {
  return { ...first, followedBy: second };
}

/** The first so many sentences of a selection, which are at most all. */
export function firstOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined || count <= here) return { ...own, to: own.from + count };
  return followed(own, firstOf(followedBy, count - here));
}

/** The sentences after the first so many. */
export function restOf({ followedBy, ...own }: Selection, count: number): Selection {
  const here = own.to - own.from;
  if (followedBy === undefined) return { ...own, from: own.from + count };
  return count >= here
    ? restOf(followedBy, count - here)
    : followed({ ...own, from: own.from + count }, followedBy);
}

/** Whether some sentence is in both. */
export function overlap(a: Selection, b: Selection): boolean {
  return inFiles(a).some((x) =>
    inFiles(b).some((y) => x.digest === y.digest && x.from < y.to && y.from < x.to),
  );
}

/** The sentences that a job reads, file by file; but for those that other jobs leave in the cache. */
export function readBy(job: Job): Selection[] {
  const named = [job.test, ...besideTest(job)];
  return named.flatMap((selection) => (selection === undefined ? [] : inFiles(selection)));
}

function besideTest(job: Job): (Selection | undefined)[] {
  switch (job.kind) {
    case 'parser':
      return [job.train, job.heldOut, job.tags?.learn];
    case 'tagging':
      return [job.learn];
    case 'vote':
      return [job.setAside?.test];
    case 'file':
      return [job.trees];
  }
}

function inFiles({ followedBy, ...own }: Selection): Selection[] {
  return [own, ...(followedBy === undefined ? [] : [followedBy])];
}
