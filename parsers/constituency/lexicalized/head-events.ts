import { normalizeForm } from '../../../src/encoding/normalize.ts';
import { nodesOf, type PhraseTree } from '../../../src/treebank/brackets/phrase-tree.ts';
import { bareLabel, headChild, isPunctuation } from '../../../src/treebank/phrases/head-rules.ts';

/**
 * What a tree with heads is made of, in the order in which it would be generated (Collins 1997, P97-1002, model 1). First
 * comes the head child of each phrase. Then come its sisters to the left and to the right, from the head outwards, each
 * with the tag of its head word, up to a stop; at last these words.
 */
export const eventKinds = ['heads', 'sisters', 'words'] as const;
export type EventKind = (typeof eventKinds)[number];

/**
 * What each kind depends on, as steps from the widest context to the narrowest, and after how many of them there is one to
 * estimate in. P is the phrase, H its head child, h its head word:
 * - heads: P; tag of h; h
 * - sisters: P, side and distance, the sister before; H; tag of h; h
 * - words: own tag; own label; P, tag of h, side; h
 */
export const eventLevels: Readonly<Record<EventKind, readonly number[]>> = {
  heads: [1, 2, 3],
  sisters: [3, 4, 5, 6],
  words: [1, 2, 5, 6],
};

/** No sister: the end of a side, and what is before the first. */
const STOP = 0;

/** Labels and tags are below this, so that two make one outcome. */
export const SYMBOLS = 2 ** 13;

/** Gives labels and tags, and words, their numbers: from 1 on, below `SYMBOLS`. 0: it is not known. */
export interface EventNumbering {
  symbol(name: string): number;
  word(form: string): number;
}

/** What is known of a node by what is in it. */
interface Lexical {
  readonly label: number;
  readonly tag: number;
  readonly word: number;
  readonly hasVerb: boolean;
}

type TakeEvent = (kind: EventKind, steps: Int32Array, outcome: number) => void;

/** Tells all events of a tree; the steps are only good for that moment. Punctuation is left out. */
export class HeadEvents {
  private readonly steps = new Int32Array(6);

  constructor(
    private readonly numbering: EventNumbering,
    private readonly take: TakeEvent,
  ) {}

  tell(tree: PhraseTree): void {
    const known = new Map<PhraseTree, Lexical>();
    for (const node of nodesOf(tree).reverse()) {
      known.set(node, node.form === undefined ? this.phrase(node, known) : this.leaf(node));
    }
  }

  private leaf({ label, form }: PhraseTree): Lexical {
    const tag = this.numbering.symbol(label);
    const word = this.numbering.word(normalizeForm(form!));
    return { label: tag, tag, word, hasVerb: /^(VB|MD)/.test(label) };
  }

  private phrase(node: PhraseTree, known: ReadonlyMap<PhraseTree, Lexical>): Lexical {
    const children = node.children.map((child) => known.get(child)!);
    const label = this.numbering.symbol(bareLabel(node.label));
    const place = headChild(node);
    const head = children[place];
    this.set(label, head.tag, head.word);
    this.take('heads', this.steps, head.label);
    const isSister = children.map((_, c) => c !== place && !isPunctuation(node.children[c]));
    const sisters = (from: number, to: number) =>
      children.slice(from, to).filter((_, c) => isSister[from + c]);
    this.side(label, head, 0, sisters(0, place).reverse());
    this.side(label, head, 1, sisters(place + 1, children.length));
    return { label, tag: head.tag, word: head.word, hasVerb: children.some(({ hasVerb }) => hasVerb) };
  }

  private side(phrase: number, head: Lexical, side: 0 | 1, sisters: readonly Lexical[]): void {
    let before = STOP;
    let hasVerb = false;
    for (const sister of sisters) {
      this.sister(
        phrase,
        head,
        placeCode(side, before, hasVerb),
        before,
        sister.label * SYMBOLS + sister.tag,
      );
      this.set(sister.tag, sister.label, phrase, head.tag, side, head.word);
      this.take('words', this.steps, sister.word);
      before = sister.label;
      hasVerb ||= sister.hasVerb;
    }
    this.sister(phrase, head, placeCode(side, before, hasVerb), before, STOP);
  }

  private sister(phrase: number, head: Lexical, place: number, before: number, outcome: number): void {
    this.set(phrase, place, before, head.label, head.tag, head.word);
    this.take('sisters', this.steps, outcome);
  }

  private set(...steps: readonly number[]): void {
    this.steps.set(steps);
  }
}

/** Left or right; next to the head or not; and whether there is a verb in between. */
function placeCode(side: 0 | 1, before: number, hasVerb: boolean): number {
  return side + (before === STOP ? 0 : 2) + (hasVerb ? 4 : 0);
}
