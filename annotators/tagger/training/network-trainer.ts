import type { NetworkInput } from '../../../src/learn/network/inputs.ts';
import { formDropout, VALUE_DROPOUT } from '../../../src/learn/network/layers/dropout.ts';
import type { InputRows } from '../../../src/learn/network/layers/input-layer.ts';
import type { Position, Schedule } from '../../../src/learn/network/training.ts';
import { crossEntropy, NetworkTraining } from '../../../src/learn/network/training.ts';
import { Random } from '../../../src/learn/random.ts';
import { sizesOf, TagNetwork, type TrainedNetwork } from '../network/tag-network.ts';
import { FORM, UNKNOWN, VALUES, WordValues } from '../network/word-values.ts';
import { addShared, type Choices, sumShared, TagChoices } from '../tag-set.ts';
import { Field, FLAG_SETS, formsOf } from '../words.ts';
import { eachWord, type TaggerExample, type TaggerTrainingData } from './training-data.ts';

const RATE = 0.008;
const LONGEST = 1000;

/** A sentence or a piece of one: the words from `from` to before `to`. */
interface Piece extends TaggerExample {
  readonly from: number;
  readonly to: number;
}

/**
 * Trains a network. The loss is the cross-entropy of the gold choices down the tag tree: UPOS, pair, bundle. Each distinct
 * word of a batch is projected to the gates, and its gradients propagated, once.
 */
export class NetworkTrainer {
  readonly training: NetworkTraining;
  private readonly network: TagNetwork;
  private readonly values: WordValues;
  private readonly choices: TagChoices;
  private readonly words: BatchWords;
  private readonly gradients: Float64Array;

  constructor(
    private readonly data: TaggerTrainingData,
    private readonly extraInputs: readonly NetworkInput[],
    private readonly units: number,
    readonly schedule: Schedule,
    private readonly seed: number,
  ) {
    const { examples, knowledge } = data;
    const { tags } = knowledge;
    this.values = WordValues.of((see) => eachWord(examples, see));
    this.choices = new TagChoices(tags);
    const sizes = sizesOf({ units, values: this.values, extraInputs }, tags, this.choices);
    const lengths = examples.map(({ words }) => words.length);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    const different = schedule.batch + longest;
    this.network = new TagNetwork(sizes, { different, words: Math.min(longest, LONGEST) });
    this.network.initialize(new Random(seed));
    this.words = new BatchWords(this.values, examples, different);
    this.gradients = new Float64Array(Math.max(sizes.upos, sizes.mostChoices));
    this.training = new NetworkTraining({
      parameters: this.network.parameters,
      schedule,
      rate: RATE,
      lengths,
      addGradients: (batch, position) => this.addGradients(batch, position),
    });
  }

  trained(): TrainedNetwork {
    const weights = this.network.parameters.weights.values.slice();
    return { units: this.units, values: this.values, extraInputs: this.extraInputs, weights };
  }

  private addGradients(numbers: readonly number[], { epoch, done }: Position): void {
    // Seeded anew for every batch, so that checkpoints need no state of the generator.
    const random = new Random(this.seed, epoch, -1 - done);
    const examples = numbers.map((number) => this.data.examples[number]);
    const { words } = this.network;
    const batch = this.words;
    batch.read(examples, random);
    words.forward(batch, random);
    const width = 4 * this.units;
    for (const { values } of words.gateGradients!) values.fill(0, 0, batch.tokens * width);
    let start = 0;
    for (const example of examples) {
      const { length } = example.words;
      for (let from = 0; from < length; from += LONGEST) {
        const to = Math.min(from + LONGEST, length);
        this.learnPiece({ ...example, from, to }, batch.rows.subarray(start + from, start + to), random);
      }
      start += length;
    }
    words.backward(batch);
  }

  /** @param rows the row of each word of the piece in the batch */
  private learnPiece(piece: Piece, rows: Int32Array, random: Random): void {
    const { network } = this;
    network.read(rows, formsOf(piece.words, piece.from, piece.to), random);
    // Gradients of pairs and bundles are propagated here, gradients of UPOS by `backward` below.
    const { bundles, from, to } = piece;
    const { uposOfBundle, pairOfBundle } = this.data.knowledge.tags;
    this.network.sentence.clearGradients(to - from);
    for (let i = from; i < to; i++) {
      const [row, bundle] = [i - from, bundles[i]];
      const [tag, pair] = [uposOfBundle[bundle], pairOfBundle[bundle]];
      const { scores, gradients, length } = this.network.upos;
      const count = this.data.knowledge.tags.upos.length;
      const start = row * length;
      const found = this.gradients;
      for (let c = 0; c < count; c++) found[c] = scores.values[start + c];
      crossEntropy(found, found, 0, count, tag);
      gradients.values.fill(0, start, start + length);
      for (let c = 0; c < count; c++) gradients.values[start + c] = found[c];
      this.propagateChoice(row, this.choices.pairs[tag], pair);
      this.propagateChoice(row, this.choices.bundles[pair], bundle);
    }
    network.backward(rows);
  }

  private propagateChoice(row: number, choices: Choices, right: number): void {
    const { members, sharing, count } = choices;
    if (members.length === 1) return;
    const { network, gradients } = this;
    const scores = network.scoreChoices(row, choices);
    for (let c = 0; c < count; c++) gradients[c] = scores[c];
    addShared(gradients, members.length, sharing);
    crossEntropy(gradients, gradients, 0, members.length, members.indexOf(right));
    sumShared(gradients, choices);
    for (let c = 0; c < count; c++) network.choices.gradients.values[c] = gradients[c];
    network.choicesBack(row, choices);
  }
}

/** The distinct words of a batch, with value dropout: some values are replaced by the unknown one. */
class BatchWords implements InputRows {
  tokens = 0;
  /** tokens × VALUES. */
  readonly values: Int32Array;
  readonly forms: string[] = [];
  /** For each word of the sentences, one sentence after another: its row among the distinct words. */
  readonly rows: Int32Array;
  private readonly rowOf = new Map<number, number>();
  private readonly ofForms: Float64Array;

  constructor(
    private readonly numbers: WordValues,
    examples: readonly TaggerExample[],
    most: number,
  ) {
    this.values = new Int32Array(most * VALUES);
    this.rows = new Int32Array(most);
    const counts = new Float64Array(numbers.fields[FORM].values);
    eachWord(examples, (data, at) => counts[numbers.numberOf(FORM, data[at + Field.lower])]++);
    this.ofForms = counts.map(formDropout);
  }

  read(examples: readonly TaggerExample[], random: Random): void {
    this.tokens = 0;
    this.rowOf.clear();
    let place = 0;
    eachWord(examples, (data, at, forms) => {
      this.rows[place++] = this.rowAt(data, at, forms, random);
    });
    this.forms.length = this.tokens;
  }

  private rowAt(data: Int32Array, at: number, forms: readonly string[], random: Random): number {
    const key = data[at + Field.number] * FLAG_SETS + data[at + Field.flags];
    const known = this.rowOf.get(key);
    if (known !== undefined) return known;
    const row = this.tokens++;
    this.rowOf.set(key, row);
    this.forms[row] = forms[data[at + Field.word]];
    const start = row * VALUES;
    this.numbers.fill(data, at, this.values, start);
    if (random.uniform() < this.ofForms[this.values[start + FORM]]) this.values[start + FORM] = UNKNOWN;
    for (let v = 0; v < VALUES; v++) if (random.uniform() < VALUE_DROPOUT) this.values[start + v] = UNKNOWN;
    return row;
  }
}
