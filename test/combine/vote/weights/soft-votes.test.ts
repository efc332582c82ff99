import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainVotedParse } from '../../../../combine/vote/analysis/explain-parse.ts';
import type { Ballot, GoldBallot } from '../../../../combine/vote/ballots.ts';
import { scoresOf, voteOn } from '../../../../combine/vote/scores.ts';
import { Vote } from '../../../../combine/vote/vote.ts';
import { learnWeighting } from '../../../../combine/vote/weights/learn-weighting.ts';
import {
  loadWeighting,
  saveWeighting,
  weightingOf,
} from '../../../../combine/vote/weights/saved-weighting.ts';
import { paradigmWeighting, type Weighting } from '../../../../combine/vote/weights/weighting.ts';
import type { ProbableArcs } from '../../../../parsers/parser.ts';
import { Random } from '../../../../src/learn/random.ts';
import { ModelReader } from '../../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../../src/model/model-writer.ts';
import { explanationSections } from '../../../../src/report/explanation/sections.ts';
import { ballot, goldBallot, randomBallots } from '../../../support/ballots.ts';
import { modelBuffer } from '../../../support/model-buffer.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

/** Probable arcs in mini-notation, one string per token: `0/root/0.6 2/obj/0.4`. */
function arcsOf(...tokens: readonly string[]): ProbableArcs {
  const lists = tokens.map((token) =>
    token
      .split(' ')
      .filter(Boolean)
      .map((arc) => arc.split('/')),
  );
  const all = lists.flat();
  const first = new Int32Array(lists.length + 2);
  for (const [i, list] of lists.entries()) first[i + 2] = first[i + 1] + list.length;
  return {
    first,
    heads: Int32Array.from(all, ([head]) => Number(head)),
    labels: all.map(([, label]) => label),
    probabilities: Float64Array.from(all, ([, , p]) => Number(p)),
  };
}

/** The ballot with the probable arcs of its first member. */
const withArcs = <B extends Ballot>(each: B, arcs: ProbableArcs): B => ({
  ...each,
  trees: each.trees.map((tree, m) => (m === 0 ? { ...tree, arcs } : tree)),
});

const withoutArcs = (each: GoldBallot): GoldBallot => ({
  ...each,
  trees: each.trees.map(({ heads, labels }) => ({ heads, labels })),
});

const decide = (weighting: Weighting, each: Ballot) => {
  const { heads, labels } = new Vote(weighting, { singleRoot: false }).decide(each).tree;
  return [...heads].slice(1).map((head, i) => `${head}/${labels[i + 1]}`);
};

test('a network’s vote is divided among its arcs by their probabilities', () => {
  const weighting = paradigmWeighting(['network', 'graph']);
  const each = ballot('0/r 1/a', '2/b 0/r');
  expect(decide(weighting, each)).toEqual(['0/r', '1/a']);
  const sure = arcsOf('0/r/0.9 2/b/0.1', '1/a/0.9 0/r/0.1');
  expect(decide(weighting, withArcs(each, sure))).toEqual(['0/r', '1/a']);
  const unsure = arcsOf('0/r/0.53 2/b/0.47', '1/a/0.53 0/r/0.47');
  expect(decide(weighting, withArcs(each, unsure))).toEqual(['2/b', '0/r']);
});

test('the arcs of a soft vote are normalised to one vote, and labels share the vote of their head', () => {
  const weighting = paradigmWeighting(['network', 'graph']);
  const each = ballot('0/r 1/a', '0/r 1/b');
  // 0.4 is four fifths of the arcs that are listed: more than the other member's vote for another label.
  expect(decide(weighting, withArcs(each, arcsOf('0/r/0.5', '1/a/0.4 1/b/0.1')))).toEqual(['0/r', '1/a']);
  expect(decide(weighting, withArcs(each, arcsOf('0/r/0.5', '1/a/0.3 1/b/0.2 1/c/0.2')))).toEqual([
    '0/r',
    '1/b',
  ]);
  // A token without an arc has the vote of the tree.
  expect(decide(weighting, withArcs(each, arcsOf('0/r/0.5', '')))).toEqual(['0/r', '1/a']);
});

test('an explanation shows the votes for arcs that are in no tree', () => {
  const each = withArcs(ballot('0/r 1/a', '0/r 1/a'), arcsOf('0/r/1', '1/a/0.8 1/b/0.2'));
  const vote = new Vote(paradigmWeighting(['network', 'graph']));
  const explained = explainVotedParse(vote, each, ['network', 'graph'], [], {});
  const [{ lines, tables }] = explanationSections(explained);
  expect(lines[1]).toBe(
    'Networks vote softly: a vote is divided among the arcs by their probabilities; it counts half unless a head has 0.97.',
  );
  // The network is unsure of labels, but sure of heads: it has four of five votes, a fifth of them for b.
  expect(JSON.stringify(tables)).toContain('a of w1 (1): 1+2; b of w1 (1): 0.16 of the votes');
});

