/** Suggests the most similar known name: ` (Did you mean transition?)`, or an empty text if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [best] = known
    .map((each) => ({ each, edits: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= 2 && 2 * edits < each.length)
    .sort((a, b) => a.edits - b.edits);
  return best === undefined ? '' : ` (Did you mean ${best.each}?)`;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
