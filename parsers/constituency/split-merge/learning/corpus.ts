import { nodesOf } from '../../../../src/treebank/phrases/phrase-tree.ts';
import type { GrammarTree } from '../../binarize.ts';
import { type TaggedWord, wordClasses } from '../../lexicon.ts';
import { Forest } from '../forest.ts';
import { Inventory } from '../split-grammar.ts';

/** The same binary tree with fine symbols (those before splitting) and with coarse ones. */
export type PairedTree = { readonly fine: GrammarTree; readonly coarse: GrammarTree };

/** Treebank trees as forests, with the rules in them; a unary chain counts as one rule. */
export class Corpus {
  readonly trees: Forest[] = [];
  readonly fine = new Inventory();
  readonly coarse = new Inventory();
  /** The coarse symbol of each fine symbol, and the coarse rule of each fine rule; −1 for rules that yield words. */
  readonly coarseSymbols: number[] = [];
  readonly coarseRules: number[] = [];
  /** The labels of coarse symbols, and of the phrases within each coarse rule. */
  readonly labels: (string | undefined)[] = [];
  readonly paths: (readonly string[])[] = [];

  /** @param wordKind what a word counts as: itself, or a class of words */
  constructor(
    private readonly fineSymbol: (node: GrammarTree) => number,
    private readonly wordKind: (form: string, isFirst: boolean) => string,
  ) {}

  add({ fine, coarse }: PairedTree): void {
    const nodes = nodesOf(fine);
    const twins = nodesOf(coarse);
    for (const [i, node] of nodes.entries()) {
      const symbol = this.fineSymbol(node);
      this.coarseSymbols[symbol] ??= this.coarse.symbol(twins[i].symbol);
      this.labels[this.coarseSymbols[symbol]] = twins[i].label;
    }
    const forest = new Forest();
    const items = new Map<GrammarTree, number>();
    for (const leaf of nodes.filter(({ form }) => form !== undefined)) {
      const symbol = this.fineSymbol(leaf);
      const rule = this.fine.use(symbol, -1, -1, this.wordKind(leaf.form!, forest.leafCount === 0));
      this.coarseRules[rule] = -1;
      items.set(leaf, forest.addLeaf(symbol, rule));
    }
    const single = nodes.filter(({ children }) => children.length === 1).map(({ children }) => children[0]);
    const inner = new Set(single.filter(({ children }) => children.length === 1));
    for (const node of nodes.toReversed())
      if (node.form === undefined && !inner.has(node)) this.addPhrase(node, forest, items);
    forest.root = items.get(fine)!;
    this.trees.push(forest);
  }

  private addPhrase(node: GrammarTree, forest: Forest, items: Map<GrammarTree, number>): void {
    const path: string[] = [];
    let { children } = node;
    while (children.length === 1 && children[0].children.length === 1) {
      path.push(children[0].label!);
      children = children[0].children;
    }
    const symbol = this.fineSymbol(node);
    const item = forest.addItem(symbol);
    items.set(node, item);
    const [left, right = -1] = children.map((child) => items.get(child)!);
    const rightSymbol = right === -1 ? -1 : forest.symbols[right];
    forest.addEdge(item, this.ruleOf(symbol, forest.symbols[left], rightSymbol, path), left, right);
  }

  private ruleOf(parent: number, left: number, right: number, path: readonly string[]): number {
    const kind = path.join(' ');
    const coarseOf = (symbol: number) => (symbol === -1 ? -1 : this.coarseSymbols[symbol]);
    const rule = this.fine.use(parent, left, right, kind);
    const coarse = this.coarse.use(coarseOf(parent), coarseOf(left), coarseOf(right), kind);
    this.coarseRules[rule] = coarse;
    this.paths[coarse] = path;
    return rule;
  }
}

/** Fewest occurrences of a class that replaces its words. */
const FEWEST = 10;

/** The words and classes of words that substates are learnt from: rare words are replaced by a class, against overfitting. */
export class WordKinds {
  private readonly words = new Map<string, number>();
  private readonly classes = new Map<string, number>();

  constructor(
    words: readonly Pick<TaggedWord, 'form' | 'isFirst'>[],
    private readonly rare: number,
    private readonly suffix: number,
  ) {
    for (const { form } of words) this.words.set(form, (this.words.get(form) ?? 0) + 1);
    for (const { form, isFirst } of words) {
      if (!this.isRare(form)) continue;
      for (const name of wordClasses(form, isFirst, suffix))
        this.classes.set(name, (this.classes.get(name) ?? 0) + 1);
    }
  }

  isRare(form: string): boolean {
    return (this.words.get(form) ?? 0) <= this.rare;
  }

  /** Returns a frequent word after `=`, or the narrowest class of a rare word that is not rare itself after a space. */
  of(form: string, isFirst: boolean): string {
    if (!this.isRare(form)) return `=${form}`;
    const names = wordClasses(form, isFirst, this.suffix);
    const name = names.findLast((one) => (this.classes.get(one) ?? 0) >= FEWEST);
    return ` ${name ?? names[0]}`;
  }
}
