import { projectivize } from '../treebank/projectivize.ts';
import { type Example, sentences } from './examples.ts';

/** The examples with every tree made projective, for a parser that can build no others. */
export function projectiveExamples(
  examples: readonly Example[],
  onNotice: ((notice: string) => void) | undefined,
): Example[] {
  let lifted = 0;
  let arcs = 0;
  const all = examples.map((example) => {
    const heads = example.heads.slice();
    const count = projectivize(heads);
    if (count > 0) lifted++;
    arcs += count;
    return { ...example, heads };
  });
  if (lifted > 0) {
    onNotice?.(
      `${sentences(lifted)} made projective for training by moving ${arcs === 1 ? '1 arc' : `${arcs} arcs`} up`,
    );
  }
  return all;
}
