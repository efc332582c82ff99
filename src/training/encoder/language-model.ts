import { BatchDense, BatchProducts, transpose } from '../../learn/encoder/batch-dense.ts';
import { directionShapes } from '../../learn/encoder/direction-reader.ts';
import type { EncoderSettings } from '../../learn/encoder/settings.ts';
import { CharacterFilters } from '../../learn/encoder/word-layer.ts';
import { exponential, logarithm } from '../../learn/exponential.ts';
import { initializeForgetGates } from '../../learn/network/layers/lstm.ts';
import { FLOAT, GATES } from '../../learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../learn/network/memory.ts';
import { Parameters } from '../../learn/network/parameters.ts';
import { layerName } from '../../learn/network/quantized-layers.ts';
import type { Random } from '../../learn/random.ts';
import type { CandidateSampler } from './candidates.ts';
import { type DirectionNumbers, OUTPUT, outputShapes } from './softmax.ts';
import { StreamLstm, type StreamShape } from './stream-lstm.ts';
import type { FormTable } from './training-text.ts';
import { WordTable } from './word-table.ts';

/** Gradient clipping: maximum norm of the mean gradient of a batch. */
const MAX_NORM = 1;

/** Minimum probability, which keeps logarithms finite. */
const LEAST = 1e-30;

/** For each step and stream: the form read, and the row of the next form in the word table. */
export interface Batch {
  readonly forms: Int32Array;
  readonly next: Int32Array;
  /** Whether the form begins a sentence: 1 or 0. */
  readonly starts: Int32Array;
}

/** A language model in training, which reads a text in one direction and predicts each next word. */
export class LanguageModel {
  readonly parameters: Parameters;
  readonly words: WordTable;
  private readonly memory = new NetworkMemory();
  private readonly products: BatchProducts;
  private readonly filters: CharacterFilters;
  readonly lstms: readonly StreamLstm[];
  private readonly inputs: readonly BatchDense[];
  private readonly output: BatchDense;
  /** The distinct forms of a batch, their rows, and their projections to the gates of the first layer. */
  private readonly distinct: Int32Array;
  private readonly placeOfForm: Int32Array;
  private readonly rows: Floats;
  private readonly rowGradients: Floats;
  private readonly formGates: Floats;
  private readonly formGateGradients: Floats;
  private readonly outputs: Floats;
  private readonly outputGradients: Floats;
  private readonly scores: Floats;
  private readonly factors: Floats;
  private readonly transposed: Floats;
  private readonly starts: Floats;
  private readonly targets: Int32Array;
  private count = 0;

  constructor(
    private readonly settings: EncoderSettings,
    direction: string,
    private readonly forms: FormTable,
    private readonly sampler: CandidateSampler,
    private readonly shape: StreamShape,
  ) {
    const { memory } = this;
    const { units, layers, words } = settings;
    const tokens = shape.streams * shape.steps;
    const shapes = [...directionShapes(settings, direction), ...outputShapes(settings)];
    this.parameters = new Parameters(memory, shapes, true);
    const candidates = padded(Math.min(sampler.most + 2 * tokens, words));
    this.words = new WordTable(memory, words, units / 2, candidates);
    const { width } = this.words;
    this.products = new BatchProducts(memory, Math.max(GATES * units, candidates));
    const { products } = this;
    this.filters = new CharacterFilters(products, this.parameters, settings, tokens);
    const names = Array.from({ length: layers }, (_, l) => layerName(l, direction));
    this.inputs = names.map((name) => new BatchDense(products, this.parameters, `${name}.inputs`, units));
    this.lstms = names.map((name) => new StreamLstm(products, this.parameters, name, units, shape));
    this.output = new BatchDense(products, this.parameters, OUTPUT, units);
    this.distinct = new Int32Array(tokens);
    this.placeOfForm = new Int32Array(forms.rows.length).fill(-1);
    this.targets = new Int32Array(tokens);
    const [rows, gates] = [() => memory.take(units * tokens), () => memory.take(GATES * units * tokens)];
    [this.rows, this.rowGradients] = [rows(), rows()];
    [this.formGates, this.formGateGradients] = [gates(), gates()];
    [this.outputs, this.outputGradients] = [memory.take(width * tokens), memory.take(width * tokens)];
    this.scores = memory.take(candidates * tokens);
    this.factors = memory.take(candidates);
    this.transposed = memory.take(candidates * width);
    this.starts = memory.take(padded(tokens));
    memory.allocate();
  }

