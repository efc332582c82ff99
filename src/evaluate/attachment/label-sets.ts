import { type DependencyTree, isValue } from '../../treebank/sentence.ts';
import { percent } from '../percent.ts';
import { universalRelation } from './ud-sentence.ts';

/** The predicted trees are warned of if this share of their words, in percent, and this number have labels unknown to gold. */
const MANY = { share: 20, words: 30 } as const;
/** Number of labels named in a warning. */
const NAMED = 4;

/** The labels in gold and in predicted trees, to warn where the trees follow another annotation scheme. */
export class LabelSets {
  private readonly gold = new Set<string>();
  /** Number of words with each label. */
  private readonly predicted = new Map<string, number>();

  addGold({ labels }: DependencyTree): void {
    for (let d = 1; d < labels.length; d++) this.gold.add(labels[d]);
  }

  addPredicted({ labels }: DependencyTree): void {
    const { predicted } = this;
    for (let d = 1; d < labels.length; d++) predicted.set(labels[d], (predicted.get(labels[d]) ?? 0) + 1);
  }

  /** Whether gold trees have labels. */
  get areInGold(): boolean {
    return [...this.gold].some(isValue);
  }

  warnings(): string[] {
    if (!this.areInGold) return ['labelled figures are not defined: the gold trees have no labels'];
    if (![...this.predicted.keys()].some(isValue)) return ['the predicted trees have no labels'];
    const known = new Set([...this.gold].map(universalRelation));
    const counts = [...this.predicted].sort((a, b) => b[1] - a[1]);
    const unknown = counts.filter(([label]) => isValue(label) && !known.has(universalRelation(label)));
    const [words, all] = [unknown, counts].map((some) => some.reduce((sum, [, count]) => sum + count, 0));
    const share = percent(words, all);
    if (share < MANY.share || words < MANY.words) return [];
    const names = unknown.slice(0, NAMED).map(([label]) => label);
    const listed = `${names.join(', ')}${unknown.length > NAMED ? ', …' : ''}`;
    const what = `${share.toFixed(0)}% of the words have labels that never occur in gold (${listed})`;
    return [`${what}: the annotation schemes seem to differ, and heads may, too`];
  }
}
