import type { DependencyTree } from '../../treebank/sentence.ts';
import { ELSEWHERE, NOT_THERE } from '../alignment/counterpart.ts';
import type { ArcKind } from './comparison.ts';

/**
 * Of which kind the arc to word d of a tree is.
 *
 * @param tagOf gold's tag of each word
 * @param labelled whether gold has labels: without, arcs have none
 */
export function arcKind(
  { heads, labels }: DependencyTree,
  d: number,
  tagOf: (d: number) => string,
  labelled: boolean,
): ArcKind {
  const label = labelled ? labels[d] : '_';
  const h = heads[d];
  if (h === 0) return { label, head: 'root' };
  if (h === NOT_THERE) return { label: '', head: 'missing' };
  if (h === ELSEWHERE) return { label, head: 'elsewhere' };
  return { label, head: h < d ? 'left' : 'right', headTag: tagOf(h) };
}
