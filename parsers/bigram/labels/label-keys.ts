import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { PartColumns } from '../arcs/arc-parts.ts';
import type { Pattern } from '../patterns/pattern.ts';
import { PatternKeys } from '../patterns/pattern-keys.ts';
import { type LabelPart, LabelParts } from './label-parts.ts';

/** The keys under which the labels of a tree's arcs are counted. */
export class LabelKeys {
  /** Of each pattern: the key of the arc taken up. */
  readonly current: Int32Array;
  private readonly keys: PatternKeys<LabelPart>;
  private readonly tree = { heads: new Int32Array(0) as Int32Array };

  constructor(
    readonly patterns: readonly Pattern<LabelPart>[],
    columns: PartColumns,
  ) {
    this.current = new Int32Array(patterns.length);
    this.keys = new PatternKeys(patterns, (most) => new LabelParts(columns, this.tree, most));
  }

  /** Takes up a sentence and its tree. */
  prepare(sentence: EncodedSentence, heads: Int32Array): void {
    this.tree.heads = heads;
    this.keys.prepare(sentence);
  }

  /** Takes up the arc into d. */
  enter(d: number): void {
    this.keys.enter(d);
    const h = this.tree.heads[d];
    for (let k = 0; k < this.current.length; k++) this.current[k] = this.keys.key(k, h, d);
  }
}

/** The key under which a label is counted with a pattern. */
export function labelKey(patternKey: number, label: number): number {
  return finish(mix(patternKey, label + 1)) || 1;
}
