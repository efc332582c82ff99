import { detached } from '../../../src/platform/platform.ts';
import type { Ballot } from '../ballots.ts';
import { Poll } from '../poll.ts';
import { answersOf, type SentenceAnswers, SentenceExpectation } from './agreement-weighting.ts';
import { type AgreementModel, equalWeighting } from './weighting.ts';

/** Initial accuracy of every member: as all are equal, the majority counts as right at first. */
const FIRST_ACCURACY = 0.8;
/** Pseudo-count of tokens with the member's overall accuracy, added to each tag. */
const SMOOTHING = 50;
const MOST_ROUNDS = 30;
const TOLERANCE = 1e-4;

/** The members' answers for many sentences, without gold trees. */
export class MemberAnswers {
  readonly sentences: SentenceAnswers[] = [];
  private readonly poll = new Poll();
  /** Interned tags, so that no answer keeps the text of a whole file alive. */
  private readonly tags = new Map<string, string>();
  count = 0;

  static of(ballots: Iterable<Ballot>): MemberAnswers {
    const answers = new MemberAnswers();
    for (const ballot of ballots) answers.add(ballot);
    return answers;
  }

  add(ballot: Ballot): void {
    this.count = ballot.trees.length;
    this.poll.collect(ballot, equalWeighting(this.count));
    const answers = answersOf(ballot, this.poll);
    this.sentences.push({ ...answers, tags: answers.tags.map((tag) => this.interned(tag)) });
  }

  private interned(tag: string): string {
    if (!this.tags.has(tag)) this.tags.set(detached(tag), detached(tag));
    return this.tags.get(tag)!;
  }
}

/**
 * Estimates the members' accuracies, overall and by tag of the dependent, from their answers alone (Dawid & Skene 1979):
 * expectation maximisation with the gold arcs as hidden variables.
 *
 * @param members the members whose answers count, by number; default: all
 */
export function learnAgreement(
  { count, sentences }: MemberAnswers,
  members: readonly number[] = Array.from({ length: count }, (_, m) => m),
): AgreementModel {
  const expectation = new SentenceExpectation(count, members);
  let accuracies = new Accuracies(count);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = new Accuracies(count);
    for (const answers of sentences) {
      expectation.fill(answers, (tag) => accuracies.of(tag));
      for (let d = 1; d <= answers.n; d++) {
        for (const m of members) next.count(answers.tags[d], m, expectation.rightness(answers, m, d));
        next.countToken(answers.tags[d]);
      }
    }
    next.settle();
    const change = next.difference(accuracies);
    accuracies = next;
    if (change < TOLERANCE) break;
  }
  return { members, ...accuracies.plain() };
}

class Accuracies {
  private readonly overall: Float64Array;
  private readonly byTag = new Map<string, { tokens: number; readonly right: Float64Array }>();
  private tokens = 0;

  constructor(private readonly members: number) {
    this.overall = new Float64Array(members).fill(FIRST_ACCURACY);
  }

  of(tag: string): Float64Array {
    return this.byTag.get(tag)?.right ?? this.overall;
  }

  count(tag: string, m: number, rightness: number): void {
    this.entry(tag).right[m] += rightness;
  }

  countToken(tag: string): void {
    this.entry(tag).tokens += 1;
    this.tokens += 1;
  }

  settle(): void {
    const { overall, byTag, tokens } = this;
    if (tokens === 0) return;
    overall.fill(0);
    for (const { right } of byTag.values())
      for (const [m, sum] of right.entries()) overall[m] += sum / tokens;
    for (const entry of byTag.values()) {
      const { right } = entry;
      for (const [m, sum] of right.entries())
        right[m] = (sum + SMOOTHING * overall[m]) / (entry.tokens + SMOOTHING);
    }
  }

  difference({ overall }: Accuracies): number {
    return this.overall.reduce((most, value, m) => Math.max(most, Math.abs(value - overall[m])), 0);
  }

  plain(): Omit<AgreementModel, 'members'> {
    const byTag = [...this.byTag].map(([tag, { right }]) => [tag, [...right]]);
    return { accuracies: [...this.overall], byTag: Object.fromEntries(byTag) };
  }

  private entry(tag: string) {
    let entry = this.byTag.get(tag);
    if (entry === undefined) {
      entry = { tokens: 0, right: new Float64Array(this.members) };
      this.byTag.set(tag, entry);
    }
    return entry;
  }
}
