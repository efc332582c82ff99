import { labelTemplates } from '../../parsers/graph/features/template-sets.ts';
import { type Template, templatesOver } from '../../parsers/graph/features/templates.ts';
import { EisnerKBest } from '../../src/decode/eisner-k-best.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { hildreth, type Learner, learners } from '../../src/learn/linear/learner.ts';
import { Random } from '../../src/learn/random.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/**
 * The graph parser, written as clearly as possible: features are strings, weights are a map, averages are sums over
 * all examples, and costs are added to every wrong part. The fast parser must learn the same.
 */
export class ReferencePerceptron {
  private readonly arcs = new ReferenceWeights();
  private readonly labels = new ReferenceWeights();
  private readonly labelTemplates = templatesOver(labelTemplates, ['upos']);
  private candidates = new Map<string, Set<string>>();
  /** The labels of arcs from the root and of all others, for arcs between tags that were never seen together. */
  private readonly kinds = { root: new Set<string>(), other: new Set<string>() };
  private allLabels: string[] = [];

  constructor(
    private readonly templates: readonly Template[],
    private readonly learner: Learner,
    private readonly decoder = createDecoder('chu-liu-edmonds', { singleRoot: true }),
  ) {}

  train(sentences: readonly Sentence[], epochs: number, seed: number): void {
    this.allLabels = [...new Set(sentences.flatMap(({ labels }) => labels.slice(1)))];
    for (const sentence of sentences) {
      for (let d = 1; d <= sentence.length; d++) {
        const key = tagPair(sentence, sentence.heads[d], d);
        this.kinds[sentence.heads[d] === 0 ? 'root' : 'other'].add(sentence.labels[d]);
        this.candidates.set(key, (this.candidates.get(key) ?? new Set()).add(sentence.labels[d]));
      }
    }
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const order = new Random(seed, epoch).shuffle(Int32Array.from(sentences.keys()));
      for (const i of order) this.learn(sentences[i]);
    }
  }

  private learn(sentence: Sentence): void {
    this.arcs.example(this.arcChanges(sentence));
    this.labels.example(this.labelChanges(sentence));
  }

  private arcChanges(sentence: Sentence): Map<string, number> {
    const n = sentence.length;
    const scores = this.scoreMatrix(sentence, this.arcs.now);
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) if (h !== sentence.heads[d]) scores[h * (n + 1) + d] += this.learner.cost;
    }
    return this.arcChangesFrom(sentence, scores);
  }

  /** The single best tree decides. */
  protected arcChangesFrom(sentence: Sentence, scores: Float32Array): Map<string, number> {
    const heads = new Int32Array(sentence.length + 1);
    this.decoder.decode(scores, sentence.length, heads);
    const { difference, violation } = this.compare(sentence, scores, heads);
    return this.scaled(difference, violation);
  }

  /** The features of the gold tree minus those of another one, and the lead of the other tree's score. */
  protected compare(sentence: Sentence, scores: Float32Array, heads: Int32Array) {
    const n = sentence.length;
    const difference = new Map<string, number>();
    let violation = 0;
    for (let d = 1; d <= n; d++) {
      if (heads[d] === sentence.heads[d]) continue;
      violation += scores[heads[d] * (n + 1) + d] - scores[sentence.heads[d] * (n + 1) + d];
      count(difference, arcFeatures(this.templates, sentence, sentence.heads[d], d), 1);
      count(difference, arcFeatures(this.templates, sentence, heads[d], d), -1);
    }
    return { difference, violation };
  }

  /** Arcs are updated one after the other, each with the weights after the update before it. */
  private labelChanges(sentence: Sentence): Map<string, number> {
    const all = new Map<string, number>();
    for (let d = 1; d <= sentence.length; d++) {
      const gold = sentence.labels[d];
      const features = this.labelFeatures(sentence, sentence.heads[d], d);
      const scores = this.labelScores(sentence, sentence.heads[d], d, plus(this.labels.now, all));
      for (const [label, score] of scores) if (label !== gold) scores.set(label, score + this.learner.cost);
      const worst = largest(scores);
      if (worst === gold) continue;
      const difference = new Map<string, number>();
      count(
        difference,
        features.map((feature) => `${feature} ${gold}`),
        1,
      );
      count(
        difference,
        features.map((feature) => `${feature} ${worst}`),
        -1,
      );
      const changes = this.scaled(difference, scores.get(worst)! - scores.get(gold)!);
      for (const [feature, step] of changes) all.set(feature, (all.get(feature) ?? 0) + step);
    }
    return all;
  }

  private scaled(difference: Map<string, number>, violation: number): Map<string, number> {
    if (difference.size === 0) return difference;
    const squaredNorm = () => [...difference.values()].reduce((total, value) => total + value ** 2, 0);
    const step = this.learner.step(violation, { squaredNorm });
    return new Map([...difference].map(([feature, value]) => [feature, step * value]));
  }

  parse(sentence: Sentence): { heads: Int32Array; labels: string[] } {
    const [arcs, labels] = this.learner.averaged
      ? [this.arcs.mean(), this.labels.mean()]
      : [this.arcs.now, this.labels.now];
    const heads = this.heads(sentence, arcs);
    const found = Array.from(heads, (h, d) =>
      d === 0 ? '' : largest(this.labelScores(sentence, h, d, labels)),
    );
    return { heads, labels: found };
  }

  private scoreMatrix(sentence: Sentence, weights: ReadonlyMap<string, number>): Float32Array {
    const n = sentence.length;
    const scores = new Float32Array((n + 1) ** 2);
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) {
        if (h !== d) scores[h * (n + 1) + d] = sum(weights, arcFeatures(this.templates, sentence, h, d));
      }
    }
    return scores;
  }

  private heads(sentence: Sentence, weights: ReadonlyMap<string, number>): Int32Array {
    const heads = new Int32Array(sentence.length + 1);
    this.decoder.decode(this.scoreMatrix(sentence, weights), sentence.length, heads);
    return heads;
  }

  private labelScores(
    sentence: Sentence,
    h: number,
    d: number,
    weights: ReadonlyMap<string, number>,
  ): Map<string, number> {
    const seen = this.candidates.get(tagPair(sentence, h, d));
    const features = this.labelFeatures(sentence, h, d);
    const alike = this.kinds[h === 0 ? 'root' : 'other'];
    const candidates = this.allLabels.filter((label) => (seen ?? alike).has(label));
    return new Map(
      candidates.map((label) => [
        label,
        sum(
          weights,
          features.map((feature) => `${feature} ${label}`),
        ),
      ]),
    );
  }

  /** The features are those of arcs, but with only the direction instead of direction and distance. */
  private labelFeatures(sentence: Sentence, h: number, d: number): string[] {
    return featureStrings(this.labelTemplates, sentence, h, d, h < d ? 'right' : 'left');
  }
}

