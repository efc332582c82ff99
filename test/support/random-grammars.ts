import fc from 'fast-check';
import { Grammar } from '../../parsers/constituency/grammar.ts';
import type { WordStates } from '../../parsers/constituency/lexicon.ts';
import { unaryClosure } from '../../parsers/constituency/paradigm.ts';

/** The number of states: 0 is the start, 1–4 are phrases, 5–7 are tags. */
const STATES = 8;
const TAGS = 5;

export interface Rule {
  readonly parent: number;
  readonly children: readonly number[];
  readonly score: number;
}

/** A grammar, and words with their tags. */
export interface Case {
  readonly rules: readonly Rule[];
  readonly words: readonly WordStates[];
  /** The occurrences of each state. */
  readonly occurrences: readonly number[];
}

const scores = fc.double({ min: -5, max: -0.01, noNaN: true });
const anyState = fc.integer({ min: 1, max: STATES - 1 });
const phrase = fc.integer({ min: 1, max: TAGS - 1 });
/** The key that identifies a rule. */
export const byStates = ({ parent, children }: Rule) => [parent, ...children].join(' ');

/** Grammars dense enough that most sentences have many trees, with cycles of unary rules. */
export const cases: fc.Arbitrary<Case> = fc.record({
  occurrences: fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: STATES, maxLength: STATES }),
  rules: fc
    .tuple(
      fc.uniqueArray(fc.record({ parent: phrase, children: fc.tuple(anyState, anyState), score: scores }), {
        minLength: 4,
        maxLength: 16,
        selector: byStates,
      }),
      fc.uniqueArray(fc.record({ parent: phrase, children: fc.tuple(anyState), score: scores }), {
        maxLength: 5,
        selector: byStates,
      }),
      fc.uniqueArray(fc.record({ parent: fc.constant(0), children: fc.tuple(anyState), score: scores }), {
        minLength: 1,
        maxLength: 2,
        selector: byStates,
      }),
    )
    .map((parts): Rule[] => parts.flat()),
  words: fc.array(
    fc
      .uniqueArray(fc.record({ state: fc.integer({ min: TAGS, max: STATES - 1 }), score: scores }), {
        minLength: 1,
        selector: ({ state }) => state,
      })
      .map((tags) => ({
        states: Int32Array.from(tags, ({ state }) => state),
        scores: Float32Array.from(tags, ({ score }) => score),
      })),
    { minLength: 1, maxLength: 5 },
  ),
});

export function grammarOf({ rules: all, occurrences }: Pick<Case, 'rules' | 'occurrences'>): Grammar {
  const tables = (arity: number) => {
    const some = all.filter(({ children }) => children.length === arity);
    return {
      states: Int32Array.from(
        some.flatMap(({ parent, children }) => [parent, children[0]!, children[1] ?? 0]),
      ),
      scores: Float32Array.from(some, ({ score }) => score),
    };
  };
  return new Grammar({
    start: 0,
    labels: Array.from({ length: STATES }, (_, state) => String(state)),
    tags: Uint8Array.from({ length: STATES }, (_, state) => Number(state >= TAGS)),
    occurrences: Int32Array.from(occurrences),
    binary: tables(2),
    chains: unaryClosure(tables(1), STATES),
  });
}
