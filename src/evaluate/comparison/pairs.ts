/** Every pair of so many parsers: (0, 1), (0, 2), …, (1, 2), … */
export function pairsOf(parsers: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < parsers; a++) for (let b = a + 1; b < parsers; b++) pairs.push([a, b]);
  return pairs;
}
