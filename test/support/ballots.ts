import fc from 'fast-check';
import { type Ballot, goldBallot as ballotOn, type GoldBallot } from '../../combine/vote/ballots.ts';
import type { DependencyTree } from '../../src/treebank/sentence.ts';
import { randomHeads } from './random-trees.ts';
import { sentence } from './sentences.ts';

export interface BallotShape {
  /** The maximum number of tokens, then of members. */
  readonly tokens: number;
  readonly members: number;
  /** Whether all answers are trees; otherwise they may contain cycles and tokens that are their own head. */
  readonly trees: boolean;
}

/** Random answers to one sentence of 1…tokens tokens by 1…members members, with few different labels. */
export function randomBallots({ tokens, members, trees }: BallotShape): fc.Arbitrary<Ballot> {
  return fc.integer({ min: 1, max: tokens }).chain((n) =>
    fc
      .array(fc.tuple(trees ? randomHeads(n, n) : anyHeads(n), labelsOf(n)), {
        minLength: 1,
        maxLength: members,
      })
      .map((answers) => ballotOf(answers.map(([heads, labels]) => ({ heads, labels })))),
  );
}

/** Weights from 0 to 5, one for each member, at least one of them above 0. */
export function randomWeights(ballot: Ballot): fc.Arbitrary<number[]> {
  const { length } = ballot.trees;
  return fc
    .array(fc.integer({ min: 0, max: 5 }), { minLength: length, maxLength: length })
    .map((weights) => (weights.some((weight) => weight > 0) ? weights : weights.map(() => 1)));
}

/** A ballot in mini-notation, one string for each member: `2/nsubj 0/root`. */
export function ballot(...members: readonly string[]): Ballot {
  return ballotOf(
    members.map((text) => {
      const arcs = text.split(' ').map((arc) => arc.split('/'));
      return {
        heads: Int32Array.from([-1, ...arcs.map(([head]) => Number(head))]),
        labels: ['', ...arcs.map((arc) => arc[1] ?? '_')],
      };
    }),
  );
}

function ballotOf(trees: readonly DependencyTree[]): Ballot {
  const n = trees[0].heads.length - 1;
  const forms = Array.from({ length: n }, (_, i) => `w${i + 1}`);
  const tags = forms.map((_, i) => (i % 2 === 0 ? 'N' : 'V'));
  const flat = forms.map(() => '0').join(' ');
  return { sentence: sentence(forms.join(' '), flat, { upos: tags.join(' ') }), trees };
}

function anyHeads(n: number): fc.Arbitrary<Int32Array> {
  return fc
    .array(fc.integer({ min: 0, max: n }), { minLength: n, maxLength: n })
    .map((heads) => Int32Array.from([-1, ...heads]));
}

function labelsOf(n: number): fc.Arbitrary<string[]> {
  return fc
    .array(fc.constantFrom('a', 'b', 'c', '_'), { minLength: n, maxLength: n })
    .map((labels) => ['', ...labels]);
}

/** A ballot in mini-notation, with the gold tree as the first string. */
export function goldBallot(gold: string, ...members: readonly string[]): GoldBallot {
  const { sentence: words, trees } = ballot(gold, ...members);
  const [right, ...answers] = trees;
  return ballotOn({ ...words, heads: right.heads, labels: right.labels }, answers);
}
