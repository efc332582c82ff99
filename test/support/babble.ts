import { Random } from '../../src/learn/random.ts';

const syllables = ['ba', 'lo', 'mi', 'ka', 'ne', 'tu'];

/** Sentences in which each word helps to predict the next one. */
export async function* babble(seed: number, sentences: number): AsyncGenerator<string[]> {
  const random = new Random(seed);
  for (let s = 0; s < sentences; s++) {
    const sentence: string[] = [];
    let word = random.below(36);
    for (let length = 3 + random.below(5); length > 0; length--) {
      sentence.push(`${syllables[word % 6]}${syllables[Math.floor(word / 6)]}`);
      word = random.uniform() < 0.8 ? (word * 5 + 1) % 36 : random.below(36);
    }
    yield [...sentence, '.'];
  }
}
