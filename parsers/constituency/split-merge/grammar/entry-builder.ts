import type { RuleColumns } from './inventory.ts';
import { SplitGrammar } from './split-grammar.ts';

/** Collects the entries of a grammar, rule by rule. */
export class EntryBuilder {
  private readonly starts: Int32Array;
  private places = new Int32Array(1024);
  private probabilities = new Float64Array(1024);
  private count = 0;
  private ruleCount = 0;

  constructor(private readonly rules: RuleColumns) {
    this.starts = new Int32Array(rules.parents.length + 1);
  }

  add(place: number, probability: number): void {
    if (this.count === this.places.length) this.grow();
    this.places[this.count] = place;
    this.probabilities[this.count++] = probability;
  }

  /** The entries added from now on are those of the next rule. */
  endRule(): void {
    this.starts[++this.ruleCount] = this.count;
  }

  grammar(substates: Int32Array): SplitGrammar {
    const { rules, starts, count } = this;
    const places = this.places.slice(0, count);
    return new SplitGrammar(rules, substates, starts, places, this.probabilities.slice(0, count));
  }

  private grow(): void {
    const places = new Int32Array(2 * this.count);
    const probabilities = new Float64Array(2 * this.count);
    places.set(this.places);
    probabilities.set(this.probabilities);
    this.places = places;
    this.probabilities = probabilities;
  }
}
