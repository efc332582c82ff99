import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arcPath, arrowPath, type LayoutOptions, layOutTrees } from '../../../src/report/trees/arc-layout.ts';
import type { DependencyTree } from '../../../src/treebank/sentence.ts';
import { randomHeads } from '../../support/random-trees.ts';

const characterWidth = 7;
const labelWidth = (label: string) => label.length * characterWidth;

function options(n: number, changes: Partial<LayoutOptions> = {}): LayoutOptions {
  const widths = Array.from({ length: n + 1 }, (_, d) => 10 + 13 * (d % 3));
  return { widths, labelWidth, ...changes };
}

function tree(heads: ArrayLike<number>, label = (d: number) => 'x'.repeat(1 + (d % 12))): DependencyTree {
  return { heads: Int32Array.from(heads), labels: Array.from(heads, (_, d) => label(d)) };
}

/** Two trees of one sentence. */
const pairs = fc
  .integer({ min: 1, max: 25 })
  .chain((n) => fc.tuple(randomHeads(n, n), randomHeads(n, n)))
  .map((heads) => heads.map((each) => tree(each)));

describe('layOutTrees', () => {
  it('leaves room for every label of every tree between the ends of its arc', () => {
    fc.assert(
      fc.property(pairs, (trees) => {
        const { trees: placed } = layOutTrees(trees, options(trees[0].labels.length - 1));
        for (const { isRoot, x1, x2, label } of placed.flatMap(({ arcs }) => arcs)) {
          if (!isRoot) expect(x2 - x1).toBeGreaterThanOrEqual(labelWidth(label));
        }
      }),
    );
  });

  it('puts the words of all trees at the same places, in order and without overlap', () => {
    fc.assert(
      fc.property(pairs, (trees) => {
        const n = trees[0].labels.length - 1;
        const { widths } = options(n);
        const { x, width } = layOutTrees(trees, options(n));
        for (let d = 2; d <= n; d++) {
          expect(x[d] - x[d - 1]).toBeGreaterThan((widths[d - 1] + widths[d]) / 2);
        }
        expect(x[1]).toBeGreaterThan(widths[1] / 2);
        expect(x[n] + widths[n] / 2).toBeLessThan(width);
      }),
    );
  });

  it('ends each arc at its two words, with the arrow at the dependent, above the ground of its tree', () => {
    fc.assert(
      fc.property(pairs, (trees) => {
        const n = trees[0].labels.length - 1;
        const { widths } = options(n);
        const { x, trees: placed } = layOutTrees(trees, options(n));
        /** Whether a place is at a word rather than at one of its neighbours. */
        const isAt = (d: number, at: number) =>
          (d === 1 || at > x[d - 1] + widths[d - 1] / 2) && (d === n || at < x[d + 1] - widths[d + 1] / 2);
        placed.forEach(({ arcs, ground }, i) => {
          for (const { dependent, isRoot, x1, x2, y, arrowX } of arcs) {
            const h = trees[i].heads[dependent];
            expect(isRoot).toBe(h === 0);
            expect(isAt(dependent, arrowX)).toBe(true);
            expect(isAt(isRoot ? dependent : h, arrowX === x1 ? x2 : x1)).toBe(true);
            expect(y).toBeLessThan(ground);
            expect(y).toBeGreaterThan(0);
          }
        });
      }),
    );
  });

  it('moves words and labels until no end of another arc crosses a label', () => {
    fc.assert(
      fc.property(pairs, (trees) => {
        const n = trees[0].labels.length - 1;
        const { trees: placed } = layOutTrees(trees, options(n));
        for (const { arcs } of placed) {
          for (const { label, labelX, y, isRoot } of arcs) {
            const half = options(n).labelWidth(label) / 2;
            const crosses = (other: (typeof arcs)[number]) =>
              other.y < y && [other.x1, other.x2].some((x) => Math.abs(x - labelX) < half);
            expect(isRoot || !arcs.some(crosses)).toBe(true);
          }
        }
      }),
    );
  });

  it('keeps the whole label of a root with many dependents in the picture, at either end of a sentence', () => {
    const label = 'parataxis';
    const first = tree([-1, 0, 1, 1, 1, 1, 1], () => label);
    const last = tree([-1, 6, 6, 6, 6, 6, 0], () => label);
    const { width, trees } = layOutTrees([first, last], options(6));
    for (const { labelX } of trees.flatMap(({ arcs }) => arcs)) {
      expect(labelX - labelWidth(label) / 2).toBeGreaterThan(0);
      expect(labelX + labelWidth(label) / 2).toBeLessThan(width);
    }
  });

  it('lays out right-to-left trees as mirror images', () => {
    fc.assert(
      fc.property(pairs, (trees) => {
        const n = trees[0].labels.length - 1;
        const plain = layOutTrees(trees, options(n));
        const mirror = layOutTrees(trees, options(n, { rightToLeft: true }));
        expect(mirror.width).toBe(plain.width);
        for (let d = 1; d <= n; d++) expect(mirror.x[d]).toBeCloseTo(plain.width - plain.x[d]);
        mirror.trees.forEach(({ arcs, ground }, i) => {
          expect(ground).toBe(plain.trees[i].ground);
          arcs.forEach((arc, k) => {
            const other = plain.trees[i].arcs[k];
            expect(arc.x1).toBeCloseTo(plain.width - other.x2);
            expect(arc.x2).toBeCloseTo(plain.width - other.x1);
            expect(arc.labelX).toBeCloseTo(plain.width - other.labelX);
            expect(arc.arrowX).toBeCloseTo(plain.width - other.arrowX);
            expect(arc.x1).toBeLessThanOrEqual(arc.x2);
          });
        });
      }),
    );
  });

  it('draws no arc for a token without a head or with itself as its head, and accepts an empty sentence', () => {
    const { trees } = layOutTrees([tree([-1, -1, 2, 0])], options(3));
    expect(trees[0].arcs.map(({ dependent }) => dependent)).toEqual([3]);
    expect(layOutTrees([tree([-1])], options(0)).trees[0].arcs).toEqual([]);
  });
});

describe('arcPath', () => {
  const arc = { dependent: 1, label: '', isRoot: false, x1: 10, x2: 50, y: 20, arrowX: 10, labelX: 30 };

  it('goes up, across and down, and leaves room for the arrow at the dependent', () => {
    expect(arcPath(arc, 60)).toBe('M10,53V28Q10,20 18,20H42Q50,20 50,28V60');
    expect(arcPath({ ...arc, arrowX: 50 }, 60)).toBe('M10,60V28Q10,20 18,20H42Q50,20 50,28V53');
    expect(arrowPath(arc, 60)).toBe('M10,60l-3.5,-7h7z');
  });

  it('comes from above for the root', () => {
    expect(arcPath({ ...arc, isRoot: true, x2: 10 }, 60)).toBe('M10,20V53');
  });
});
