/**
 * Options of which each is given once, the last time that it stands there: for the defaults of a test, and what a
 * case has in their place, as the command line refuses an option of one value that is given twice.
 */
export function lastOf(...words: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  let group: string[] = [];
  for (const word of words) {
    if (word.startsWith('--') || groups.size === 0) {
      group = [];
      groups.delete(word);
      groups.set(word, group);
    }
    group.push(word);
  }
  return [...groups.values()].flat();
}
