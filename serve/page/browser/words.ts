/**
 * Whether words are sentences in a format of treebanks, not text. If so, their first line that is neither
 * blank nor a comment begins with the number of a token and a tab, with two brackets, or with a bracket and a
 * label in capitals.
 */
export function areSentences(words: string): boolean {
  const first = words.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^(\d+([-.]\d+)?\t|\s*\(\s*(\(|[A-Z$-]+\s*\())/.test(first);
}
