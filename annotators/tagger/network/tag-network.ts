import {
  denseShapes,
  type OutputRange,
  SelectiveDense,
  selectiveDenseShapes,
} from '../../../src/learn/network/layers/dense.ts';
import { LANES } from '../../../src/learn/network/layout.ts';
import { NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape, weightCount } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { TagChoices, type TagSet } from '../tag-set.ts';
import { type LayerSizes, OutputRows, SentenceLayer, WordLayer } from './layers.ts';
import { WordValues } from './word-values.ts';

export interface TagNetworkSizes extends LayerSizes {
  readonly upos: number;
  /** Outputs for pairs and bundles: of all choices together, and the most of one. */
  readonly choices: number;
  readonly mostChoices: number;
}

export function sizesOf(tags: TagSet, choices: TagChoices): Omit<TagNetworkSizes, keyof LayerSizes> {
  return { upos: tags.upos.length, choices: choices.size, mostChoices: choices.most };
}

/** The most different words of a batch, and the most words of a sentence. */
interface Capacity {
  readonly different: number;
  readonly words: number;
}

/** The shapes of all parameters, in order. */
export function shapesOf(sizes: TagNetworkSizes): Shape[] {
  const outputs = 2 * sizes.units;
  return [
    ...WordLayer.shapes(sizes),
    ...SentenceLayer.shapes(sizes.units),
    ...denseShapes('upos', outputs, padded(sizes.upos)),
    ...selectiveDenseShapes('choices', outputs, sizes.choices),
  ];
}

/**
 * A network in training: a bidirectional LSTM (Graves & Schmidhuber 2005; for tagging, Wang et al. 2015) whose outputs score
 * the choices on the way down the tag tree. `QuantizedNetwork` is the same network for use.
 */
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

export interface TrainedNetwork {
  readonly units: number;
  readonly values: WordValues;
  /** The weights of `TagNetwork.parameters`. */
  readonly weights: Float32Array;
}

/** Throws `InputError` if the model's network does not fit these tags. */
export function loadNetwork(model: ModelReader, tags: TagSet): TrainedNetwork {
  const header = model.fields('tagger').fields('network');
  const units = header.integer('units', LANES, MOST_UNITS);
  if (units % LANES !== 0) header.refuse('units', `a multiple of ${LANES}`);
  const values = WordValues.load(model);
  const sizes = { fields: values.fields, units, ...sizesOf(tags, new TagChoices(tags)) };
  const weights = model.section('tagger.network.weights', 'float32', {
    length: weightCount(shapesOf(sizes)),
  });
  if (!weights.every(Number.isFinite)) {
    model.refuse('section tagger.network.weights has weights that are not finite numbers');
  }
  return { units, values, weights };
}

/** Writes the sections of a network; returns the header's field. */
export function saveNetwork({ units, values, weights }: TrainedNetwork, model: ModelWriter): object {
  model.section('tagger.network.weights', weights);
  return { units, values: values.save(model) };
}
