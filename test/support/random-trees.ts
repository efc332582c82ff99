import fc from 'fast-check';

/** A score matrix of n tokens, in the form that decoders take. */
export interface ScoreMatrix {
  readonly n: number;
  readonly scores: Float32Array;
}

/** The possible scores: few values with many ties, whole numbers from minus to plus a million, or any fraction. */
export const scoreValues = {
  tied: fc.integer({ min: -2, max: 2 }),
  whole: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fractions: fc.float({ min: -1000, max: 1000, noNaN: true }),
};

/** Score matrices of min…max tokens; the cells that no decoder may read hold NaN. */
export function scoreMatrices(
  min: number,
  max: number,
  values: fc.Arbitrary<number> = fc.oneof(scoreValues.tied, scoreValues.whole),
): fc.Arbitrary<ScoreMatrix> {
  return fc.integer({ min, max }).chain((n) =>
    fc
      .array(values, { minLength: (n + 1) ** 2, maxLength: (n + 1) ** 2 })
      .map((cells) => ({ n, scores: Float32Array.from(cells) }))
      .map((matrix) => hideUnread(matrix)),
  );
}

/** A large score matrix from a seed, drawn faster than fast-check draws cells one by one. */
export function seededScores(n: number, seed: number): ScoreMatrix {
  let state = seed | 0;
  const scores = Float32Array.from({ length: (n + 1) ** 2 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state >> 12;
  });
  return hideUnread({ n, scores });
}

function hideUnread({ n, scores }: ScoreMatrix): ScoreMatrix {
  for (let v = 0; v <= n; v++) {
    scores[v * (n + 1)] = Number.NaN;
    scores[v * (n + 1) + v] = Number.NaN;
  }
  return { n, scores };
}

/**
 * Heads of trees of min…max tokens: the head of each token is the root or a token before it in a random order.
 */
export function randomHeads(min: number, max: number): fc.Arbitrary<Int32Array> {
  return fc.integer({ min, max }).chain((n) =>
    fc
      .tuple(
        fc.shuffledSubarray(
          Array.from({ length: n }, (_, i) => i + 1),
          { minLength: n },
        ),
        fc.array(fc.nat(), { minLength: n, maxLength: n }),
      )
      .map(([order, draws]) => {
        const heads = new Int32Array(n + 1).fill(-1);
        order.forEach((d, i) => {
          heads[d] = [0, ...order.slice(0, i)][draws[i]! % (i + 1)]!;
        });
        return heads;
      }),
  );
}

/** Enumerates all (n+1)^(n−1) trees over n ≤ 6 tokens. */
export function allTrees(n: number): Int32Array[] {
  let trees = enumerated.get(n);
  if (trees === undefined) {
    trees = [];
    for (let code = 0; code < (n + 1) ** n; code++) {
      const heads = new Int32Array(n + 1).fill(-1);
      for (let d = 1, rest = code; d <= n; d++, rest = Math.floor(rest / (n + 1))) heads[d] = rest % (n + 1);
      if (isTree(heads, n)) trees.push(heads);
    }
    enumerated.set(n, trees);
  }
  return trees;
}
const enumerated = new Map<number, Int32Array[]>();

/** All trees of one kind over n ≤ 6 tokens. */
export function treesOf(n: number, singleRoot: boolean, projective: boolean): Int32Array[] {
  const kind = `${n} ${singleRoot} ${projective}`;
  const trees =
    ofKind.get(kind) ??
    allTrees(n).filter(
      (heads) => (!singleRoot || rootCount(heads, n) === 1) && (!projective || isProjective(heads, n)),
    );
  ofKind.set(kind, trees);
  return trees;
}
const ofKind = new Map<string, Int32Array[]>();

/** Whether every token reaches the root, and the root has no head. */
export function isTree(heads: Int32Array, n: number): boolean {
  if (heads[0] !== -1) return false;
  for (let d = 1; d <= n; d++) {
    let v = d;
    for (let steps = 0; v !== 0; steps++) {
      v = heads[v]!;
      if (steps > n || !(v >= 0 && v <= n)) return false;
    }
  }
  return true;
}

/** Whether no two arcs cross, arcs from the artificial root on the left included. */
export function isProjective(heads: Int32Array, n: number): boolean {
  for (let d = 1; d <= n; d++) {
    const from = Math.min(heads[d]!, d);
    const to = Math.max(heads[d]!, d);
    for (let e = from + 1; e < to; e++) {
      if (heads[e]! < from || heads[e]! > to) return false;
    }
  }
  return true;
}

export function rootCount(heads: Int32Array, n: number): number {
  return heads.subarray(1, n + 1).filter((h) => h === 0).length;
}

/** The sum of the scores of a tree's arcs, in double precision. */
export function treeScore({ n, scores }: ScoreMatrix, heads: Int32Array): number {
  let sum = 0;
  for (let d = 1; d <= n; d++) sum += scores[heads[d]! * (n + 1) + d]!;
  return sum;
}

/** Every projective tree over n ≤ 7 tokens, arcs from the root included. */
export function projectiveTrees(n: number): Int32Array[] {
  let trees = enumeratedProjective.get(n);
  if (trees === undefined) {
    trees = [];
    const heads = new Int32Array(n + 1).fill(-1);
    attach(heads, 1, n, trees);
    enumeratedProjective.set(n, trees);
  }
  return trees;
}
const enumeratedProjective = new Map<number, Int32Array[]>();

/** Tries all heads for tokens d…n that cross no arc of the tokens before them. */
function attach(heads: Int32Array, d: number, n: number, trees: Int32Array[]): void {
  if (d > n) {
    if (isTree(heads, n) && isProjective(heads, n)) trees.push(heads.slice());
    return;
  }
  for (let h = 0; h <= n; h++) {
    if (h === d || crossesEarlier(heads, h, d)) continue;
    heads[d] = h;
    attach(heads, d + 1, n, trees);
  }
}

function crossesEarlier(heads: Int32Array, h: number, d: number): boolean {
  const inside = (v: number) => v > Math.min(h, d) && v < Math.max(h, d);
  const outside = (v: number) => v < Math.min(h, d) || v > Math.max(h, d);
  for (let e = 1; e < d; e++) {
    if ((inside(e) && outside(heads[e]!)) || (outside(e) && inside(heads[e]!))) return true;
  }
  return false;
}
