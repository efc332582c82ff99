import { finish, mix } from '../../src/learn/hashing.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { TextNormalization } from '../../src/treebank/text-normalization.ts';
import { SentenceNetwork } from './sentence-network.ts';
import { SplitRules } from './split-rules.ts';
import { isOneCharacter, SPACE } from './text/characters.ts';
import type { Units } from './text/units.ts';
import { FactTable, WordTable } from './word-table.ts';

const UNAMBIGUOUS = 'tokenizer.settled';
const UNAMBIGUOUS_KINDS = 'tokenizer.settledKinds';
const SPANS = { hashes: 'tokenizer.spans', facts: 'tokenizer.spanFacts' };
const NEIGHBOURS = { hashes: 'tokenizer.neighbours', facts: 'tokenizer.attractions' };

export interface TokenizerModel extends Spacing {
  readonly weights: ByQuestion<Int16Array>;
  readonly words: WordTable;
  readonly splits: SplitRules;
  /** Most tokens have no blank after them. */
  readonly isDense: boolean;
  /** Whether it was trained with features of mail and page addresses. */
  readonly readsAddresses: boolean;
  readonly normalization: TextNormalization;
  /** Only where tokens are found by segmenting a whole text (`Segmenter`), not one by one. */
  readonly segmentation?: Segmentation | undefined;
  /** Its log-odds of sentence ends are added to the scores by the weights; absent: none. */
  readonly network?: SentenceNetwork | undefined;
}

export function saveModel(model: TokenizerModel, file: ModelWriter): void {
  const { weights, words, unambiguous, splits, segmentation, network } = model;
  const { hasBlanks, isDense, readsAddresses, normalization } = model;
  file.header.tokenizer = {
    hasBlanks,
    isDense,
    readsAddresses,
    normalization: {
      spellings: Object.fromEntries(normalization.spellings),
      composes: normalization.composes,
    },
    splits: splits.rules,
  };
  words.save(file);
  unambiguous.save(file, UNAMBIGUOUS);
  for (const question of questions) file.section(section(question), weights[question]);
  segmentation?.spans.save(file, SPANS);
  segmentation?.unambiguousKinds.save(file, UNAMBIGUOUS_KINDS);
  segmentation?.neighbours?.save(file, NEIGHBOURS);
  network?.save(file);
}

/** Throws `InputError` if the file holds no tokenizer. */
export function loadModel(file: ModelReader): TokenizerModel {
  const fields = file.fields('tokenizer');
  const isDense = fields.flag('isDense');
  // Throws `InputError` if the number of weights is not a power of two.
  const weights = byQuestion((question) => file.section(section(question), 'int16', { isHashed: true }));
  return {
    weights,
    words: WordTable.load(file),
    unambiguous: UnambiguousPairs.load(file, UNAMBIGUOUS),
    splits: SplitRules.load(file),
    hasBlanks: fields.flag('hasBlanks'),
    isDense,
    readsAddresses: fields.has('readsAddresses') && fields.flag('readsAddresses'),
    normalization: loadNormalization(fields),
    segmentation: isDense || file.has(UNAMBIGUOUS_KINDS) ? loadSegmentation(file) : undefined,
    network: SentenceNetwork.load(file),
  };
}

/** Loads the normalization; the oldest models have none. */
function loadNormalization(tokenizer: HeaderFields): TextNormalization {
  if (!tokenizer.has('normalization')) return new TextNormalization(new Map(), false);
  const fields = tokenizer.fields('normalization');
  const spellings = fields.fields('spellings');
  const entries = spellings.names.map((character) => [character, spellings.text(character)] as const);
  return new TextNormalization(new Map(entries), fields.flag('composes'));
}

/** The binary decisions: does a token end here, does a sentence end here, does a rule split this token? */
const questions = ['tokens', 'sentences', 'splits'] as const;
export type Question = (typeof questions)[number];
type ByQuestion<T> = Readonly<Record<Question, T>>;
export const byQuestion = <T>(make: (question: Question) => T): ByQuestion<T> => ({
  tokens: make('tokens'),
  sentences: make('sentences'),
  splits: make('splits'),
});

