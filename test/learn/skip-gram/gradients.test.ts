import { expect, test } from 'vitest';
import { Random } from '../../../src/learn/random.ts';
import { LINE_END } from '../../../src/learn/skip-gram/layout.ts';
import { aliasTable, keepBounds, openSkipGram, SkipGramMemory } from '../../../src/learn/skip-gram/memory.ts';

// Two lines of words drawn from a vocabulary of a hundred, so that few words are left out as too frequent.
const vocabulary = 100;
const random = new Random(7);
const counts = Float64Array.from({ length: vocabulary }, (_, i) => 1 + (i % 9));
const words = () => Array.from({ length: 40 }, () => random.below(vocabulary));
const text = Int32Array.from([...words(), LINE_END, ...words()]);
// Each word has its own row and the rows of two n-grams, which it shares with other words.
const rowsOf = (word: number) => [word, vocabulary + (word % 7), vocabulary + 7 + (word % 5)];
const data = {
  dimensions: 6,
  window: 3,
  negatives: 2,
  text,
  counts,
  rowStarts: Int32Array.from({ length: vocabulary + 1 }, (_, word) => 3 * word),
  rows: Int32Array.from(Array.from({ length: vocabulary }, (_, word) => rowsOf(word)).flat()),
  inputs: vocabulary + 12,
  chunk: text.length,
};
const { dimensions } = data;

interface Example {
  readonly word: number;
  readonly target: number;
  readonly isContext: boolean;
}

/** The pairs that a pass draws according to the papers, at most one batch. */
function drawn(seed: number): Example[] {
  const draws = new Random(seed, 0, 0);
  const draw = () => draws.next() >>> 0;
  const below = (bound: number) => Number((BigInt(draw()) * BigInt(bound)) >> 32n);
  const bounds = keepBounds(counts);
  const table = aliasTable(counts);
  const kept = [...text].filter((word) => word === LINE_END || draw() <= bounds[word]);
  const examples: Example[] = [];
  for (const [i, word] of kept.entries()) {
    if (word === LINE_END) continue;
    const reach = 1 + below(data.window);
    const start = kept.lastIndexOf(LINE_END, i) + 1;
    const end = kept.indexOf(LINE_END, i) === -1 ? kept.length : kept.indexOf(LINE_END, i);
    for (let j = Math.max(start, i - reach); j < Math.min(end, i + reach + 1); j++) {
      if (j === i) continue;
      examples.push({ word, target: kept[j], isContext: true });
      for (let n = 0; n < data.negatives; ) {
        const candidate = below(vocabulary);
        const target = draw() <= table[2 * candidate] ? candidate : table[2 * candidate + 1];
        if (target === kept[j]) continue;
        examples.push({ word, target, isContext: false });
        n++;
      }
    }
  }
  return examples;
}

/** The negative log likelihood of the examples. */
function loss(examples: readonly Example[], inputs: ArrayLike<number>, outputs: ArrayLike<number>): number {
  let sum = 0;
  for (const { word, target, isContext } of examples) {
    let product = 0;
    for (const row of rowsOf(word))
      for (let i = 0; i < dimensions; i++)
        product += (inputs[row * dimensions + i] / 3) * outputs[target * dimensions + i];
    sum += Math.log1p(Math.exp(isContext ? -product : product));
  }
  return sum;
}

test('a step follows the gradient found by differences; each row of a word gets the gradient of their mean', () => {
  const memory = new SkipGramMemory(data, 1);
  const seed = [...Array(50).keys()].find((each) => {
    const words = drawn(each).map(({ word }) => word);
    return words.length > 60 && new Set(words).size > 8 && new Set(words).size < 24;
  })!;
  const examples = drawn(seed);
  const numbers = (count: number) => Float32Array.from({ length: count }, () => random.uniform() - 0.5);
  const before = { inputs: numbers(data.inputs * dimensions), outputs: numbers(vocabulary * dimensions) };
  memory.write('inputs', before.inputs);
  memory.write('outputs', before.outputs);
  // Rows change one after another, which hardly matters if the steps are small.
  const rate = 2 ** -10;
  openSkipGram(memory.memory).learn(memory.structs[0], 0, text.length, seed, 0, 0, rate, 0);

  const step = 1e-4;
  for (const name of ['inputs', 'outputs'] as const) {
    const after = memory.read(name);
    const factor = name === 'inputs' ? 3 : 1;
    for (let i = 0; i < after.length; i++) {
      const around = [-step, step].map((difference) => {
        const moved = Float64Array.from(before[name]);
        moved[i] += difference;
        const both = { ...before, [name]: moved };
        return loss(examples, both.inputs, both.outputs);
      });
      const gradient = (around[1] - around[0]) / (2 * step);
      expect((after[i] - before[name][i]) / rate).toBeCloseTo(-factor * gradient, 2);
    }
  }
});

test('words are drawn in proportion to their counts to the power of 3/4', () => {
  const table = aliasTable(counts);
  const shares = new Float64Array(vocabulary);
  for (let word = 0; word < vocabulary; word++) {
    const own = (table[2 * word] + 1) / 2 ** 32;
    shares[word] += own / vocabulary;
    shares[table[2 * word + 1]] += (1 - own) / vocabulary;
  }
  const total = counts.reduce((sum, count) => sum + count ** 0.75, 0);
  for (const [word, share] of shares.entries()) expect(share).toBeCloseTo(counts[word] ** 0.75 / total, 8);
});
