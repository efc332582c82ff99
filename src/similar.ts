/** Suggests the most similar known name: ` (Did you mean transition?)`, or an empty text if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [best] = known
    .map((each) => ({ each, edits: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= 2 && 2 * edits < each.length)
    .sort((a, b) => a.edits - b.edits);
  return best === undefined ? '' : ` (Did you mean ${best.each}?)`;
}

/** Levenshtein distance, in which two neighbouring letters in the wrong order are one edit. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [row, next] = [rows[i - 1], [i]];
    rows.push(next);
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) next[j] = Math.min(next[j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}
