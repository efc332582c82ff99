import { loadInputs, type NetworkInput, saveInputs } from '../../../src/learn/network/inputs.ts';
import {
  Dense,
  denseShapes,
  type OutputRange,
  SelectiveDense,
  selectiveDenseShapes,
} from '../../../src/learn/network/layers/dense.ts';
import { Dropout, INPUT_DROPOUT } from '../../../src/learn/network/layers/dropout.ts';
import {
  type InputFields,
  InputLayer,
  type InputRows,
} from '../../../src/learn/network/layers/input-layer.ts';
import {
  copyRows,
  directions,
  initializeForgetGates,
  LstmPass,
  recurrentShape,
} from '../../../src/learn/network/layers/lstm.ts';
import { GATES, LANES } from '../../../src/learn/network/layout.ts';
import { type Floats, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape, weightCount } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TagChoices, type TagSet } from '../tag-set.ts';
import { WordValues } from './word-values.ts';

const OUTPUT_DROPOUT = 0.2;

interface LayerSizes extends InputFields {
  /** LSTM units per direction, a multiple of four. */
  readonly units: number;
}

/** What different words add to the gates of both directions: computed once for all places where they occur. */
export class WordLayer {
  /** For each direction: words × 4 units; and their gradients, in training. */
  readonly gates: readonly Floats[];
  readonly gateGradients: readonly Floats[] | undefined;
  private readonly layer: InputLayer;
  private readonly inputs: readonly Dense[];
  private readonly rows: Floats;
  private readonly rowGradients: Floats | undefined;
  private readonly dropout: Dropout | undefined;

  static shapes(sizes: LayerSizes): Shape[] {
    const ofInputs = directions.flatMap((direction) =>
      denseShapes(`words.${direction}`, InputLayer.width(sizes), GATES * sizes.units),
    );
    return [...InputLayer.shapes(sizes), ...ofInputs];
  }

  constructor(
    memory: NetworkMemory,
    parameters: Parameters,
    private readonly sizes: LayerSizes,
    words: number,
    isTrained: boolean,
  ) {
    const { units } = sizes;
    this.layer = new InputLayer(memory, parameters, sizes, { tokens: words, hasRoot: false, isTrained });
    this.inputs = directions.map((direction) => new Dense(memory, parameters, `words.${direction}`));
    const { width } = this.layer;
    this.rows = memory.take(width * words);
    this.gates = directions.map(() => memory.take(GATES * units * words));
    if (!isTrained) return;
    this.rowGradients = memory.take(width * words);
    this.gateGradients = directions.map(() => memory.take(GATES * units * words));
    this.dropout = new Dropout(memory, width, INPUT_DROPOUT);
  }

  initialize(): void {
    for (const { bias } of this.inputs) initializeForgetGates(bias, this.sizes.units);
  }

  /** Fills `gates`; `random` draws the dropout masks in training. */
  forward(words: InputRows, random?: Random): void {
    const { tokens } = words;
    this.layer.forward(this.rows, words);
    if (random !== undefined) {
      this.dropout!.draw(random);
      this.dropout!.apply(this.rows, tokens);
    }
    for (const [d, inputs] of this.inputs.entries()) inputs.forward(this.gates[d], this.rows, tokens);
  }

  backward(words: InputRows): void {
    const gradients = this.rowGradients!;
    const { tokens } = words;
    gradients.values.fill(0, 0, this.layer.width * tokens);
    for (const [d, inputs] of this.inputs.entries()) {
      inputs.backward(this.gateGradients![d], this.rows, gradients, tokens);
    }
    this.dropout!.apply(gradients, tokens);
    this.layer.backward(gradients, words);
  }
}

class SentenceLayer {
  /** words × 2 units, and their gradients. */
  readonly output: Floats;
  readonly outputGradients: Floats;
  /** One for each direction; their gates are to be filled with what the words add. */
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

  /** Adds to the gradients of the weights, and fills those of the gates, by `outputGradients`. */
  backward(words: number): void {
    const { units } = this;
    const gradients = this.outputGradients;
    this.dropout.apply(gradients, words);
    for (const [d, lstm] of this.lstms.entries()) {
      copyRows(gradients.values, d * units, 2 * units, lstm.hiddenGradients!.values, 0, units, words);
      lstm.backward(words);
    }
  }
}

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
  readonly upos: number;
  /** Outputs for pairs and bundles: of all choices together, and the most of one. */
  readonly choices: number;
  readonly mostChoices: number;
}

