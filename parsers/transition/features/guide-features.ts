import { type EncodedSentence, valueAt } from '../../../src/encoding/columns.ts';
import { type GuideTree, guideViewName, guideViews } from '../../../src/encoding/guides.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import type { NodePair } from '../systems/system.ts';

/** The dependents of each token in a guide's tree, as linked lists. */
export class GuideChildren {
  /** By token: its first and last dependent, and its next and previous sibling; 0: none. */
  private first = new Int32Array(0);
  private last = new Int32Array(0);
  private next = new Int32Array(0);
  private previous = new Int32Array(0);

  link(heads: Int32Array, n: number): void {
    if (this.first.length <= n) {
      const sized = () => new Int32Array(2 * (n + 1));
      [this.first, this.last, this.next, this.previous] = [sized(), sized(), sized(), sized()];
    }
    const { first, last, next, previous } = this;
    first.fill(0, 0, n + 1);
    last.fill(0, 0, n + 1);
    for (let d = 1; d <= n; d++) {
      const head = heads[d];
      previous[d] = last[head];
      next[d] = 0;
      if (last[head] === 0) first[head] = d;
      else next[last[head]] = d;
      last[head] = d;
    }
  }

  /** Counts the dependents of a token after another token, up to `most`. */
  after(token: number, other: number, most: number): number {
    let count = 0;
    for (let d = this.last[token]; d > other && d !== 0 && count < most; d = this.previous[d]) count++;
    return count;
  }

  /** Counts the dependents of a token before another token that have no head yet, up to `most`. */
  headlessBefore(token: number, other: number, configuration: StackConfiguration, most: number): number {
    let count = 0;
    for (let d = this.first[token]; d < other && d !== 0 && count < most; d = this.next[d])
      if (configuration.head(d) === -1) count++;
    return count;
  }
}

/** The values that templates read: first of the sentence, then of a guide's tree. */
const values = [
  ...['leftTag', 'rightTag', 'leftForm', 'rightForm'],
  ...['leftHead', 'rightHead', 'thirdHead', 'leftLabel', 'rightLabel', 'thirdLabel'],
  ...['leftWaits', 'rightWaits', 'rightLacks'],
] as const;
export type GuideValue = (typeof values)[number];
/** The number of values of the sentence. */
const OF_SENTENCE = 4;
const SIZE = values.length;

/** Templates after Nivre & McDonald 2008 (P08-1108, table 1): heads, labels, and dependents that are still missing. */
const templates: readonly (readonly GuideValue[])[] = [
  ['leftHead', 'leftLabel'],
  ['rightHead', 'rightLabel'],
  ['leftHead', 'rightHead'],
  ['leftHead', 'rightHead', 'leftTag', 'rightTag'],
  ['leftHead', 'leftLabel', 'rightHead', 'rightLabel'],
  ['leftHead', 'leftLabel', 'leftTag', 'rightTag'],
  ['rightHead', 'rightLabel', 'leftTag', 'rightTag'],
  ['leftHead', 'leftForm'],
  ['rightHead', 'rightForm'],
  ['leftHead', 'leftWaits'],
  ['leftHead', 'leftWaits', 'rightHead', 'rightLacks'],
  ['leftHead', 'leftWaits', 'rightHead', 'rightLacks', 'leftTag', 'rightTag'],
  ['rightHead', 'rightWaits', 'rightTag'],
  ['leftHead', 'leftWaits', 'rightHead', 'rightWaits'],
  ['leftHead', 'rightHead', 'thirdHead'],
  ['leftHead', 'rightHead', 'thirdHead', 'thirdLabel'],
];

/** Templates as lists of values, each preceded by its length. */
const compiled = Int32Array.from(
  templates.flatMap((template) => [template.length, ...template.map((value) => values.indexOf(value))]),
);

/** Dependents are counted up to this number. */
const MOST_DEPENDENTS = 2;
/** Places of the head of a node in a guide's tree, relative to the ends of the next arc. */
const NOWHERE = 0;
const ROOT = 1;
const OTHER_END = 2;
const THIRD = 3;
const BEFORE = 4;
const BETWEEN = 5;
const AFTER = 6;
export const placeNames = ['nowhere', 'root', 'other end', 'beside', 'before', 'between', 'after'] as const;

/** Extracts features of the trees of other parsers (guides), for each guide and for all together. */
export class GuideFeatures {
  readonly count: number;
  private readonly views: number;
  private readonly children: readonly GuideChildren[];
  private readonly values: Int32Array;
  private guides: readonly GuideTree[] = [];
  private sentence!: EncodedSentence;

