import type { Selection } from './job.ts';

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
  const filesOf = ({ followedBy, ...own }: Selection) => [
    own,
    ...(followedBy === undefined ? [] : [followedBy]),
  ];
  return filesOf(a).some((x) =>
    filesOf(b).some((y) => x.digest === y.digest && x.from < y.to && y.from < x.to),
  );
}
