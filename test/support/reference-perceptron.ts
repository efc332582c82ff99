import { createDecoder } from '../../parsers/graph/decoders/registry.ts';
import { labelTemplates, type Template, templatesOver } from '../../parsers/graph/templates.ts';
import { Random } from '../../src/learn/random.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';

/**
 * The graph parser as clearly as it can be written: features are strings, weights a map, the average a sum over all examples.
 * The fast one must learn the same.
 */
export class ReferencePerceptron {
  private readonly arcs = new ReferenceWeights();
  private readonly labels = new ReferenceWeights();
  private readonly decoder = createDecoder('chu-liu-edmonds', { singleRoot: true });
  private readonly labelTemplates = templatesOver(labelTemplates, ['upos']);
  private candidates = new Map<string, Set<string>>();
  private allLabels: string[] = [];

  constructor(
    private readonly templates: readonly Template[],
    private readonly averaged: boolean,
  ) {}

  train(sentences: readonly Sentence[], epochs: number, seed: number): void {
    this.allLabels = [...new Set(sentences.flatMap(({ labels }) => labels.slice(1)))];
    for (const sentence of sentences) {
      for (let d = 1; d <= sentence.length; d++) {
        const key = tagPair(sentence, sentence.heads[d], d);
        this.candidates.set(key, (this.candidates.get(key) ?? new Set()).add(sentence.labels[d]));
      }
    }
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const order = new Random(seed, epoch).shuffle(Int32Array.from(sentences.keys()));
      for (const i of order) this.learn(sentences[i]);
    }
  }

  private learn(sentence: Sentence): void {
    const heads = this.heads(sentence, this.arcs.now);
    const changes: [string, number][] = [];
    const labelChanges: [string, number][] = [];
    for (let d = 1; d <= sentence.length; d++) {
      const gold = sentence.heads[d];
      if (heads[d] !== gold) {
        for (const f of arcFeatures(this.templates, sentence, gold, d)) changes.push([f, 1]);
        for (const f of arcFeatures(this.templates, sentence, heads[d], d)) changes.push([f, -1]);
      }
      const label = this.label(sentence, gold, d, this.labels.now);
      if (label !== sentence.labels[d]) {
        for (const f of this.labelFeatures(sentence, gold, d)) {
          labelChanges.push([`${f} ${sentence.labels[d]}`, 1], [`${f} ${label}`, -1]);
        }
      }
    }
    this.arcs.example(changes);
    this.labels.example(labelChanges);
  }

  parse(sentence: Sentence): { heads: Int32Array; labels: string[] } {
    const [arcs, labels] = this.averaged
      ? [this.arcs.mean(), this.labels.mean()]
      : [this.arcs.now, this.labels.now];
    const heads = this.heads(sentence, arcs);
    const found = Array.from(heads, (h, d) => (d === 0 ? '' : this.label(sentence, h, d, labels)));
    return { heads, labels: found };
  }

  private heads(sentence: Sentence, weights: ReadonlyMap<string, number>): Int32Array {
    const n = sentence.length;
    const scores = new Float32Array((n + 1) ** 2);
    for (let h = 0; h <= n; h++) {
      for (let d = 1; d <= n; d++) {
        if (h !== d) scores[h * (n + 1) + d] = sum(weights, arcFeatures(this.templates, sentence, h, d));
      }
    }
    const heads = new Int32Array(n + 1);
    this.decoder.decode(scores, n, heads);
    return heads;
  }

  private label(sentence: Sentence, h: number, d: number, weights: ReadonlyMap<string, number>): string {
    const seen = this.candidates.get(tagPair(sentence, h, d));
    const candidates = this.allLabels.filter((label) => seen === undefined || seen.has(label));
    const features = this.labelFeatures(sentence, h, d);
    const scores = candidates.map((label) =>
      sum(
        weights,
        features.map((feature) => `${feature} ${label}`),
      ),
    );
    return candidates[scores.indexOf(Math.max(...scores))];
  }

  /** As for arcs, but with the direction in place of direction and distance. */
  private labelFeatures(sentence: Sentence, h: number, d: number): string[] {
    return featureStrings(this.labelTemplates, sentence, h, d, h < d ? 'right' : 'left');
  }
}

class ReferenceWeights {
  readonly now = new Map<string, number>();
  private readonly sums = new Map<string, number>();

  example(changes: readonly (readonly [string, number])[]): void {
    for (const [feature, step] of changes) this.now.set(feature, (this.now.get(feature) ?? 0) + step);
    for (const [feature, weight] of this.now) this.sums.set(feature, (this.sums.get(feature) ?? 0) + weight);
  }

  /** The sum stands for the mean: all times the same factor. */
  mean(): ReadonlyMap<string, number> {
    return this.sums;
  }
}

function sum(weights: ReadonlyMap<string, number>, features: readonly string[]): number {
  return features.reduce((total, feature) => total + (weights.get(feature) ?? 0), 0);
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