test('a soft vote is the same in any order of members, and with a weighting rebuilt from its data', () => {
  const cases = randomBallots({ tokens: 5, members: 4, trees: true }).chain((each) => {
    const n = each.sentence.length;
    const arc = fc.tuple(fc.nat({ max: n }), fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 9 }));
    const token = fc.uniqueArray(arc, { selector: ([head, label]) => `${head}/${label}`, maxLength: 4 });
    const member = fc.array(token, { minLength: n, maxLength: n });
    const members = fc.array(member, { minLength: each.trees.length, maxLength: each.trees.length });
    return members.map((lists) => ({ each, lists }));
  });
  fc.assert(
    fc.property(cases, ({ each: { sentence, trees }, lists }) => {
      const known = trees.map((tree, m) => {
        const texts = lists[m].map((arcs, i) =>
          arcs.flatMap(([h, label, p]) => (h === i + 1 ? [] : [`${h}/${label}/${p / 40}`])).join(' '),
        );
        return { ...tree, arcs: arcsOf(...texts) };
      });
      const weighting = paradigmWeighting(trees.map(() => 'network'));
      const found = decide(weighting, { sentence, trees: known });
      expect(decide(weighting, { sentence, trees: known.toReversed() })).toEqual(found);
      expect(decide(weightingOf(structuredClone(weighting.data)), { sentence, trees: known })).toEqual(found);
    }),
  );
});

/**
 * Members that are right two times in three; the first is less sure if it is wrong: it gives the right head a
 * probability of 0.9 if its tree is right, else of 0.45.
 */
function knowingBallots(seed: number, sentences: number): GoldBallot[] {
  const random = new Random(seed);
  return Array.from({ length: sentences }, () => {
    const right = [0, 1, 2].map(() => Array.from({ length: 8 }, (_, i) => i < 2 || random.below(3) > 0));
    const back = Array.from({ length: 8 }, (_, i) => (i < 2 ? 0 : random.below(2)));
    const headOf = (i: number, isRight: boolean) => i - (isRight ? back[i] : 1 - back[i]);
    const [gold, ...answers] = [new Array<boolean>(8).fill(true), ...right].map((own) =>
      own.map((isRight, i) => `${headOf(i, isRight || i < 2)}/a`).join(' '),
    );
    const arcs = right[0].map((isRight, i) => {
      const others = i < 2 ? '' : ` ${headOf(i, !isRight)}/a/${isRight ? 0.1 : 0.45}`;
      return `${headOf(i, isRight)}/a/${isRight ? 0.9 : 0.55}${others}`;
    });
    return withArcs(goldBallot(gold, ...answers), arcsOf(...arcs));
  });
}

test('learnt weights use the probabilities of arcs, also after they are saved and loaded', () => {
  const [learnt, tested] = [knowingBallots(1, 150), knowingBallots(2, 80)];
  const bare = (known: readonly GoldBallot[]) => known.map(withoutArcs);
  const uasOf = (weighting: Weighting, voted: readonly GoldBallot[]) =>
    scoresOf(voted, voteOn(voted, new Vote(weighting))).uas;
  const weighting = learnWeighting('learnt', learnt);
  const uas = uasOf(weighting, tested);
  expect(uas).toBeGreaterThan(uasOf(learnWeighting('learnt', bare(learnt)), bare(tested)) + 5);
  const writer = new ModelWriter();
  saveWeighting(weighting, writer);
  const model = ModelReader.fromBuffer(modelBuffer(writer), 'model');
  expect(uasOf(loadWeighting(model, 3)!, tested)).toBe(uas);
});

test('weights by paradigm that are saved in an older model are ignored', () => {
  const writer = new ModelWriter();
  const weights = { name: 'paradigm', overall: [7.8, 1], unconfident: [3.9, 1] };
  writer.header.weighting = { kind: 'members', weights, members: [0, 1] };
  expect(loadWeighting(ModelReader.fromBuffer(modelBuffer(writer), 'model'), 2)).toBeUndefined();
});

test('learnt weights use the tree of a member without probable arcs, as in very long sentences', () => {
  const known = knowingBallots(1, 150).map((each, i) => (i === 0 ? withoutArcs(each) : each));
  const weighting = learnWeighting('learnt', known);
  expect(weighting.soft).toEqual([true, false, false]);
  const voted = new Vote(weighting, { singleRoot: false });
  const each = withoutArcs(goldBallot('0/a 1/a 2/a', '0/a 1/a 2/a', '0/a 1/a 1/a', '0/a 1/a 0/a'));
  expect([...voted.decide(each).tree.heads]).toEqual([-1, 0, 1, 2]);
});

test('weights learnt from members without probable arcs are not soft', () => {
  const known = simulatedBallots(3, 60, 3);
  expect(learnWeighting('learnt', known).soft).toEqual(known[0].trees.map(() => false));
});