/** In k-best MIRA the k best projective trees decide together. */
export class ReferenceKBestMira extends ReferencePerceptron {
  constructor(
    templates: readonly Template[],
    private readonly k: number,
  ) {
    super(templates, learners.mira, createDecoder('eisner', { singleRoot: true }));
  }

  protected override arcChangesFrom(sentence: Sentence, scores: Float32Array): Map<string, number> {
    const n = sentence.length;
    const trees = Array.from({ length: this.k }, () => new Int32Array(n + 1));
    const found = trees.slice(0, new EisnerKBest({ singleRoot: true }, this.k).decode(scores, n, trees));
    const constraints = found.map((heads) => this.compare(sentence, scores, heads));
    const gram = constraints.flatMap((one) =>
      constraints.map((other) => product(one.difference, other.difference)),
    );
    const steps = new Float64Array(found.length);
    const violations = constraints.map(({ violation }) => violation);
    hildreth(Float64Array.from(gram), Float64Array.from(violations), found.length, steps);
    return constraints.reduce((changes, { difference }, i) => {
      const step = Math.round(steps[i]);
      return plus(changes, new Map([...difference].map(([feature, value]) => [feature, step * value])));
    }, new Map<string, number>());
  }
}

class ReferenceWeights {
  readonly now = new Map<string, number>();
  private readonly sums = new Map<string, number>();

  example(changes: ReadonlyMap<string, number>): void {
    for (const [feature, step] of changes) this.now.set(feature, (this.now.get(feature) ?? 0) + step);
    for (const [feature, weight] of this.now) this.sums.set(feature, (this.sums.get(feature) ?? 0) + weight);
  }

  /** The sum can stand for the mean, since they differ only by a common factor. */
  mean(): ReadonlyMap<string, number> {
    return this.sums;
  }
}

function sum(weights: ReadonlyMap<string, number>, features: readonly string[]): number {
  return features.reduce((total, feature) => total + (weights.get(feature) ?? 0), 0);
}

function product(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  return [...one].reduce((total, [feature, value]) => total + value * (other.get(feature) ?? 0), 0);
}

function plus(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  const both = new Map(one);
  for (const [feature, value] of other) both.set(feature, (both.get(feature) ?? 0) + value);
  return both;
}

function count(features: Map<string, number>, names: readonly string[], by: number): void {
  for (const name of names) features.set(name, (features.get(name) ?? 0) + by);
}

/** The key of the largest value; the first of equal ones. */
function largest(scores: ReadonlyMap<string, number>): string {
  return [...scores].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

function tagPair(sentence: Sentence, h: number, d: number): string {
  return `${tag(sentence, h)} ${tag(sentence, d)} ${h < d}`;
}

function tag({ upos }: Sentence, i: number): string {
  return i === 0 ? '<root>' : upos[i];
}

function arcFeatures(templates: readonly Template[], sentence: Sentence, h: number, d: number): string[] {
  const length = Math.abs(h - d);
  const bucket = length <= 5 ? length : length <= 10 ? '6–10' : 'more';
  return featureStrings(templates, sentence, h, d, `${h < d ? 'right' : 'left'} ${bucket}`);
}

function featureStrings(
  templates: readonly Template[],
  sentence: Sentence,
  h: number,
  d: number,
  conjoined: string,
): string[] {
  const bare = templates.flatMap(({ name, head, dependent, between }) => {
    const ends = [
      ...head.map((f) => read(sentence, f, h)),
      ...dependent.map((f) => read(sentence, f, d)),
    ].join(' ');
    if (between.length === 0) return [`${name}: ${ends}`];
    const inside = new Set<string>();
    for (let b = Math.min(h, d) + 1; b < Math.max(h, d); b++) inside.add(read(sentence, between[0], b));
    return (inside.size === 0 ? ['<nothing>'] : [...inside]).map((word) => `${name}: ${ends} ${word}`);
  });
  return bare.flatMap((feature) => [feature, `${feature} ${conjoined}`]);
}

function read(sentence: Sentence, field: Template['head'][number], position: number): string {
  const i = position + field.offset;
  if (i < 0) return '<before>';
  if (i > sentence.length) return '<after>';
  if (i === 0) return '<root>';
  return field.column === 'form' ? sentence.forms[i].toLowerCase() : sentence.upos[i];
}
