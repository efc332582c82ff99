import { denseShapes } from '../../../src/learn/network/layers/dense.ts';
import {
  type Part,
  PartialDense,
  partialDenseShapes,
} from '../../../src/learn/network/layers/partial-dense.ts';
import { LANES, NetworkMemory, padded } from '../../../src/learn/network/memory.ts';
import { Parameters, type Shape } from '../../../src/learn/network/parameters.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { TagChoices } from '../choices.ts';
import type { TagSet } from '../tag-set.ts';
import { type LayerSizes, SentenceLayer, WordLayer } from './layers.ts';
import { OutputRows } from './output-rows.ts';

/** How large a network is that scores the choices on the way down the tree of tags. */
export interface TagNetworkSizes extends LayerSizes {
  /** Universal tags. */
  readonly upos: number;
  /** What is chosen from below them: of all choices together, and the most of one. */
  readonly choices: number;
  readonly mostChoices: number;
}

/** How large the part is that the tags ask for. */
export function sizesOf(tags: TagSet, choices: TagChoices): Omit<TagNetworkSizes, keyof LayerSizes> {
  return { upos: tags.upos.length, choices: choices.size, mostChoices: choices.most };
}

/** How much it is to read at a time: different words, and words of a sentence. */
export interface Capacity {
  readonly different: number;
  readonly words: number;
}

/** Every matrix of weights, in order. */
export function shapesOf(sizes: TagNetworkSizes): Shape[] {
  const outputs = 2 * sizes.units;
  return [
    ...WordLayer.shapes(sizes),
    ...SentenceLayer.shapes(sizes.units),
    ...denseShapes('upos', outputs, padded(sizes.upos)),
    ...partialDenseShapes('choices', outputs, sizes.choices),
  ];
}

/** How many weights the network has. */
export function weightCount(sizes: TagNetworkSizes): number {
  return Parameters.room(shapesOf(sizes), false);
}

/**
 * A network that learns to read a sentence from both ends (a recurrent layer, Graves & Schmidhuber 2005; for tags,
 * Wang et al. 2015), and to score the choices on the way down the tree of tags. What it has learnt `RoundedNetwork` uses.
 */
export class TagNetwork {
  readonly parameters: Parameters;
  readonly words: WordLayer;
  readonly sentence: SentenceLayer;
  /** Of each word a row of the scores of universal tags. */
  readonly upos: OutputRows;
  /** Those of pairs and bundles, as they are asked for. */
  readonly choices: PartialDense;

  constructor(sizes: TagNetworkSizes, { different, words }: Capacity) {
    const shapes = shapesOf(sizes);
    const most = Math.max(sizes.mostChoices, LANES);
    const room =
      Parameters.room(shapes, true) +
      WordLayer.room(sizes, different, true) +
      SentenceLayer.room(sizes.units, words) +
      OutputRows.room(padded(sizes.upos), words) +
      PartialDense.room(most);
    const memory = new NetworkMemory(room);
    this.parameters = new Parameters(memory, shapes, true);
    this.words = new WordLayer(memory, this.parameters, sizes, different, true);
    this.sentence = new SentenceLayer(memory, this.parameters, sizes.units, words);
    this.upos = new OutputRows(memory, this.parameters, 'upos', words);
    this.choices = new PartialDense(memory, this.parameters, 'choices', most);
  }

  /** Where learning begins. */
  begin(random: Random): void {
    this.parameters.draw(random);
    this.words.begin();
  }

  /** Reads a sentence, the gates of whose recurrences are filled, and scores its universal tags. */
  read(words: number, random?: Random): void {
    this.sentence.forward(words, random);
    this.upos.forward(this.sentence.output, words);
  }

  /** Scores pairs, or bundles, for a word of the sentence last read. */
  scoreChoices(word: number, choices: Part): Float32Array {
    this.choices.forward(this.sentence.output, word, choices);
    return this.choices.scores.values;
  }

  /** The way back, for the choice last scored: adds to the slopes of the weights and of what was read, by its own. */
  choicesBack(word: number, choices: Part): void {
    const { output, outputSlopes } = this.sentence;
    this.choices.backward(output, outputSlopes, word, choices);
  }

  /** The way back for the whole sentence, after all its choices: by the slopes of the universal tags, too. */
  backward(words: number): void {
    const { output, outputSlopes } = this.sentence;
    this.upos.backward(output, outputSlopes, words);
    this.sentence.backward(words);
  }
}
