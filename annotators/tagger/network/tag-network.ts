import { EncoderInput } from '../../../src/learn/encoder/encoder-input.ts';
import { loadInputs, type NetworkInput, saveInputs } from '../../../src/learn/network/inputs.ts';
import {
  Dense,
  denseShapes,
  type OutputRange,
  SelectiveDense,
  selectiveDenseShapes,
} from '../../../src/learn/network/layers/dense.ts';
import { Dropout } from '../../../src/learn/network/layers/dropout.ts';
import { copyRows, directions, LstmPass, recurrentShape } from '../../../src/learn/network/layers/lstm.ts';
import { GATES, LANES } from '../../../src/learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape, weightCount } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TagChoices, type TagSet } from '../tag-set.ts';
import { ContextLayer, type LayerSizes, WordLayer } from './gate-layers.ts';
import { WordValues } from './word-values.ts';

const OUTPUT_DROPOUT = 0.2;

/** The BiLSTM over the words of a sentence, in training. */
class SentenceLayer {
  /** words × 2 units, and their gradients. */
  readonly output: Floats;
  readonly outputGradients: Floats;
  /** One for each direction; their gates are to be filled with the projected words. */
  readonly lstms: readonly LstmPass[];
  private readonly dropout: Dropout;

  static shapes(units: number): Shape[] {
    return directions.map((direction) => recurrentShape(`sentence.${direction}`, units));
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly units: number,
    words: number,
  ) {
    this.lstms = directions.map(
      (direction) => new LstmPass(memory, parameters, `sentence.${direction}`, units, words),
    );
    this.output = memory.take(2 * units * words);
    this.outputGradients = memory.take(2 * units * words);
    this.dropout = new Dropout(memory, 2 * units, OUTPUT_DROPOUT);
  }

  /** Fills `output`; overwrites the gates. */
  forward(words: number, random?: Random): void {
    const { units, output } = this;
    for (const [d, lstm] of this.lstms.entries()) {
      lstm.forward(words);
      copyRows(lstm.hidden.values, 0, units, output.values, d * units, 2 * units, words);
    }
    if (random === undefined) return;
    this.dropout.draw(random);
    this.dropout.apply(output, words);
  }

  clearGradients(words: number): void {
    this.outputGradients.values.fill(0, 0, 2 * this.units * words);
  }

  /** Adds to the gradients of the weights and fills the gradients of the gates, from `outputGradients`. */
  backward(words: number): void {
    const { units } = this;
    const gradients = this.outputGradients;
    this.dropout.apply(gradients, words);
    for (const [d, lstm] of this.lstms.entries()) {
      copyRows(gradients.values, d * units, 2 * units, lstm.hiddenGradients.values, 0, units, words);
      lstm.backward(words);
    }
  }
}

/** A dense layer with its scores and gradients: words × `length`. */
class OutputRows {
  readonly scores: Floats;
  readonly gradients: Floats;
  readonly length: number;
  private readonly layer: Dense;

  constructor(memory: NetworkMemory, parameters: Parameters, name: string, words: number) {
    this.layer = new Dense(memory, parameters, name);
    this.length = this.layer.bias.columns;
    this.scores = memory.take(this.length * words);
    this.gradients = memory.take(this.length * words);
  }

  forward(x: Floats, words: number): void {
    this.layer.forward(this.scores, x, words);
  }

  backward(x: Floats, xGradients: Floats, words: number): void {
    this.layer.backward(this.gradients, x, xGradients, words);
  }
}

export interface TagNetworkSizes extends LayerSizes {
  /** An input that reads whole sentences. */
  readonly context: EncoderInput | undefined;
  readonly upos: number;
  /** Number of outputs for pairs and bundles: of all choices together, and of the largest. */
  readonly choices: number;
  readonly mostChoices: number;
}

export function sizesOf(
  { units, values, extraInputs }: Omit<TrainedNetwork, 'weights'>,
  tags: TagSet,
  choices = new TagChoices(tags),
): TagNetworkSizes {
  return {
    units,
    fields: values.fields,
    extraInputs: extraInputs.filter((input) => !(input instanceof EncoderInput)),
    context: extraInputs.find((input) => input instanceof EncoderInput),
    upos: tags.upos.length,
    choices: choices.size,
    mostChoices: choices.most,
  };
}

type Capacity = { readonly different: number; readonly words: number };

export function shapesOf(sizes: TagNetworkSizes): Shape[] {
  const outputs = 2 * sizes.units;
  return [
    ...WordLayer.shapes(sizes),
    ...SentenceLayer.shapes(sizes.units),
    ...denseShapes('upos', outputs, padded(sizes.upos)),
    ...selectiveDenseShapes('choices', outputs, sizes.choices),
    ...(sizes.context === undefined ? [] : ContextLayer.shapes(sizes.context, sizes.units)),
  ];
}

