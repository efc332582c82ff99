import type { DependencyTree } from '../../treebank/sentence.ts';
import { nonProjectiveArcs } from '../../treebank/tree.ts';
import { depths } from './depths.ts';

export const breakdownNames = [
  'label',
  'tag',
  'head-tag',
  'children',
  'distance',
  'length',
  'depth',
  'projective',
] as const;
export type BreakdownName = (typeof breakdownNames)[number];

/** Tells the bucket of the arc of each word. */
export type Buckets = (d: number) => string;

/** Tells the buckets of the arcs of one tree, by their dependents; tags are always gold's. */
export type Bucketing = (tree: DependencyTree, tagOf: (d: number) => string) => Buckets;

/** What `Breakdown` tells of each. */
export const bucketings: Record<BreakdownName, Bucketing> = {
  label:
    ({ labels }) =>
    (d) =>
      labels[d],
  tag: (_, tagOf) => tagOf,
  'head-tag':
    ({ heads }, tagOf) =>
    (d) =>
      heads[d] === 0 ? 'root' : tagOf(heads[d]),
  children: ({ heads }) => {
    const children = new Int32Array(heads.length);
    for (let d = 1; d < heads.length; d++) children[heads[d]]++;
    return (d) => String(children[d]);
  },
  distance:
    ({ heads }) =>
    (d) =>
      heads[d] === 0 ? 'root' : String(Math.abs(heads[d] - d)),
  length: ({ heads }) => {
    const bucket = lengthBucket(heads.length - 1);
    return () => bucket;
  },
  depth: ({ heads }) => {
    const depth = depths(heads, heads.length - 1);
    return (d) => (depth[d] === -1 ? 'cycle' : String(depth[d]));
  },
  projective: ({ heads }) => {
    const nonProjective = new Set(nonProjectiveArcs(heads));
    return (d) => (nonProjective.has(d) ? 'non-projective' : 'projective');
  },
};

const numeric: ReadonlySet<BreakdownName> = new Set(['children', 'distance', 'length', 'depth']);

/** Whether a breakdown's buckets are numbers, `root` and `cycle` apart. */
export function isNumeric(name: BreakdownName): boolean {
  return numeric.has(name);
}

/** `1-10`, `11-20`, … */
export function lengthBucket(n: number): string {
  const first = Math.floor((n - 1) / 10) * 10 + 1;
  return `${first}-${first + 9}`;
}
