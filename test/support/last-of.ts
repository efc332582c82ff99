/**
 * The options, each only with its last values. A test can thus append options to its defaults, although the command
 * line refuses an option of one value that is given twice.
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
