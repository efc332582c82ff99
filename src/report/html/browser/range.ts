/** Whether a bucket is what is asked for: `7`, `7-10`, `7-` (and more), or its name. */
export function isInBucket(bucket: string, asked: string): boolean {
  if (bucket === asked) return true;
  const [, from, to] = /^(\d+)-(\d*)$/.exec(asked) ?? [];
  return from !== undefined && Number(bucket) >= Number(from) && (to === '' || Number(bucket) <= Number(to));
}

/** Throws a `SyntaxError` for what no bucket can be asked for by. */
export function checkRange(asked: string): void {
  if (asked === '' || /^(\d+(-\d*)?|root|cycle)$/.test(asked)) return;
  throw new SyntaxError(`${asked} is neither a number, nor a range such as 7-10 or 7-, nor root or cycle`);
}
