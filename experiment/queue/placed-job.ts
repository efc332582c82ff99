import type { Job, Selection } from '../jobs/job.ts';

/** Sentences of one file. */
export type FileSelection = Omit<Selection, 'followedBy'>;

/** The files that a job reads, and which sentences of these. */
export function filesOf(job: Job): FileSelection[] {
  const all: FileSelection[] = [];
  placed(job, (file) => {
    all.push(file);
    return file;
  });
  return all;
}

/** The same job with its files elsewhere; the order of its keys, on which its name depends, stays. */
export function placed(job: Job, placeFile: (file: FileSelection) => FileSelection): Job {
  const place = ({ followedBy, ...file }: Selection): Selection => ({
    ...placeFile(file),
    ...(followedBy && { followedBy: placeFile(followedBy) }),
  });
  const test = place(job.test);
  if (job.kind === 'tagging') return { ...job, test, learn: place(job.learn) };
  if (job.kind === 'file') return { ...job, test, trees: place(job.trees) };
  if (job.kind === 'vote') {
    const { setAside } = job;
    return { ...job, test, ...(setAside && { setAside: { ...setAside, test: place(setAside.test) } }) };
  }
  const { train, heldOut, tags } = job;
  const learn = tags?.learn && place(tags.learn);
  const read = { test, train: place(train), ...(heldOut && { heldOut: place(heldOut) }) };
  return { ...job, ...read, ...(tags && { tags: { ...tags, ...(learn && { learn }) } }) };
}