/** A BiLSTM tagger (Graves & Schmidhuber 2005; Wang et al. 2015) in training: scores the choices down the tag tree. */
export class TagNetwork {
  readonly parameters: Parameters;
  readonly words: WordLayer;
  readonly sentence: SentenceLayer;
  readonly context: ContextLayer | undefined;
  readonly upos: OutputRows;
  /** The scores of pairs and bundles, computed on demand. */
  readonly choices: SelectiveDense;
  private readonly gateWidth: number;

  constructor(sizes: TagNetworkSizes, { different, words }: Capacity) {
    const shapes = shapesOf(sizes);
    const most = Math.max(sizes.mostChoices, LANES);
    const memory = new NetworkMemory();
    this.parameters = new Parameters(memory, shapes, true);
    this.words = new WordLayer(memory, this.parameters, sizes, different);
    this.sentence = new SentenceLayer(memory, this.parameters, sizes.units, words);
    const { context } = sizes;
    this.context = context && new ContextLayer(memory, this.parameters, context, words);
    this.upos = new OutputRows(memory, this.parameters, 'upos', words);
    this.choices = new SelectiveDense(memory, this.parameters, 'choices', most);
    memory.allocate();
    this.gateWidth = GATES * sizes.units;
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    this.words.initialize();
  }

  /** Reads a sentence and scores its universal tags; `rows`: the row of each word in `words`. */
  read(rows: Int32Array, forms: readonly string[], random?: Random): void {
    const { sentence, context, words } = this;
    const gates = sentence.lstms.map((lstm) => lstm.gates);
    for (const { values } of gates) values.fill(0, 0, rows.length * this.gateWidth);
    context?.forward(gates, forms, random);
    for (const [d, { values }] of gates.entries()) this.addWords(values, words.gates[d].values, rows);
    sentence.forward(rows.length, random);
    this.upos.forward(sentence.output, rows.length);
  }

  private addWords(gates: Float32Array, words: Float32Array, rows: Int32Array): void {
    const width = this.gateWidth;
    for (let i = 0; i < rows.length; i++) {
      const [to, from] = [i * width, rows[i] * width];
      for (let k = 0; k < width; k++) gates[to + k] += words[from + k];
    }
  }

  scoreChoices(word: number, choices: OutputRange): Float32Array {
    this.choices.forward(this.sentence.output, word, choices);
    return this.choices.scores.values;
  }

  choicesBack(word: number, choices: OutputRange): void {
    const { output, outputGradients } = this.sentence;
    this.choices.backward(output, outputGradients, word, choices);
  }

  /** Backward pass for the sentence, after `choicesBack`; adds to the gradients of the gates of `words`. */
  backward(rows: Int32Array): void {
    const { sentence, words, gateWidth } = this;
    const { output, outputGradients, lstms } = sentence;
    this.upos.backward(output, outputGradients, rows.length);
    sentence.backward(rows.length);
    const ofGates = lstms.map(({ gateGradients }) => gateGradients);
    this.context?.backward(ofGates, rows.length);
    for (const [d, { values }] of ofGates.entries()) {
      const ofWords = words.gateGradients![d].values;
      for (let i = 0; i < rows.length; i++) {
        const [from, to] = [i * gateWidth, rows[i] * gateWidth];
        for (let k = 0; k < gateWidth; k++) ofWords[to + k] += values[from + k];
      }
    }
  }
}

export const MOST_UNITS = 512;
/** Prefix of the names of the network's sections. */
const SECTIONS = 'tagger.network.';

export interface TrainedNetwork {
  readonly units: number;
  readonly values: WordValues;
  /** Inputs besides the learnt embeddings. */
  readonly extraInputs: readonly NetworkInput[];
  readonly weights: Float32Array;
}

/** Throws `InputError` if the model's network does not fit these tags. */
export function loadNetwork(model: ModelReader, tags: TagSet): TrainedNetwork {
  const header = model.fields('tagger').fields('network');
  const units = header.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) header.refuse('units', `a multiple of ${LANES}`);
  const inputs = { units, values: WordValues.load(model), extraInputs: loadInputs(model, header, SECTIONS) };
  const length = weightCount(shapesOf(sizesOf(inputs, tags)));
  return {
    ...inputs,
    get weights() {
      return model.section('tagger.network.weights', 'float32', { length, finite: 'weights' });
    },
  };
}

/** Writes the sections of a network; returns the header's field. */
export function saveNetwork(network: TrainedNetwork, model: ModelWriter): object {
  const { units, values, extraInputs, weights } = network;
  model.section('tagger.network.weights', weights);
  return { units, values: values.save(model), ...saveInputs(extraInputs, model, SECTIONS) };
}