  constructor(
    guides: number,
    private readonly focus: NodePair,
    private readonly tagColumn: number,
    /** −1: forms are not read. */
    private readonly formColumn: number,
  ) {
    this.views = guides > 1 ? guides + 1 : 1;
    this.count = this.views * templates.length;
    this.children = Array.from({ length: guides }, () => new GuideChildren());
    this.values = new Int32Array(this.views * SIZE);
  }

  prepare(sentence: EncodedSentence): void {
    this.sentence = sentence;
    this.guides = sentence.guides!;
    for (let g = 0; g < this.guides.length; g++) this.children[g].link(this.guides[g].heads, sentence.length);
  }

  extract(configuration: StackConfiguration, hashes: Int32Array, at: number): void {
    const left = this.focus.left(configuration);
    const right = this.focus.right(configuration);
    const third = this.focus.third(configuration);
    for (let g = 0; g < this.guides.length; g++) this.read(g, configuration, left, right, third);
    this.join();
    let place = at;
    for (let view = 0; view < this.views; view++) place = this.hash(view, hashes, place);
  }

  /** Returns the features extracted last, in order: view, and values read from each guide. */
  described() {
    const { guides } = this;
    return guideViews([...guides.keys()]).flatMap((view, v) =>
      templates.map((template) => ({
        view: guideViewName(v, guides.length),
        values: template.map((name) => ({
          name,
          read: view.map((g) => this.values[g * SIZE + values.indexOf(name)]),
        })),
      })),
    );
  }

  private read(guide: number, configuration: StackConfiguration, left: number, right: number, third: number) {
    const { sentence, tagColumn, formColumn, values: all } = this;
    const { heads, labels } = this.guides[guide];
    const children = this.children[guide];
    let v = guide * SIZE;
    all[v++] = left < 0 ? -1 : valueAt(sentence, tagColumn, left);
    all[v++] = right < 0 ? -1 : valueAt(sentence, tagColumn, right);
    all[v++] = left < 0 || formColumn < 0 ? -1 : valueAt(sentence, formColumn, left);
    all[v++] = right < 0 || formColumn < 0 ? -1 : valueAt(sentence, formColumn, right);
    const hasHead = left >= 0 && configuration.head(left) !== -1;
    all[v++] = placeOfHead(heads, left, right, third, left, right) * 2 + (hasHead ? 1 : 0);
    all[v++] = placeOfHead(heads, right, left, third, left, right);
    all[v++] = third < 0 ? NOWHERE : placeOfThirdHead(heads[third], left, right);
    all[v++] = left < 0 ? -1 : labels[left];
    all[v++] = right < 0 ? -1 : labels[right];
    all[v++] = third < 0 ? -1 : labels[third];
    all[v++] = left < 0 ? 0 : children.after(left, right, MOST_DEPENDENTS);
    all[v++] = right <= 0 ? 0 : children.after(right, right, MOST_DEPENDENTS);
    all[v] = right < 0 ? 0 : children.headlessBefore(right, left, configuration, MOST_DEPENDENTS);
  }

  /** Combines the values of all guides into the values of the last view. */
  private join(): void {
    const { values: all, guides } = this;
    if (guides.length < 2) return;
    const at = guides.length * SIZE;
    for (let v = 0; v < SIZE; v++) {
      let value = all[v];
      for (let g = 1; v >= OF_SENTENCE && g < guides.length; g++) value = mix(value, all[g * SIZE + v]);
      all[at + v] = value;
    }
  }

  private hash(view: number, hashes: Int32Array, at: number): number {
    const { values: all } = this;
    const from = view * SIZE;
    let place = at;
    for (let k = 0; k < compiled.length; ) {
      let hash = 0x600d + place;
      for (const end = k + 1 + compiled[k++]; k < end; k++) hash = mix(hash, all[from + compiled[k]]);
      hashes[place++] = finish(hash);
    }
    return place;
  }
}

/** Returns the place of the head of one end of the next arc; `other`: the other end. */
function placeOfHead(
  heads: Int32Array,
  node: number,
  other: number,
  third: number,
  left: number,
  right: number,
) {
  if (node < 0) return NOWHERE;
  const head = heads[node];
  if (head === other && head !== -1) return OTHER_END;
  if (head === third && head !== -1) return THIRD;
  if (head === 0) return ROOT;
  if (head < left) return BEFORE;
  return right > 0 && head > right ? AFTER : BETWEEN;
}

/** Returns the place of the head of the third node. */
function placeOfThirdHead(head: number, left: number, right: number): number {
  if (head === left) return OTHER_END;
  if (head === right) return THIRD;
  return head === 0 ? ROOT : BEFORE;
}
