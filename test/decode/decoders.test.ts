import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecoder, decoders } from '../../src/decode/registry.ts';
import { UsageError } from '../../src/errors.ts';
import {
  isProjective,
  isTree,
  rootCount,
  type ScoreMatrix,
  scoreMatrices,
  scoreValues,
  seededScores,
  treeScore,
  treesOf,
} from '../support/random-trees.ts';

const names = Object.keys(decoders);
const rootings = [{ singleRoot: false }, { singleRoot: true }];

function decode(name: string, singleRoot: boolean, { n, scores }: ScoreMatrix): Int32Array {
  const heads = new Int32Array(n + 1).fill(99);
  createDecoder(name, { singleRoot }).decode(scores, n, heads);
  return heads;
}

/** The highest score of the trees of one kind, by enumeration. */
function bestByEnumeration(matrix: ScoreMatrix, singleRoot: boolean, projective: boolean): number {
  let best = -Infinity;
  for (const heads of treesOf(matrix.n, singleRoot, projective)) {
    best = Math.max(best, treeScore(matrix, heads));
  }
  return best;
}

describe.each(rootings)('with singleRoot $singleRoot', ({ singleRoot }) => {
  it.each([
    ['chu-liu-edmonds', 'all trees', false],
    ['matrix-power', 'all trees', false],
    ['eisner', 'all projective trees', true],
  ])('%s finds the best of %s, on random graphs of up to 7 nodes', (name, _kind, projective) => {
    fc.assert(
      fc.property(scoreMatrices(1, 6), (matrix) => {
        const heads = decode(name, singleRoot, matrix);
        expect(isTree(heads, matrix.n)).toBe(true);
        if (projective) expect(isProjective(heads, matrix.n)).toBe(true);
        if (singleRoot) expect(rootCount(heads, matrix.n)).toBe(1);
        expect(treeScore(matrix, heads)).toBe(bestByEnumeration(matrix, singleRoot, projective));
      }),
      { numRuns: 300 },
    );
  });

  it.each(names)('%s gives a well-formed tree for sentences of any length', (name) => {
    // Matrix power takes n⁴ steps: seconds for 120 tokens.
    const longest = name === 'matrix-power' ? 50 : 120;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: longest }), fc.integer(), (n, seed) => {
        const heads = decode(name, singleRoot, seededScores(n, seed));
        expect(isTree(heads, n)).toBe(true);
        if (name === 'eisner') expect(isProjective(heads, n)).toBe(true);
        if (singleRoot) expect(rootCount(heads, n)).toBe(1);
      }),
      { numRuns: 8 },
    );
  });

  it('matrix-power and chu-liu-edmonds find trees of the same score', () => {
    fc.assert(
      fc.property(scoreMatrices(1, 40), (matrix) => {
        const naive = decode('matrix-power', singleRoot, matrix);
        const fast = decode('chu-liu-edmonds', singleRoot, matrix);
        expect(treeScore(matrix, fast)).toBe(treeScore(matrix, naive));
      }),
    );
  });

  it('matrix-power and chu-liu-edmonds agree on fractions up to rounding', () => {
    fc.assert(
      fc.property(scoreMatrices(1, 25, scoreValues.fractions), (matrix) => {
        const naive = decode('matrix-power', singleRoot, matrix);
        const fast = decode('chu-liu-edmonds', singleRoot, matrix);
        expect(treeScore(matrix, fast)).toBeCloseTo(treeScore(matrix, naive), 6);
      }),
    );
  });

  it('eisner reaches the score of chu-liu-edmonds if the best tree is projective', () => {
    fc.assert(
      fc.property(scoreMatrices(1, 5), (matrix) => {
        const best = decode('chu-liu-edmonds', singleRoot, matrix);
        const projective = decode('eisner', singleRoot, matrix);
        const gap = treeScore(matrix, best) - treeScore(matrix, projective);
        if (isProjective(best, matrix.n)) expect(gap).toBe(0);
        else expect(gap).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each(names)('%s gives a well-formed tree even if scores are not finite', (name) => {
    const broken = fc.constantFrom(Number.NaN, -Infinity, Infinity, 0, 1);
    fc.assert(
      fc.property(scoreMatrices(1, 12, broken), (matrix) => {
        const heads = decode(name, singleRoot, matrix);
        expect(isTree(heads, matrix.n)).toBe(true);
        if (singleRoot) expect(rootCount(heads, matrix.n)).toBe(1);
      }),
    );
  });

  it.each(names)('%s reads (n+1)² scores of a longer buffer, and changes none', (name) => {
    fc.assert(
      fc.property(scoreMatrices(1, 12), ({ n, scores }) => {
        const buffer = new Float32Array(scores.length + 50).fill(1e6);
        buffer.set(scores);
        const before = buffer.slice();
        expect(decode(name, singleRoot, { n, scores: buffer })).toEqual(
          decode(name, singleRoot, { n, scores }),
        );
        expect(buffer).toEqual(before);
      }),
    );
  });

  it.each(names)('%s gives the same tree whatever it decoded before', (name) => {
    fc.assert(
      fc.property(fc.array(scoreMatrices(1, 12), { minLength: 2, maxLength: 6 }), (matrices) => {
        const decoder = createDecoder(name, { singleRoot });
        for (const matrix of matrices) {
          const heads = new Int32Array(20);
          decoder.decode(matrix.scores, matrix.n, heads);
          expect(heads.slice(0, matrix.n + 1)).toEqual(decode(name, singleRoot, matrix));
        }
      }),
    );
  });

  it.each(names)('%s attaches a single token to the root, and accepts a sentence without tokens', (name) => {
    const nothing = Number.NaN;
    expect(
      decode(name, singleRoot, { n: 1, scores: Float32Array.of(nothing, -7, nothing, nothing) }),
    ).toEqual(Int32Array.of(-1, 0));
    expect(decode(name, singleRoot, { n: 0, scores: Float32Array.of(nothing) })).toEqual(Int32Array.of(-1));
  });

  it.each([
    ['chu-liu-edmonds', 2000],
    ['eisner', 500],
  ])('%s decodes %i tokens whose best heads form nested cycles', (name, n) => {
    const heads = decode(name, singleRoot, { n, scores: nestedCycles(n) });
    expect(isTree(heads, n)).toBe(true);
    if (singleRoot) expect(rootCount(heads, n)).toBe(1);
  });
});

/** Tokens 1 and 2 prefer each other, and every further token makes a cycle with all those before it. */
function nestedCycles(n: number): Float32Array {
  const scores = new Float32Array((n + 1) ** 2);
  for (let v = 2; v <= n; v++) {
    scores[(v - 1) * (n + 1) + v] = 3 * n - v;
    scores[v * (n + 1) + v - 1] = 3 * n - v;
  }
  return scores;
}

it('eisner reaches the score of the textbook recurrence over every split, on sentences of up to 30 tokens', () => {
  fc.assert(
    fc.property(scoreMatrices(1, 30), (matrix) => {
      expect(treeScore(matrix, decode('eisner', false, matrix))).toBe(textbookEisner(matrix));
    }),
  );
});

/** The score of the best projective tree (Eisner 1996): spans by width, each over all of its splits. */
function textbookEisner({ n, scores }: ScoreMatrix): number {
  const table = () => Array.from({ length: n + 1 }, () => Array(n + 1).fill(0));
  const [rightArc, leftArc, right, left] = [table(), table(), table(), table()];
  const best = (from: number, to: number, sum: (k: number) => number) =>
    Math.max(...Array.from({ length: to - from + 1 }, (_, k) => sum(from + k)));
  for (let width = 1; width <= n; width++) {
    for (let i = 0, j = width; j <= n; i++, j++) {
      const inside = best(i, j - 1, (k) => right[i]![k] + left[k + 1]![j]);
      rightArc[i]![j] = inside + scores[i * (n + 1) + j]!;
      leftArc[i]![j] = i === 0 ? -Infinity : inside + scores[j * (n + 1) + i]!;
      right[i]![j] = best(i + 1, j, (k) => rightArc[i]![k] + right[k]![j]);
      left[i]![j] = best(i, j - 1, (k) => left[i]![k] + leftArc[k]![j]);
    }
  }
  return right[0]![n];
}

it('chu-liu-edmonds finds the best single root, on graphs too large to enumerate', () => {
  fc.assert(
    fc.property(scoreMatrices(1, 30, scoreValues.whole), ({ n, scores }) => {
      let best = -Infinity;
      for (let root = 1; root <= n; root++) {
        const rooted = scores.map((score, at) => (at <= n && at !== root ? -1e8 : score));
        const heads = decode('chu-liu-edmonds', false, { n, scores: rooted });
        if (rootCount(heads, n) === 1) best = Math.max(best, treeScore({ n, scores }, heads));
      }
      const heads = decode('chu-liu-edmonds', true, { n, scores });
      expect(treeScore({ n, scores }, heads)).toBe(best);
    }),
  );
});

it.each([
  ['chu-liu-edmonds', false, [-1, 0, 0, 0, 0, 0]],
  ['matrix-power', false, [-1, 0, 0, 0, 0, 0]],
  ['eisner', false, [-1, 0, 1, 2, 3, 4]],
  ['eisner', true, [-1, 0, 1, 2, 3, 4]],
])('%s with singleRoot %s breaks ties in its fixed order', (name, singleRoot, heads) => {
  const n = 5;
  expect(decode(name, singleRoot, { n, scores: new Float32Array((n + 1) ** 2) })).toEqual(
    Int32Array.from(heads),
  );
});

describe('chu-liu-edmonds takes the first of equal heads', () => {
  const scored = (
    n: number,
    arcs: readonly (readonly [head: number, dependent: number, score: number])[],
  ) => {
    const scores = new Float32Array((n + 1) ** 2);
    for (const [head, dependent, score] of arcs) scores[head * (n + 1) + dependent] = score;
    return { n, scores };
  };

  it('if the best heads form a tree at once', () => {
    const matrix = scored(3, [
      [0, 1, 5],
      [1, 2, 3],
      [3, 2, 3],
      [1, 3, 4],
    ]);
    expect([...decode('chu-liu-edmonds', false, matrix)]).toEqual([-1, 0, 1, 1]);
  });

  it('if the equal heads lead into a contracted cycle', () => {
    const matrix = scored(3, [
      [1, 2, 10],
      [2, 1, 10],
      [0, 1, 5],
      [3, 1, 5],
      [0, 3, 4],
    ]);
    expect([...decode('chu-liu-edmonds', false, matrix)]).toEqual([-1, 0, 1, 0]);
  });
});

it('unknown decoders and options are refused with the known ones', () => {
  expect(() => createDecoder('chu-liu', { singleRoot: true })).toThrow(
    new UsageError('no decoder "chu-liu", expected one of chu-liu-edmonds, eisner, matrix-power'),
  );
  expect(() => createDecoder('constructor', { singleRoot: true })).toThrow(UsageError);
  const misspelt = { singleRoot: true, singelRoot: true };
  expect(() => createDecoder('eisner', misspelt)).toThrow(
    new UsageError('createDecoder has no option singelRoot, expected some of singleRoot'),
  );
});