export function sizesOf(tags: TagSet, choices: TagChoices): Omit<TagNetworkSizes, keyof LayerSizes> {
  return { upos: tags.upos.length, choices: choices.size, mostChoices: choices.most };
}

interface Capacity {
  readonly different: number;
  readonly words: number;
}

export function shapesOf(sizes: TagNetworkSizes): Shape[] {
  const outputs = 2 * sizes.units;
  return [
    ...WordLayer.shapes(sizes),
    ...SentenceLayer.shapes(sizes.units),
    ...denseShapes('upos', outputs, padded(sizes.upos)),
    ...selectiveDenseShapes('choices', outputs, sizes.choices),
  ];
}

/** A BiLSTM (Graves & Schmidhuber 2005; Wang et al. 2015) in training: scores the choices down the tree. */
export class TagNetwork {
  readonly parameters: Parameters;
  readonly words: WordLayer;
  readonly sentence: SentenceLayer;
  readonly upos: OutputRows;
  /** The scores of pairs and bundles, computed on demand. */
  readonly choices: SelectiveDense;

  constructor(sizes: TagNetworkSizes, { different, words }: Capacity) {
    const shapes = shapesOf(sizes);
    const most = Math.max(sizes.mostChoices, LANES);
    const memory = new NetworkMemory();
    this.parameters = new Parameters(memory, shapes, true);
    this.words = new WordLayer(memory, this.parameters, sizes, different, true);
    this.sentence = new SentenceLayer(memory, this.parameters, sizes.units, words);
    this.upos = new OutputRows(memory, this.parameters, 'upos', words);
    this.choices = new SelectiveDense(memory, this.parameters, 'choices', most);
    memory.allocate();
  }

  initialize(random: Random): void {
    this.parameters.draw(random);
    this.words.initialize();
  }

  /** Reads a sentence, for which the gates of `sentence.lstms` are filled, and scores its universal tags. */
  read(words: number, random?: Random): void {
    this.sentence.forward(words, random);
    this.upos.forward(this.sentence.output, words);
  }

  scoreChoices(word: number, choices: OutputRange): Float32Array {
    this.choices.forward(this.sentence.output, word, choices);
    return this.choices.scores.values;
  }

  choicesBack(word: number, choices: OutputRange): void {
    const { output, outputGradients } = this.sentence;
    this.choices.backward(output, outputGradients, word, choices);
  }

  /** Backward pass for the sentence, after those of its choices; includes that of the universal tags. */
  backward(words: number): void {
    const { output, outputGradients } = this.sentence;
    this.upos.backward(output, outputGradients, words);
    this.sentence.backward(words);
  }
}

export const MOST_UNITS = 512;

/** The beginning of the names of a network's sections. */
const SECTIONS = 'tagger.network.';

export interface TrainedNetwork {
  readonly units: number;
  readonly values: WordValues;
  /** Inputs beside the learnt embeddings. */
  readonly beside: readonly NetworkInput[];
  readonly weights: Float32Array;
}

/** Throws `InputError` if the model's network does not fit these tags. */
export function loadNetwork(model: ModelReader, tags: TagSet): TrainedNetwork {
  const header = model.fields('tagger').fields('network');
  const units = header.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) header.refuse('units', `a multiple of ${LANES}`);
  const values = WordValues.load(model);
  const beside = loadInputs(model, header, SECTIONS);
  const sizes = { fields: values.fields, beside, units, ...sizesOf(tags, new TagChoices(tags)) };
  const weights = model.section('tagger.network.weights', 'float32', {
    length: weightCount(shapesOf(sizes)),
  });
  if (!weights.every(Number.isFinite)) {
    model.refuse('section tagger.network.weights has weights that are not finite numbers');
  }
  return { units, values, beside, weights };
}

/** Writes the sections of a network; returns the header's field. */
export function saveNetwork(network: TrainedNetwork, model: ModelWriter): object {
  const { units, values, beside, weights } = network;
  model.section('tagger.network.weights', weights);
  return { units, values: values.save(model), ...saveInputs(beside, model, SECTIONS) };
}
