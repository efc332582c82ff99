import { pairCount } from './pairs.ts';

/**
 * How several classes are told apart: by one binary problem a class; by one a pair of classes, between the examples of these
 * two; or in one problem (Crammer & Singer 2001; its loss is `l1`).
 */
export const svmMulticlass = ['one-vs-rest', 'pairwise', 'crammer-singer'] as const;
export type SvmMulticlass = (typeof svmMulticlass)[number];

/** How many weights a feature has. */
export function columnsOf({
  multiclass,
  classes,
}: {
  readonly multiclass?: SvmMulticlass | undefined;
  readonly classes: number;
}): number {
  return multiclass === 'pairwise' ? pairCount(classes) : classes;
}
