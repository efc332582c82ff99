import type { Sentence } from '../../treebank/sentence.ts';

/** The tag by which errors are sorted: UPOS, or XPOS where there is none. */
export function tagOf({ upos, xpos }: Sentence, d: number): string {
  return upos[d] === '_' ? xpos[d] : upos[d];
}
