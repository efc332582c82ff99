import type { ArcKind } from '../../evaluate/comparison/comparison.ts';

/** `obl of VERB, left`: label, tag of the head, and on which side the head is. */
export function arcText({ label, headTag, head }: ArcKind): string {
  if (head === 'missing') return 'no such word';
  if (head === 'elsewhere') return `${label} of a word elsewhere`;
  return head === 'root' ? `${label} of the root` : `${label} of ${headTag}, ${head}`;
}