  initialize(random: Random, counts: Int32Array): void {
    const { units } = this.settings;
    this.parameters.draw(random);
    for (const { bias } of this.inputs) initializeForgetGates(bias, units);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const biases = Float64Array.from(counts, (count) => logarithm((count + 1) / total));
    this.words.draw(random, 0.1, biases);
    this.complete();
  }

  /** Starts from the numbers of a trained model. */
  load({ weights, words, biases }: DirectionNumbers): void {
    this.parameters.weights.values.set(weights);
    this.words.fill(words, biases);
    this.complete();
  }

  numbers(): DirectionNumbers {
    return { weights: this.parameters.weights.values.slice(), ...this.words.contents() };
  }

  private complete(): void {
    // The last output is always 1: it multiplies a word's own bias, the last number of the word's row.
    this.output.bias.values[this.settings.units / 2] = 1;
    this.refresh();
  }

  /** To be called after every change of the parameters. */
  refresh(): void {
    this.filters.refresh();
    for (const layer of [...this.inputs, ...this.lstms, this.output]) layer.refresh();
  }

  /** The state of the LSTMs that the next batch continues from. */
  get carried(): Float32Array[] {
    return this.lstms.flatMap(({ carried }) => carried);
  }

  /** Adds the gradients of the sampled softmax for a batch; returns its loss, Σ −ln p of the next words. */
  addGradients(batch: Batch, random: Random): number {
    const { words, sampler } = this;
    const tokens = batch.forms.length;
    words.clear();
    this.readForms(batch.forms);
    for (let t = 0; t < tokens; t++) this.targets[t] = words.place(batch.next[t]);
    sampler.draw(random, (word) => void words.place(word));
    words.gather();
    this.forward(batch);
    const loss = this.fillScoreGradients(tokens);
    this.backward(batch);
    return loss;
  }

  /** Changes the weights by the gradients of the batch last read. */
  step(step: number, rate: number): void {
    const { streams, steps } = this.shape;
    const scale = 1 / (streams * steps);
    this.parameters.step({ number: step, scale, rate, maxNorm: MAX_NORM });
    this.words.step(step, scale, rate);
    this.refresh();
  }

  /** The loss by the full softmax, Σ −ln p of the next words; those that are −1 in `next` are not counted. */
  loss(batch: Batch): number {
    const { words, memory, outputs, scores, shape } = this;
    const { width } = words;
    words.clear();
    this.readForms(batch.forms);
    words.gather();
    this.forward(batch);
    const tokens = shape.streams * shape.steps;
    const sums = new Float64Array(tokens);
    const all = this.settings.words;
    const most = scores.values.length / tokens;
    let loss = 0;
    for (let first = 0; first < all; first += most) {
      const count = Math.min(most, all - first);
      // Rows beyond the last are other numbers of the memory; their scores are not used.
      const columns = padded(count);
      const at = words.weights.at + FLOAT * width * first;
      memory.kernels.product(scores.at, outputs.at, at, tokens, width, columns);
      for (let t = 0; t < tokens; t++) {
        const next = batch.next[t];
        if (next === -1) continue;
        for (let c = 0; c < count; c++) sums[t] += exponential(scores.values[t * columns + c]);
        if (next >= first && next < first + count) loss -= scores.values[t * columns + next - first];
      }
    }
    for (let t = 0; t < tokens; t++) if (batch.next[t] !== -1) loss += logarithm(sums[t]);
    return loss;
  }

  /** Finds the distinct forms of a batch, and places their rows of the word table. */
  private readForms(forms: Int32Array): void {
    const { distinct, placeOfForm, words } = this;
    for (let i = 0; i < this.count; i++) placeOfForm[distinct[i]] = -1;
    this.count = 0;
    for (const form of forms) {
      if (placeOfForm[form] !== -1) continue;
      placeOfForm[form] = this.count;
      distinct[this.count++] = form;
      words.place(this.forms.rows[form]);
    }
  }

