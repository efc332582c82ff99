import type { ExampleReader } from './example-reader.ts';

/** How many pairs of classes there are: (0, 1), (0, 2), …, (1, 2), … */
export function pairCount(classes: number): number {
  return (classes * (classes - 1)) / 2;
}

/** Where the pair of two classes is among them, a < b. */
export function pairOf(a: number, b: number, classes: number): number {
  return pairCount(classes) - pairCount(classes - a) + b - a - 1;
}

/**
 * What classes score by the machines of all their pairs, whose margins speak for the first where they are above 0. A class
 * has a vote for each pair that it wins (Kreßel 1999, “Pairwise classification and support vector machines”). The sum of
 * its margins counts less than half a vote, and breaks ties.
 *
 * @param margins of the pairs of `count` classes, in their order
 */
export function scoreByPairs(margins: Float64Array, count: number, scores: Float64Array): void {
  for (let a = 0; a < count; a++) {
    let votes = 0;
    let sum = 0;
    for (let b = 0; b < count; b++) {
      if (a === b) continue;
      const margin = a < b ? margins[pairOf(a, b, count)] : -margins[pairOf(b, a, count)];
      if (margin > 0 || (margin === 0 && a < b)) votes++;
      sum += margin;
    }
    scores[a] = votes + sum / (3 * (Math.abs(sum) + 1));
  }
}

/**
 * The examples of a reader, with a column of weights for each pair of classes, for one problem a pair: the examples of its
 * first class against those of its second, and no others.
 */
export class PairReader implements ExampleReader {
  readonly allowed: Int32Array;
  readonly positives: Int32Array;

  /** @param reader its rows have as many weights as there are pairs of classes */
  constructor(
    private readonly reader: ExampleReader,
    classes: number,
  ) {
    const words = Math.ceil(reader.classes / 32);
    this.allowed = new Int32Array(reader.count * words);
    this.positives = new Int32Array(reader.classes);
    for (let a = 0; a < classes; a++) {
      for (let b = a + 1; b < classes; b++) this.positives[pairOf(a, b, classes)] = a;
    }
    for (let i = 0; i < reader.count; i++) {
      const target = reader.targets[i];
      for (let other = 0; other < classes; other++) {
        if (other === target) continue;
        const pair = pairOf(Math.min(target, other), Math.max(target, other), classes);
        this.allowed[i * words + (pair >> 5)] |= 1 << (pair & 31);
      }
    }
  }

  get count(): number {
    return this.reader.count;
  }

  get targets(): Int32Array {
    return this.reader.targets;
  }

  get size(): number {
    return this.reader.size;
  }

  get classes(): number {
    return this.reader.classes;
  }

  get starts(): Int32Array {
    return this.reader.starts;
  }

  get values(): Float32Array {
    return this.reader.values;
  }

  read(i: number): number {
    return this.reader.read(i);
  }
}
