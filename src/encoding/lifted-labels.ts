import type { HeaderFields } from '../model/header-fields.ts';
import { dependentsOf } from '../treebank/tree.ts';

/**
 * The label encodings of pseudo-projective parsing (Nivre & Nilsson 2005, P05-1013, §3): labels of projectivized trees
 * encode the relation of the head that an arc was lifted from (`head`), the arcs that it was lifted over (`path`), or
 * both, so that arcs can be lowered again after parsing.
 */
export const liftingSchemes = ['head', 'path', 'head+path'] as const;
export type LiftingScheme = (typeof liftingSchemes)[number];

/** In place of the relation of a head that the encoding leaves out. */
export const NO_RELATION = -1;

/** A label that encodes lifting; relations are the numbers of plain labels. */
export interface LiftedLabel {
  readonly relation: number;
  readonly isLifted: boolean;
  /** The relation of the head that its arc was lifted from, or `NO_RELATION`. */
  readonly from: number;
  /** Whether another arc was lifted over its arc. */
  readonly isPassed: boolean;
}

/** The labels that encode lifting, which come last in the numbering of labels. */
export type Lifting = { readonly scheme: LiftingScheme; readonly labels: readonly LiftedLabel[] };

/** Reads the labels that encode lifting from a model's header; `count` is the number of all labels. Throws `InputError`. */
export function loadLifting(fields: HeaderFields, count: number): Lifting {
  const scheme = fields.choice('scheme', liftingSchemes);
  const objects = fields.objects('labels');
  const relations = count - objects.length;
  if (relations < 1) fields.refuse('labels', `fewer than the ${count} labels`);
  const labels = objects.map((label) => ({
    relation: label.integer('relation', 0, relations - 1),
    isLifted: label.flag('isLifted'),
    from: label.integer('from', NO_RELATION, relations - 1),
    isPassed: label.flag('isPassed'),
  }));
  return { scheme, labels };
}

/** A tree with numbered labels; the arrays may be longer than the sentence. */
type NumberedTree = Readonly<Record<'heads' | 'labels', Int32Array>>;

/** Lowers arcs that were lifted according to their labels, which makes trees non-projective again. */
export class Lowering {
  private readonly scheme: LiftingScheme;
  private readonly lifted: readonly LiftedLabel[];
  /** Number of plain labels; higher numbers encode lifting. */
  private readonly relations: number;

  /** @param count number of all labels */
  constructor({ scheme, labels }: Lifting, count: number) {
    this.scheme = scheme;
    this.lifted = labels;
    this.relations = count - labels.length;
  }

  /**
   * Lowers the lifted arcs of a tree in place, those nearest to the root first, each to the head that its label describes,
   * and replaces labels by their relations. An arc whose head is not found stays. No word gets a head below itself, so
   * that the result is a tree.
   */
  lower(tree: NumberedTree, length: number): void {
    const lifted = this.decodeLabels(tree.labels, length);
    if (lifted === undefined) return;
    const dependents = dependentsOf(tree.heads, length);
    for (const word of inBreadth(dependents, 0, 0)) {
      const label = lifted[word];
      if (!label?.isLifted) continue;
      const head = this.headOf(word, label.from, tree, lifted, dependents);
      if (head === undefined) continue;
      const siblings = dependents[tree.heads[word]];
      siblings.splice(siblings.indexOf(word), 1);
      dependents[head].push(word);
      dependents[head].sort((a, b) => a - b);
      tree.heads[word] = head;
    }
  }

  /** Replaces labels by their relations; returns, by word, those that encode lifting, or undefined if none does. */
  private decodeLabels(labels: Int32Array, length: number): (LiftedLabel | undefined)[] | undefined {
    let lifted: (LiftedLabel | undefined)[] | undefined;
    for (let word = 1; word <= length; word++) {
      if (labels[word] < this.relations) continue;
      const label = this.lifted[labels[word] - this.relations];
      lifted ??= new Array(length + 1);
      lifted[word] = label;
      labels[word] = label.relation;
    }
    return lifted;
  }

  /** Finds the original head of a lifted word below its present head; undefined if there is none. */
  private headOf(
    word: number,
    from: number,
    { heads, labels }: NumberedTree,
    lifted: readonly (LiftedLabel | undefined)[],
    dependents: readonly (readonly number[])[],
  ): number | undefined {
    const start = heads[word];
    if (this.scheme === 'path') {
      // The last word on the path down over passed arcs.
      const next = (from: number) =>
        dependents[from].find((other) => other !== word && lifted[other]?.isPassed);
      let end = next(start);
      for (let below = end; below !== undefined; below = next(below)) end = below;
      return end;
    }
    const accepts = (other: number) => this.scheme === 'head' || lifted[other]?.isPassed === true;
    return inBreadth(dependents, start, word, accepts).find((other) => labels[other] === from);
  }
}

/** Lists the descendants of a word breadth first, over arcs into accepted words, without the subtree of `without`. */
function inBreadth(
  dependents: readonly (readonly number[])[],
  start: number,
  without: number,
  accepts: (word: number) => boolean = () => true,
): number[] {
  const words: number[] = [];
  const take = (word: number) => {
    for (const other of dependents[word]) if (other !== without && accepts(other)) words.push(other);
  };
  take(start);
  for (let i = 0; i < words.length; i++) take(words[i]);
  return words;
}
