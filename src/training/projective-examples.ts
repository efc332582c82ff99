import { type Lifting, type LiftingScheme, NO_RELATION } from '../encoding/lifted-labels.ts';
import { OptionError } from '../errors.ts';
import { numberIn } from '../number-in.ts';
import { projectivize } from '../treebank/tree.ts';
import { type EncodedTreebank, type Example, sentences } from './examples.ts';
import type { TrainingRun } from './training-run.ts';

export interface BuildableData {
  readonly examples: readonly Example[];
  /** The labels of the treebank, then those that encode lifted arcs. */
  readonly labels: readonly string[];
  /** Absent: lifted arcs keep their labels and stay lifted. */
  readonly lifting?: Lifting | undefined;
}

interface LiftedTree {
  readonly example: Example;
  readonly heads: Int32Array;
  /** Words over whose arcs other arcs were lifted. */
  readonly passed: ReadonlySet<number>;
}

/** Makes examples projective for parsers that need it; throws `OptionError` for a lifting scheme with other parsers. */
export function buildableExamples(
  encoded: Pick<EncodedTreebank, 'examples' | 'labels'>,
  isProjective: boolean,
  { pseudoProjective }: { readonly pseudoProjective: LiftingScheme | 'none' },
  { onNotice }: Pick<TrainingRun, 'onNotice'>,
): BuildableData {
  if (isProjective) return projectiveExamples(encoded, pseudoProjective, onNotice);
  if (pseudoProjective === 'none') return encoded;
  throw new OptionError(
    (option) =>
      `${option('pseudoProjective', pseudoProjective)} goes with parsers that build projective trees only`,
  );
}

/** Makes examples projective; `scheme`: how labels encode lifting (Nivre & Nilsson 2005, P05-1013). */
export function projectiveExamples(
  { examples, labels }: Pick<EncodedTreebank, 'examples' | 'labels'>,
  scheme: LiftingScheme | 'none',
  onNotice: TrainingRun['onNotice'],
): BuildableData {
  let lifted = 0;
  let arcs = 0;
  const trees = examples.map((example): LiftedTree => {
    const heads = example.heads.slice();
    const passed = new Set<number>();
    const count = projectivize(heads, (_, head) => passed.add(head));
    if (count > 0) lifted++;
    arcs += count;
    return { example, heads, passed };
  });
  if (lifted > 0) {
    onNotice?.(
      `${sentences(lifted)} made projective for training by moving ${arcs === 1 ? '1 arc' : `${arcs} arcs`} up`,
    );
  }
  if (scheme === 'none')
    return { examples: trees.map(({ example, heads }) => ({ ...example, heads })), labels };
  const liftedLabels = new LiftedLabels(scheme, labels);
  const labelled = trees.map((tree) => ({
    ...tree.example,
    heads: tree.heads,
    labels: liftedLabels.labelsOf(tree),
  }));
  const { numbers, lifting } = liftedLabels;
  return { examples: labelled, labels: [...labels, ...numbers.keys()], lifting };
}

/** Numbers the labels that encode lifted arcs, in the order of their appearance. */
class LiftedLabels {
  readonly lifting: Lifting & { readonly labels: Lifting['labels'][number][] };
  /** By name, from 0 on. */
  readonly numbers = new Map<string, number>();

  constructor(
    private readonly scheme: LiftingScheme,
    private readonly labels: readonly string[],
  ) {
    this.lifting = { scheme, labels: [] };
  }

  labelsOf({ example, heads, passed }: LiftedTree): Int32Array {
    const { scheme } = this;
    return example.labels.map((relation, word) => {
      if (word === 0) return relation;
      const head = example.heads[word];
      const isLifted = heads[word] !== head;
      const from = isLifted && scheme !== 'path' ? example.labels[head] : NO_RELATION;
      const isPassed = scheme !== 'head' && passed.has(word);
      return isLifted || isPassed ? this.numberOf(relation, isLifted, from, isPassed) : relation;
    });
  }

  private numberOf(relation: number, isLifted: boolean, from: number, isPassed: boolean): number {
    const { labels, lifting } = this;
    // The arrows are the paper's, in all schemes.
    const name = `${labels[relation]}${isLifted ? `↑${labels[from] ?? ''}` : ''}${isPassed ? '↓' : ''}`;
    const number = numberIn(this.numbers, name);
    if (number === lifting.labels.length) lifting.labels.push({ relation, isLifted, from, isPassed });
    return labels.length + number;
  }
}
