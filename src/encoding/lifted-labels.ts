import type { HeaderFields } from '../model/header-fields.ts';
import { dependentsOf } from '../treebank/tree.ts';

/**
 * Schemes of pseudo-projective parsing (Nivre & Nilsson 2005, P05-1013, §3): labels of projectivized trees encode the
 * relation of the head that an arc was lifted from (`head`), the arcs that it was lifted over (`path`), or both, so that
 * arcs can be lowered after parsing.
 */
export const liftingSchemes = ['head', 'path', 'head+path'] as const;
export type LiftingScheme = (typeof liftingSchemes)[number];

/** No relation is encoded. */
export const UNTOLD = -1;

/** The meaning of a label that encodes lifting; relations are the numbers of plain labels. */
export interface LiftedLabel {
  readonly relation: number;
  readonly isLifted: boolean;
  /** The relation of the head that its arc was lifted from; or `UNTOLD`. */
  readonly from: number;
  /** Whether another arc was lifted over its arc. */
  readonly isPassed: boolean;
}

/** The labels that encode lifting: the last ones of a numbering, in order. */
export type Lifting = { readonly scheme: LiftingScheme; readonly labels: readonly LiftedLabel[] };

/** Reads the lifting from a header, for `count` labels in all; throws `InputError` if it is invalid. */
export function loadLifting(fields: HeaderFields, count: number): Lifting {
  const scheme = fields.choice('scheme', liftingSchemes);
  const objects = fields.objects('labels');
  const relations = count - objects.length;
  if (relations < 1) fields.refuse('labels', `fewer than the ${count} labels`);
  const labels = objects.map((label) => ({
    relation: label.integer('relation', 0, relations - 1),
    isLifted: label.flag('isLifted'),
    from: label.integer('from', UNTOLD, relations - 1),
    isPassed: label.flag('isPassed'),
  }));
  return { scheme, labels };
}

/** A tree with numbers for labels; arrays may be longer than the sentence. */
type NumberedTree = Readonly<Record<'heads' | 'labels', Int32Array>>;

/** Lowers arcs whose labels say that they were lifted, so that trees may have crossing arcs again. */
export class Lowering {
  private readonly scheme: LiftingScheme;
  private readonly lifted: readonly LiftedLabel[];
  /** Number of plain labels; numbers from here on encode lifting. */
  private readonly relations: number;

  /** @param count number of all labels */
  constructor({ scheme, labels }: Lifting, count: number) {
    this.scheme = scheme;
    this.lifted = labels;
    this.relations = count - labels.length;
  }

  /**
   * Lowers the lifted arcs of a tree in place, those nearest to the root first, each to the head that its label describes,
   * and replaces labels by their relations. An arc whose head is not found stays. The tree stays a tree: no word gets a
   * head below itself.
   */
  lower(tree: NumberedTree, length: number): void {
    const told = this.toldOf(tree.labels, length);
    if (told === undefined) return;
    const dependents = dependentsOf(tree.heads, length);
    for (const word of inBreadth(dependents, 0, 0)) {
      const label = told[word];
      if (!label?.isLifted) continue;
      const head = this.headOf(word, label.from, tree, told, dependents);
      if (head === undefined) continue;
      const siblings = dependents[tree.heads[word]];
      siblings.splice(siblings.indexOf(word), 1);
      dependents[head].push(word);
      dependents[head].sort((a, b) => a - b);
      tree.heads[word] = head;
    }
  }

  /** The lifting of each word's label, which is replaced by its relation; undefined where no label has any. */
  private toldOf(labels: Int32Array, length: number): (LiftedLabel | undefined)[] | undefined {
    let told: (LiftedLabel | undefined)[] | undefined;
    for (let word = 1; word <= length; word++) {
      if (labels[word] < this.relations) continue;
      const label = this.lifted[labels[word] - this.relations];
      told ??= new Array(length + 1);
      told[word] = label;
      labels[word] = label.relation;
    }
    return told;
  }

  /** The original head of a lifted word, below its present head; undefined where none is found. */
  private headOf(
    word: number,
    from: number,
    { heads, labels }: NumberedTree,
    told: readonly (LiftedLabel | undefined)[],
    dependents: readonly (readonly number[])[],
  ): number | undefined {
    const start = heads[word];
    if (this.scheme === 'path') {
      // The last word on the path down over passed arcs.
      const next = (from: number) =>
        dependents[from].find((other) => other !== word && told[other]?.isPassed);
      let end = next(start);
      for (let below = end; below !== undefined; below = next(below)) end = below;
      return end;
    }
    const isWay = (other: number) => this.scheme === 'head' || told[other]?.isPassed === true;
    return inBreadth(dependents, start, word, isWay).find((other) => labels[other] === from);
  }
}

/** The descendants of a word, breadth first, over arcs accepted by `isWay`, without the subtree of `without`. */
function inBreadth(
  dependents: readonly (readonly number[])[],
  start: number,
  without: number,
  isWay: (word: number) => boolean = () => true,
): number[] {
  const words: number[] = [];
  const take = (word: number) => {
    for (const other of dependents[word]) if (other !== without && isWay(other)) words.push(other);
  };
  take(start);
  for (let i = 0; i < words.length; i++) take(words[i]);
  return words;
}
