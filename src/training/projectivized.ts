import { projectivize } from '../treebank/projectivize.ts';
import { type Example, sentences } from './examples.ts';
import type { TrainingRun } from './training-run.ts';

/** The examples with every tree made projective; the run is told how many were not. */
export function projectivized(examples: readonly Example[], run: TrainingRun): Example[] {
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
    run.onNotice?.(
      `${sentences(lifted)} made projective for training by moving ${arcs === 1 ? '1 arc' : `${arcs} arcs`} up`,
    );
  }
  return all;
}
