import type { HeaderFields } from '../model/header-fields.ts';

/**
 * What the labels of trees made projective tell of lifted arcs, so that these can be put back after parsing
 * (Nivre & Nilsson 2005, P05-1013, §3). That is the relation of the head that an arc was lifted from, the
 * arcs that one was lifted over, or both.
 */
export const liftingSchemes = ['head', 'path', 'head+path'] as const;
export type LiftingScheme = (typeof liftingSchemes)[number];

/** No relation is told. */
export const UNTOLD = -1;

/** What a label stands for that tells of lifted arcs; relations are the numbers of labels that do not. */
export interface LiftedLabel {
  readonly relation: number;
  /** Its arc was lifted. */
  readonly isLifted: boolean;
  /** The relation of the head that its arc was lifted from; or `UNTOLD`. */
  readonly from: number;
  /** Another arc was lifted over its arc. */
  readonly isPassed: boolean;
}

/** The labels that tell of lifted arcs: the last of a numbering, in order. */
export interface Lifting {
  readonly scheme: LiftingScheme;
  readonly labels: readonly LiftedLabel[];
}

/**
 * Reads what a header has of lifted labels.
 *
 * @param count how many labels there are in all
 * @throws InputError where they are not such
 */
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
interface NumberedTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** Puts arcs back that labels say were lifted, so that trees may have crossing arcs again. */
export class Lowering {
  private readonly scheme: LiftingScheme;
  private readonly lifted: readonly LiftedLabel[];
  /** How many labels tell of no lifting: numbers from here on do. */
  private readonly relations: number;

  /** @param count how many labels there are in all */
  constructor({ scheme, labels }: Lifting, count: number) {
    this.scheme = scheme;
    this.lifted = labels;
    this.relations = count - labels.length;
  }

  /**
   * Lowers, in place, the lifted arcs of a tree, those nearest to the root first, each to the head that its label
   * tells of, and gives all arcs the relations that their labels stand for. An arc whose head is not to be found
   * stays where it is. The tree stays a tree: no word gets a head from below itself.
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

  /** What the labels of words tell, and relations in place of such labels; undefined where none tells anything. */
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

  /** The word below the head of a lifted word that it hung on, or undefined. */
  private headOf(
    word: number,
    from: number,
    { heads, labels }: NumberedTree,
    told: readonly (LiftedLabel | undefined)[],
    dependents: readonly (readonly number[])[],
  ): number | undefined {
    const start = heads[word];
    if (this.scheme === 'path') return endOfPath(start, word, told, dependents);
    const isWay = (other: number) => this.scheme === 'head' || told[other]?.isPassed === true;
    return inBreadth(dependents, start, word, isWay).find((other) => labels[other] === from);
  }
}

/** The last word on the way down from `start` over arcs that others were lifted over; undefined: there is none. */
function endOfPath(
  start: number,
  lifted: number,
  told: readonly (LiftedLabel | undefined)[],
  dependents: readonly (readonly number[])[],
): number | undefined {
  let end: number | undefined;
  const next = (word: number) => dependents[word].find((other) => other !== lifted && told[other]?.isPassed);
  for (let word = next(start); word !== undefined; word = next(word)) end = word;
  return end;
}

/** The words below one, level by level, from left to right, but for a word and all below it; over some arcs only. */
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

function dependentsOf(heads: Int32Array, length: number): number[][] {
  const dependents: number[][] = Array.from({ length: length + 1 }, () => []);
  for (let word = 1; word <= length; word++) dependents[heads[word]].push(word);
  return dependents;
}