  private forward({ forms, starts }: Batch): void {
    const { rows, formGates, inputs, lstms, filters, distinct, words, count } = this;
    const { units } = this.settings;
    filters.clear();
    for (let i = 0; i < count; i++) {
      const form = distinct[i];
      const from = words.place(this.forms.rows[form]) * words.width;
      rows.values.set(words.gathered.values.subarray(from, from + units / 2), i * units);
      filters.push(this.forms.characters, this.forms.starts[form], this.forms.starts[form + 1]);
    }
    filters.forward(rows.values, units / 2, units);
    inputs[0].forward(formGates, rows, count);
    const width = GATES * units;
    for (let t = 0; t < forms.length; t++) {
      const from = this.placeOfForm[forms[t]] * width;
      lstms[0].gates.values.set(formGates.values.subarray(from, from + width), t * width);
    }
    new Int32Array(this.starts.values.buffer, this.starts.at, starts.length).set(starts);
    for (const [l, lstm] of lstms.entries()) {
      if (l > 0) inputs[l].forward(lstm.gates, lstms[l - 1].hidden, forms.length);
      lstm.forward(starts, this.starts.at);
    }
    this.output.forward(this.outputs, lstms.at(-1)!.hidden, forms.length);
  }

  /** Fills `scores` with the gradients of the scores of the candidates, tokens × candidates. */
  private fillScoreGradients(tokens: number): number {
    const { words, scores, factors, transposed, outputs, products, sampler } = this;
    const { width, rows, count } = words;
    const columns = padded(count);
    transpose(words.gathered, transposed, columns, width);
    scores.values.fill(0, 0, tokens * columns);
    products.add(scores, columns, outputs, width, transposed, tokens, columns, width);
    for (let c = 0; c < count; c++) factors.values[c] = sampler.factors[rows[c]];
    factors.values.fill(0, count, columns);
    this.memory.kernels.softmaxRows(scores.at, factors.at, tokens, columns);
    let loss = 0;
    for (let t = 0; t < tokens; t++) {
      const right = t * columns + this.targets[t];
      loss -= logarithm(Math.max(scores.values[right] / sampler.factors[rows[this.targets[t]]], LEAST));
      scores.values[right] -= 1;
    }
    return loss;
  }

  private backward({ forms, starts }: Batch): void {
    const { words, scores, outputs, outputGradients, output, lstms, inputs, products } = this;
    const { units } = this.settings;
    const { width } = words;
    const columns = padded(words.count);
    const tokens = forms.length;
    outputGradients.values.fill(0);
    products.add(outputGradients, width, scores, columns, words.gathered, tokens, width, columns);
    products.addTransposed(words.gradients, scores, columns, columns, outputs, width, width, tokens);
    for (const { hiddenGradients } of lstms) hiddenGradients.values.fill(0);
    const last = lstms.at(-1)!;
    output.backward(outputGradients, last.hidden, last.hiddenGradients, tokens);
    // The factor of a word's own bias is fixed.
    output.bias.gradients!.values.fill(0, units / 2);
    for (let l = lstms.length - 1; l >= 0; l--) {
      lstms[l].backward(starts, this.starts.at);
      const { gateGradients } = lstms[l];
      if (l > 0) inputs[l].backward(gateGradients, lstms[l - 1].hidden, lstms[l - 1].hiddenGradients, tokens);
    }
    this.backwardForms(forms);
  }

  /** Backward pass from the gates of the first layer to the embeddings of words and characters. */
  private backwardForms(forms: Int32Array): void {
    const { words, formGateGradients, rowGradients, rows, count, distinct } = this;
    const { units } = this.settings;
    const width = GATES * units;
    const from = this.lstms[0].gateGradients.values;
    const to = formGateGradients.values;
    to.fill(0, 0, count * width);
    rowGradients.values.fill(0, 0, count * units);
    for (let t = 0; t < forms.length; t++) {
      const place = this.placeOfForm[forms[t]] * width;
      for (let i = 0; i < width; i++) to[place + i] += from[t * width + i];
    }
    this.inputs[0].backward(formGateGradients, rows, rowGradients, count);
    this.filters.backward(rows.values, rowGradients.values, units / 2, units);
    for (let f = 0; f < count; f++) {
      const place = words.place(this.forms.rows[distinct[f]]) * words.width;
      for (let i = 0; i < units / 2; i++)
        words.gradients.values[place + i] += rowGradients.values[f * units + i];
    }
  }
}
