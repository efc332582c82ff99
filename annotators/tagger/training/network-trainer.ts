import { directions } from '../../../src/learn/network/layers/recurrence.ts';
import type { Schedule } from '../../../src/learn/network/schedule.ts';
import { Random } from '../../../src/learn/random.ts';
import { addParts, type Choices, TagChoices } from '../choices.ts';
import type { LearntNetwork } from '../network/learnt-network.ts';
import { sizesOf, TagNetwork } from '../network/tag-network.ts';
import { WordValues } from '../network/word-values.ts';
import { BatchWords } from './batch-words.ts';
import { sumOverParts, toGradients } from './gradients.ts';
import { NetworkState } from './network-state.ts';
import { eachWord, type Lesson, type TrainingData } from './training-data.ts';

/** How far the first steps of learning go. */
const RATE = 0.008;
/** Slopes that are longer are shortened to this. */
const LONGEST_SLOPES = 5;

/** Longer sentences than this are read in pieces. */
const LONGEST = 1000;

/** A sentence, or a piece of one: words from one place on up to another. */
interface Piece extends Lesson {
  readonly from: number;
  readonly to: number;
}

/** How far the training is. */
export interface Position {
  readonly epoch: number;
  /** Sentences of this epoch that are done. */
  readonly done: number;
}

/**
 * Takes a network through its epochs: each step goes against the slopes of the cross entropy of universal tags, pairs and
 * bundles, added up over a batch of sentences. Steps become shorter, down to nothing at the end. What different words of a
 * batch add to the gates is computed, and learnt, once for all their places.
 */
export class NetworkTrainer {
  readonly state: NetworkState;
  private readonly network: TagNetwork;
  private readonly values: WordValues;
  private readonly choices: TagChoices;
  private readonly words: BatchWords;
  private readonly gradients: Float64Array;

  constructor(
    private readonly data: TrainingData,
    private readonly units: number,
    readonly schedule: Schedule,
    private readonly seed: number,
  ) {
    const { lessons, knowledge } = data;
    const { tags } = knowledge;
    this.values = WordValues.of((see) => eachWord(lessons, see));
    this.choices = new TagChoices(tags);
    const sizes = { fields: this.values.fields, units, ...sizesOf(tags, this.choices) };
    const longest = lessons.reduce((most, { words }) => Math.max(most, words.length), 0);
    const different = schedule.batch + longest;
    this.network = new TagNetwork(sizes, { different, words: Math.min(longest, LONGEST) });
    this.network.begin(new Random(seed));
    this.words = new BatchWords(this.values, lessons, different);
    this.gradients = new Float64Array(Math.max(sizes.upos, sizes.mostChoices));
    this.state = new NetworkState(this.network.parameters);
  }

  /** What was learnt. */
  learnt(): LearntNetwork {
    const weights = this.network.parameters.weights.values.slice();
    return { units: this.units, values: this.values, weights };
  }

  /** Learns from a sentence, once there are enough for a step. */
  learn(index: number, { epoch, done }: Position): void {
    const { waiting } = this.state;
    const { lessons } = this.data;
    const { batch, epochs } = this.schedule;
    waiting.push(index);
    const tokens = waiting.reduce((sum, number) => sum + lessons[number].words.length, 0);
    if (tokens < batch && done < lessons.length - 1) return;
    // Drawn anew for every batch, so that a resumed training needs no generator's state.
    const random = new Random(this.seed, epoch, -1 - done);
    this.learnBatch(
      waiting.map((number) => lessons[number]),
      random,
    );
    const left = 1 - (epoch - 1 + done / lessons.length) / epochs;
    this.state.steps++;
    this.network.parameters.step(this.state.steps, 1 / tokens, RATE * left, LONGEST_SLOPES);
    this.state.waiting = [];
  }

  private learnBatch(lessons: readonly Lesson[], random: Random): void {
    const { words } = this.network;
    const batch = this.words;
    batch.read(lessons, random);
    words.forward(batch.values, batch.count, random);
    const width = 4 * this.units;
    for (const slopes of words.gateSlopes!) slopes.values.fill(0, 0, batch.count * width);
    let start = 0;
    for (const lesson of lessons) {
      const { length } = lesson.words;
      for (let from = 0; from < length; from += LONGEST) {
        const to = Math.min(from + LONGEST, length);
        this.learnPiece({ ...lesson, from, to }, batch.rows.subarray(start + from, start + to), random);
      }
      start += length;
    }
    words.backward(batch.values, batch.count);
  }

  /** @param rows of its words among those of the batch */
  private learnPiece(piece: Piece, rows: Int32Array, random: Random): void {
    const network = this.network;
    const { sentence, words } = network;
    const width = 4 * this.units;
    for (let d = 0; d < directions.length; d++) {
      const [gates, all] = [sentence.recurrences[d].gates.values, words.gates[d].values];
      for (let i = 0; i < rows.length; i++) {
        const [to, from] = [i * width, rows[i] * width];
        for (let k = 0; k < width; k++) gates[to + k] = all[from + k];
      }
    }
    network.read(rows.length, random);
    this.fillSlopes(piece);
    network.backward(rows.length);
    for (let d = 0; d < directions.length; d++) {
      const [slopes, all] = [sentence.recurrences[d].gateSlopes!.values, words.gateSlopes![d].values];
      for (let i = 0; i < rows.length; i++) {
        const [from, to] = [i * width, rows[i] * width];
        for (let k = 0; k < width; k++) all[to + k] += slopes[from + k];
      }
    }
  }

  /** By how much the scores of the choices on the right way down are to change. */
  private fillSlopes({ bundles, from, to }: Piece): void {
    const { uposOfBundle, pairOfBundle } = this.data.knowledge.tags;
    this.network.sentence.clearSlopes(to - from);
    for (let i = from; i < to; i++) {
      const [row, bundle] = [i - from, bundles[i]];
      const [tag, pair] = [uposOfBundle[bundle], pairOfBundle[bundle]];
      this.learnUpos(row, tag);
      this.learnChoice(row, this.choices.pairs[tag], pair);
      this.learnChoice(row, this.choices.bundles[pair], bundle);
    }
  }

  private learnUpos(row: number, right: number): void {
    const { scores, slopes, length } = this.network.upos;
    const count = this.data.knowledge.tags.upos.length;
    const gradients = this.gradients;
    const start = row * length;
    for (let c = 0; c < count; c++) gradients[c] = scores.values[start + c];
    toGradients(gradients, count, right);
    slopes.values.fill(0, start, start + length);
    for (let c = 0; c < count; c++) slopes.values[start + c] = gradients[c];
  }

  private learnChoice(row: number, choices: Choices, right: number): void {
    const { members, sharing, count } = choices;
    if (members.length === 1) return;
    const network = this.network;
    const gradients = this.gradients;
    const scores = network.scoreChoices(row, choices);
    for (let c = 0; c < count; c++) gradients[c] = scores[c];
    addParts(gradients, members.length, sharing);
    toGradients(gradients, members.length, members.indexOf(right));
    sumOverParts(gradients, choices);
    for (let c = 0; c < count; c++) network.choices.slopes.values[c] = gradients[c];
    network.choicesBack(row, choices);
  }
}
