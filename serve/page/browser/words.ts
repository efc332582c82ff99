/**
 * Whether words are sentences in a format of treebanks, not text: their first line that is neither blank nor a comment
 * begins with the number of a token and a tab, or with two brackets or a bracket and a label in capitals.
 */
export function areSentences(words: string): boolean {
  const first = words.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^(\d+([-.]\d+)?\t|\s*\(\s*(\(|[A-Z$-]+\s*\())/.test(first);
}
