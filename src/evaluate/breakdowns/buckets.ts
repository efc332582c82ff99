import type { DependencyTree, Sentence } from '../../treebank/sentence.ts';
import { headsFirst, nonProjectiveArcs } from '../../treebank/tree.ts';

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
/** Returns the bucket of token d's arc. */
export type Buckets = (d: number) => string;
/** Prepares the buckets of a tree's arcs; `tagOf` returns gold tags. */
export type Bucketing = (tree: DependencyTree, tagOf: (d: number) => string) => Buckets;

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
    const depth = depths(heads);
    return (d) => (depth[d] === -1 ? 'cycle' : String(depth[d]));
  },
  projective: ({ heads }) => {
    const nonProjective = new Set(nonProjectiveArcs(heads));
    const depth = depths(heads);
    return (d) => (depth[d] === -1 ? 'cycle' : nonProjective.has(d) ? 'non-projective' : 'projective');
  },
};

const numeric: ReadonlySet<BreakdownName> = new Set(['children', 'distance', 'length', 'depth']);
/** Whether the buckets are numbers, apart from `root` and `cycle`. */
export const isNumeric = (name: BreakdownName): boolean => numeric.has(name);

/** Orders numeric buckets: `root` first, then by rising numbers, then `cycle`. */
export function bucketRank(bucket: string): number {
  if (bucket === 'root') return -1;
  return bucket === 'cycle' ? Number.MAX_VALUE : Number.parseInt(bucket, 10);
}

/** The bucket of a sentence with n tokens: `1-10`, `11-20`, … */
export function lengthBucket(n: number): string {
  const first = Math.floor((n - 1) / 10) * 10 + 1;
  return `${first}-${first + 9}`;
}

/** Depth of each token: 1 for a root, −1 on or below a cycle. Heads are in 0…n. */
export function depths(heads: Int32Array): Int32Array {
  const depth = new Int32Array(heads.length).fill(-1);
  depth[0] = 0;
  for (const d of headsFirst(heads)) depth[d] = depth[heads[d]] + 1;
  return depth;
}

/** The tag used to group errors: UPOS, or XPOS if there is none. */
export const tagOf = ({ upos, xpos }: Sentence, d: number): string => (upos[d] === '_' ? xpos[d] : upos[d]);
