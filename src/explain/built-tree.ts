import type { ExplainedTree } from './shared.ts';

/** The tree that a search came to. */
export function builtTree({
  tree,
  built = tree,
}: {
  readonly tree: ExplainedTree;
  readonly built?: ExplainedTree | undefined;
}): ExplainedTree {
  return built;
}