const section = (question: Question): string => `tokenizer.weights.${question}`;
export interface Segmentation {
  /** See `SpanFacts`. */
  readonly spans: FactTable;
  readonly unambiguousKinds: UnambiguousPairs;
  /** The association in raw text of pairs of atoms, by `Atoms.placeHash` (see `associationClass`). */
  readonly neighbours?: FactTable | undefined;
}

const loadSegmentation = (model: ModelReader): Segmentation => ({
  spans: FactTable.load(model, SPANS),
  unambiguousKinds: UnambiguousPairs.load(model, UNAMBIGUOUS_KINDS),
  neighbours: model.has(NEIGHBOURS.hashes) ? FactTable.load(model, NEIGHBOURS) : undefined,
});

const BITS = 18;
const BYTES = 1 << (BITS - 3);
const ENOUGH = 5;

/**
 * The pairs of characters that need no decision, such as most pairs of letters. In training, they occurred at least
 * `ENOUGH` times: adjacent ones never with a token end between them, ones around a blank always. A bit table by hash.
 */
export class UnambiguousPairs {
  private constructor(private readonly bits: Uint8Array) {}

  static load(model: ModelReader, section: string): UnambiguousPairs {
    const bits = model.section(section, 'uint8');
    if (bits.length !== BYTES) model.refuse(`section ${section} has ${bits.length} bytes, expected ${BYTES}`);
    return new UnambiguousPairs(bits);
  }

  save(model: ModelWriter, section: string): void {
    model.section(section, this.bits);
  }

  /** Whether the pair of unit i and the next non-blank is unambiguous; `values`: characters, or their kinds. */
  has(values: Int32Array, kinds: Int32Array, i: number): boolean {
    const hash = pairHash(values, kinds, i);
    return (this.bits[hash >> 3] & (1 << (hash & 7))) !== 0;
  }

  static of(counts: PairCounts): UnambiguousPairs {
    const bits = new Uint8Array(BYTES);
    for (let hash = 0; hash < 1 << BITS; hash++)
      if (counts.seen[hash] >= ENOUGH && counts.exceptions[hash] === 0) bits[hash >> 3] |= 1 << (hash & 7);
    return new UnambiguousPairs(bits);
  }
}

/** Counts of pairs, and of exceptions: token ends without a blank, and blanks within a token. */
export class PairCounts {
  readonly seen = new Int32Array(1 << BITS);
  readonly exceptions = new Int32Array(1 << BITS);

  add(values: Int32Array, kinds: Int32Array, i: number, isEnd: boolean): void {
    const hash = pairHash(values, kinds, i);
    this.seen[hash]++;
    if (isEnd !== (kinds[i + 1] === SPACE)) this.exceptions[hash]++;
  }
}

function pairHash(values: Int32Array, kinds: Int32Array, i: number): number {
  const isApart = kinds[i + 1] === SPACE ? 1 : 0;
  return finish(mix(mix(isApart, values[i]), values[i + 1 + isApart])) & ((1 << BITS) - 1);
}

/** How tokens relate to white space. */
export interface Spacing {
  /** Tokens may have blanks inside. */
  readonly hasBlanks: boolean;
  readonly unambiguous: UnambiguousPairs;
}

/** Whether a token certainly ends after unit i (not the last, no blank), or certainly not; undefined if unknown. */
export function knownEnd(units: Units, i: number, { hasBlanks, unambiguous }: Spacing): boolean | undefined {
  const isBlank = units.isBlank(i + 1);
  if (isBlank && (!hasBlanks || i + 2 >= units.end)) return true;
  if (!isBlank && isOneCharacter(units.codes[i], units.codes[i + 1])) return false;
  return unambiguous.has(units.lowers, units.kinds, i) ? isBlank : undefined;
}
