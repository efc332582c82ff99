import type { Ballot } from '../../combine/vote/ballots.ts';
import { isUnlabelled } from '../../combine/vote/poll.ts';

/** The accuracies of members by agreement, computed as plainly as possible: the reference for the fast code. */
export function literalAgreement(ballots: readonly Ballot[]) {
  const count = ballots[0].trees.length;
  const members = Array.from({ length: count }, (_, m) => m);
  let accuracies = members.map(() => 0.8);
  let byTag: Record<string, number[]> = {};
  for (let round = 0; round < 30; round++) {
    const right: Record<string, number[]> = {};
    const tokens: Record<string, number> = {};
    for (const each of ballots) {
      const expected = sentenceExpectation(each, (tag) => byTag[tag] ?? accuracies);
      expected.forEach((probabilities, i) => {
        const tag = each.sentence.upos[i + 1];
        tokens[tag] = (tokens[tag] ?? 0) + 1;
        right[tag] = probabilities.map((probability, m) => (right[tag]?.[m] ?? 0) + probability);
      });
    }
    const all = Object.values(tokens).reduce((a, b) => a + b);
    const before = accuracies;
    accuracies = members.map((m) => Object.values(right).reduce((sum, row) => sum + row[m], 0) / all);
    byTag = Object.fromEntries(
      Object.keys(tokens).map((tag) => [
        tag,
        right[tag].map((sum, m) => (sum + 50 * accuracies[m]) / (tokens[tag] + 50)),
      ]),
    );
    if (Math.max(...accuracies.map((accuracy, m) => Math.abs(accuracy - before[m]))) < 1e-4) break;
  }
  return { accuracies, byTag };
}

/** For each token, the probability that each member's answer is right. */
function sentenceExpectation(
  { sentence, trees }: Ballot,
  accuraciesOf: (tag: string) => number[],
): number[][] {
  const odds = (accuracy: number) => {
    const p = Math.min(Math.max(0.1, accuracy), 0.999);
    return Math.log((9 * p) / (1 - p));
  };
  const tokens = Array.from({ length: sentence.length }, (_, i) => i + 1);
  let shifts = trees.map(() => 0);
  for (let round = 1; ; round++) {
    const rightness = tokens.map((d) => {
      const usual = accuraciesOf(sentence.upos[d]);
      const answers = trees.map((tree) =>
        tree.heads[d] === d
          ? undefined
          : { head: tree.heads[d], label: isUnlabelled(tree) ? '' : tree.labels[d] },
      );
      const given = answers.flatMap((answer) => answer ?? []);
      const labelled = given.filter(
        ({ head, label }) =>
          label !== '' || !given.some((other) => other.head === head && other.label !== ''),
      );
      const arcs = [...new Map(labelled.map((arc) => [`${arc.head} ${arc.label}`, arc])).values()];
      const isFor = (m: number, arc: { head: number; label: string }) =>
        answers[m]?.head === arc.head && (answers[m].label === '' || answers[m].label === arc.label);
      const scores = arcs.map((arc) =>
        Math.exp(
          trees.reduce(
            (sum, _, m) =>
              isFor(m, arc) ? sum + Math.min(Math.max(0, odds(usual[m]) + shifts[m]), odds(0.999)) : sum,
            0,
          ),
        ),
      );
      const all = scores.reduce((a, b) => a + b, 0);
      return trees.map((_, m) =>
        arcs.reduce((sum, arc, a) => (isFor(m, arc) ? sum + scores[a] / all : sum), 0),
      );
    });
    if (round === 3) return rightness;
    shifts = trees.map((_, m) => {
      const usual = tokens.reduce((sum, d) => sum + accuraciesOf(sentence.upos[d])[m], 0) / tokens.length;
      const right = rightness.reduce((sum, row) => sum + row[m], 0);
      return odds((right + 20 * usual) / (tokens.length + 20)) - odds(usual);
    });
  }
}
