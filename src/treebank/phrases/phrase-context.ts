import { categoryOf, isCopula, isDelimiter, isNominal, isTime } from './categories.ts';
import { bareLabel, isPunctuation } from './head-rules.ts';
import type { PhraseNode } from './traces.ts';
import { isBe } from './universal-tags.ts';

export type HeadWord = (node: PhraseNode) => string;

/** The facts about a phrase that the relations of its children to the head child depend on. */
export class PhraseContext {
  readonly label: string;
  readonly children: readonly PhraseNode[];
  readonly headChild: PhraseNode;
  /** Children after the head that are set off by a punctuation mark; a pair around a parenthesis does not count. */
  readonly apart: ReadonlySet<PhraseNode>;
  readonly subject: PhraseNode | undefined;
  readonly predicative: PhraseNode | undefined;
  /** The noun phrases after the head that may be objects. */
  readonly objects: ReadonlySet<PhraseNode>;
  /** The first of several objects. */
  readonly indirectObject: PhraseNode | undefined;
  private readonly hasConjunction: boolean;
  /** delimiters[i] is the number of delimiters among the first i children; a phrase may have thousands. */
  private readonly delimiters: Int32Array;

  constructor(
    phrase: PhraseNode,
    readonly head: number,
    private readonly headWord: HeadWord,
  ) {
    this.label = bareLabel(phrase.label);
    this.children = phrase.children;
    this.headChild = phrase.children[head];
    this.hasConjunction = phrase.children.some((node) => categoryOf(node) === 'conjunction');
    const counts = new Int32Array(phrase.children.length + 1);
    phrase.children.forEach((node, i) => {
      counts[i + 1] = counts[i] + (isDelimiter(node) ? 1 : 0);
    });
    this.delimiters = counts;
    const after = phrase.children.slice(head + 1);
    const apart = new Set<PhraseNode>();
    let marks = 0;
    after.forEach((node, i) => {
      if (i > 0 && isPunctuation(after[i - 1]) && marks % 2 === 1) apart.add(node);
      if (isPunctuation(node)) marks++;
    });
    this.apart = apart;
    this.subject = this.label === 'VP' ? undefined : this.findSubject(after);
    this.predicative = this.findPredicative(after);
    const objects = after.filter(
      (node) => isNominal(node) && node !== this.subject && !this.isTime(node) && !this.apart.has(node),
    );
    this.objects = new Set(objects);
    this.indirectObject = objects.length > 1 ? objects[0] : undefined;
  }

  /**
   * Whether a child is coordinated with the head: they have the same category, a conjunction or punctuation mark
   * between them and, unless they are clauses or verb phrases, a conjunction in the phrase. Words (`bread and
   * butter`) must stand next to the delimiter, with at most adverbs between: in `stock and bond prices`, `stock` is no
   * conjunct of `prices`.
   */
  isConjunct(child: number): boolean {
    const [from, to] = child < this.head ? [child, this.head] : [this.head, child];
    const first = this.children[from];
    const last = this.children[to];
    const kind = categoryOf(first);
    if (kind !== categoryOf(last) && this.label !== 'UCP' && this.label !== 'ADJP') return false;
    if (!this.hasConjunction) {
      const verbal = kind === 'clause' || (kind === 'verb' && first.form === undefined);
      return verbal && this.isListed(from, to);
    }
    if (first.form === undefined && last.form === undefined)
      return this.delimiters[to] > this.delimiters[from + 1];
    const next = this.beyondAdverbs(from, 1);
    return (
      next < to && isDelimiter(this.children[next]) && isDelimiter(this.children[this.beyondAdverbs(to, -1)])
    );
  }

  /** Whether only punctuation marks, at least one, and adverbs stand between two children. */
  private isListed(from: number, to: number): boolean {
    let marks = 0;
    for (let i = from + 1; i < to; i++) {
      if (isPunctuation(this.children[i])) marks++;
      else if (categoryOf(this.children[i]) !== 'adverb') return false;
    }
    return marks > 0;
  }

  /** The index of the next child that is not an adverb. */
  private beyondAdverbs(index: number, step: 1 | -1): number {
    let i = index + step;
    while (i > 0 && i < this.children.length && categoryOf(this.children[i]) === 'adverb') i += step;
    return i;
  }

  private isTime(node: PhraseNode): boolean {
    return isTime(this.headWord(node));
  }

  /**
   * Finds the subject of a clause: in a question or inverted clause, the first noun phrase after the head, if any;
   * else the last noun phrase before it that is not a time (if all are, the last), or a clause right before it.
   * A phrase set off only by a comma is no subject (`Sam, come here`); coordinated clauses have none in common.
   */
  private findSubject(after: readonly PhraseNode[]): PhraseNode | undefined {
    const { children, head } = this;
    if (categoryOf(this.headChild) === 'clause') return undefined;
    if (this.label !== 'S') {
      const inverted = after.find(isNominal);
      if (inverted !== undefined && !this.apart.has(inverted)) return inverted;
    }
    const comma = children[head - 1]?.label === ',';
    const nominals = children.slice(0, Math.max(comma ? head - 2 : head, 0)).filter(isNominal);
    if (nominals.length > 0) return nominals.findLast((node) => !this.isTime(node)) ?? nominals.at(-1);
    const clause = comma ? undefined : children[head - 1];
    const kind = clause && categoryOf(clause);
    return kind === 'clause' || kind === 'subordinate' ? clause : undefined;
  }

  /** Finds the first complement after a copula that is not an adverb, a time, or the subject. */
  private findPredicative(after: readonly PhraseNode[]): PhraseNode | undefined {
    const verb = this.headWord(this.headChild);
    const be = isBe(verb);
    if (!be && !isCopula(verb)) return undefined;
    if (after.some((node) => bareLabel(node.label) === 'VP')) return undefined;
    const complements = after.filter(
      (node) =>
        node !== this.subject &&
        !isDelimiter(node) &&
        !this.apart.has(node) &&
        !['PRN', 'RB'].includes(bareLabel(node.label)),
    );
    const isComplement = (node: PhraseNode) => {
      const kind = categoryOf(node);
      return kind === 'noun' ? !this.isTime(node) : be ? kind !== 'adverb' : kind === 'adjective';
    };
    return complements.find(isComplement) ?? (be ? complements[0] : undefined);
  }
}
