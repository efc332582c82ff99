import type { GoldBallot } from '../../combine/vote/ballots.ts';
import { Random } from '../../src/learn/random.ts';
import { goldBallot } from './ballots.ts';

/**
 * Answers of simulated parsers to sentences of 6 to 12 tokens. A token's right head is near (the token before
 * it, label `near`) or far (the first token, label `far`). Member 0 is mostly right about near heads and wrong about
 * far ones, member 1 the reverse. The rest are wrong more often than right, all at the same tokens.
 */
export function simulatedBallots(seed: number, sentences: number, members: number): GoldBallot[] {
  const random = new Random(seed, members);
  const chance = (percent: number) => random.below(100) < percent;
  return Array.from({ length: sentences }, () => {
    const n = 6 + random.below(7);
    const gold: string[] = ['0/root'];
    const answers = Array.from({ length: members }, () => ['0/root']);
    for (let d = 2; d <= n; d++) {
      const near = d === 2 || chance(50);
      const [right, wrong] = near ? [`${d - 1}/near`, '1/far'] : ['1/far', `${d - 1}/near`];
      const misled = chance(55);
      gold.push(right);
      answers.forEach((answer, m) => {
        const isRight = m === 0 ? chance(near ? 95 : 30) : m === 1 ? chance(near ? 30 : 95) : !misled;
        answer.push(isRight || d === 2 ? right : wrong);
      });
    }
    return goldBallot(gold.join(' '), ...answers.map((answer) => answer.join(' ')));
  });
}
